#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "numerics/implementations/covering/boundary.hpp"
#include "numerics/implementations/covering/covering_design.hpp"
#include "reports/live/judged_rows.hpp"
#include "reports/live/live_session.hpp"

namespace vernier {

/// What came of a question.
struct AnsweredPoint {
  Response response;
  Marked marked = {};
  std::uint64_t same = 0;    ///< vectors that have the bits of an answer that was judged before
  std::uint64_t other = 0;   ///< that have other bits, within their budget
  std::uint64_t fresh = 0;   ///< within their budget, and judged for the first time
  std::uint64_t untold = 0;  ///< whose format is too coarse to judge them
  double greatest_budget_ratio = 0;
  std::optional<WrongElement> wrong = std::nullopt;  ///< the first; its row is counted as in the answer
  std::string rule = {};  ///< by which rows of a table are those of other positions, if one is obeyed
};

/// Something that an implementation is asked for in many ways: tables of one width, vectors, keys, gradients.
///
/// Vectors are those of the main question, so that the rows of its answer tell right ones by their bits;
/// copies of a row, in other heads and batches, have other vectors, which are judged once and known from then
/// on. Rows with other bits are judged by the reference. Where rows have more than a position (axes, buckets,
/// biases), a position of a question is the index of a row of the main one.
class AskedSubject {
 public:
  /// \param main answered, of rows that stand alone \param judged what its answer was judged as
  /// \param session and all others outlive the subject
  AskedSubject(LiveSession& session, const Asked& main, const Case& judged, bool is_wrong);

  const std::string& roles() const { return main_.roles; }
  /// Whether rows have one position each.
  bool is_plain() const { return is_plain_; }
  /// Whether it is vectors that turn by one position, which the reference judges one by one.
  bool has_vectors() const { return vectors_ != nullptr; }
  DesignLimits design_limits() const;
  BoundaryLimits boundary_limits() const;
  /// Whether the main answer breaks its contract, as far as it is known.
  bool is_wrong() const { return is_wrong_; }
  /// The main question and what was asked before it, and which of its rows are wrong: none makes all of them
  /// right from now on.
  std::vector<QuestionPoint> main_points() const;
  Marked main_marks();
  /// The answer for the first rows that was got before the main one; nothing if there is none.
  std::optional<AnsweredPoint> first_answer();

  AnsweredPoint ask(const QuestionPoint& point);
  /// "rotated in float32, [2, 6, 19, 64], at 19 positions from 4981 to 4999"
  std::string words_of(const QuestionPoint& point) const;
  /// A position of a question as it is told.
  std::string position_text(std::int64_t position) const;

 private:
  /// A row of the main question whose vector a vector of a question has.
  std::size_t source_of(const QuestionPoint& point, std::size_t index) const;
  std::size_t own_row(std::int64_t position) const;
  void fill_pool();
  const Case* case_of(ElementType type);
  Request request_for(const QuestionPoint& point) const;
  std::optional<std::vector<std::byte>> known_answer(const QuestionPoint& point, std::size_t index) const;
  enum class Standing { same, other, unknown, wrong };
  Standing standing_of(const QuestionPoint& point, const Request& request, const Response& response,
                       std::size_t index) const;
  void keep_right_ones(const QuestionPoint& point, const Request& request, const Response& response,
                       std::span<const std::size_t> suspects, std::span<const WrongVector> wrong);
  Marked mark(const QuestionPoint& point, const Request& request, const Response& response,
              AnsweredPoint& told);
  void judge_vectors(const QuestionPoint& point, const Request& request, const Response& response,
                     std::span<const std::size_t> suspects, AnsweredPoint& told,
                     std::vector<WrongVector>& wrong);
  void judge(const QuestionPoint& point, const Request& request, const Response& response,
             std::span<const std::size_t> suspects, AnsweredPoint& told, std::vector<WrongVector>& wrong);
  AnsweredRows rows_of_answer(const QuestionPoint& point, const Request& request, const Response& response,
                              std::span<const std::size_t> indices) const;
  std::string key_of(const QuestionPoint& point, std::size_t index) const;

  LiveSession& session_;
  const Asked& main_;
  const Case& judged_;
  bool is_wrong_;  ///< whether the main answer is, or may be: its rows tell nothing
  bool is_plain_;
  const RotatedTensor* vectors_;  ///< null: rows of tables, or vectors that turn by several positions
  bool has_budgets_;
  std::vector<std::int64_t> positions_;  ///< of the main question, one a row; indices where it is not plain
  std::vector<std::int64_t> pool_;
  std::vector<ElementType> types_;
  /// Another type, and what its answers are judged as; a wider one's as the main ones.
  struct OfType {
    bool is_taken = false;
    std::optional<Case> own = std::nullopt;
  };
  std::map<ElementType, OfType> cases_;
  std::map<ElementType, std::unique_ptr<VectorJudge>> judges_;
  std::unordered_map<std::string, std::vector<std::byte>> known_;
};

/// Everything that can be asked in many ways: what was answered, and the tables of other widths that are.
class AskedSubjects {
 public:
  explicit AskedSubjects(LiveSession& session);
  std::vector<AskedSubject>& all() { return subjects_; }

 private:
  std::vector<std::unique_ptr<Asked>> others_;
  std::vector<std::unique_ptr<Case>> cases_;
  std::vector<AskedSubject> subjects_;
};

}  // namespace vernier
