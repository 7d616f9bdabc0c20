#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "numerics/views/vector_views.hpp"
#include "reports/verdict/live/judged_rows.hpp"
#include "reports/verdict/live/subject_questions.hpp"

namespace vernier {

/// What became of the vectors of questions.
struct VectorTally {
  std::uint64_t same = 0;    ///< vectors that have the bits of an answer that was judged before
  std::uint64_t other = 0;   ///< that have other bits, within their budget
  std::uint64_t fresh = 0;   ///< within their budget, and judged for the first time
  std::uint64_t untold = 0;  ///< whose format is too coarse to judge them
  double greatest_budget_ratio = 0;

  void add(const VectorTally& more);
};

/// What came of a question.
struct AnsweredPoint {
  Response response;
  Marked marked = {};
  VectorTally tally = {};
  std::optional<WrongElement> wrong = std::nullopt;  ///< the first; its row is counted as in the answer
  std::string rule = {};  ///< by which rows of a table are those of other positions, if one is obeyed
};

/// Something that an implementation is asked for in many ways, and whose answers are judged: copies of a
/// row, in other heads and batches, have other vectors, which are judged once and known from then on. Rows
/// with other bits are judged by the reference.
class AskedSubject {
 public:
  /// \param main answered, of rows that stand alone \param judged what its answer was judged as
  /// \param session and all others outlive the subject
  AskedSubject(LiveSession& session, const Asked& main, const Case& judged, bool is_wrong);

  const std::string& roles() const { return main_.roles; }
  const SubjectQuestions& questions() const { return questions_; }
  /// Whether it is vectors that turn by one position, which the reference judges one by one.
  bool has_vectors() const { return vectors_ != nullptr; }
  /// Whether the main answer breaks its contract, as far as it is known.
  bool is_wrong() const { return is_wrong_; }
  /// Which rows of the main answer are wrong: none makes all of them right from now on.
  Marked main_marks();
  /// The answer for the first rows that was got before the main one; nothing if there is none.
  std::optional<AnsweredPoint> first_answer();

  AnsweredPoint ask(const QuestionPoint& point);

 private:
  struct Answer {
    const QuestionPoint& point;
    const Request& request;
    const Response& response;
    VectorSources sources;
  };
  /// What makes vectors the same.
  struct Key {
    ElementType type;
    std::int64_t position;
    std::size_t source;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  enum class Standing { same, other, unknown, wrong };

  const Case* case_of(ElementType type);
  Key key_of(const Answer& answer, std::size_t index, ElementType type) const {
    return {type, answer.sources.position(index), has_vectors() ? answer.sources.source(index) : 0};
  }
  std::span<const std::byte> known_answer(const Answer& answer, std::size_t index, ElementType type);
  Standing standing_of(const Answer& answer, std::size_t index);
  Marked mark(const Answer& answer, AnsweredPoint& told);
  bool is_judged_as_main(const Answer& answer) const;
  std::vector<std::byte> judged_row(const Answer& answer, const Tensor& tensor, ElementType of,
                                    std::size_t row) const;
  void judge_vectors(const Answer& answer, std::span<const std::size_t> suspects, AnsweredPoint& told,
                     std::vector<WrongVector>& wrong);
  void judge(const Answer& answer, std::span<const std::size_t> suspects, AnsweredPoint& told,
             std::vector<WrongVector>& wrong);
  void keep_right_ones(const Answer& answer, std::span<const std::size_t> suspects,
                       std::span<const WrongVector> wrong);
  AnsweredRows rows_of_answer(const Answer& answer, std::span<const std::size_t> indices) const;

  LiveSession& session_;
  const Asked& main_;
  const Case& judged_;
  bool is_wrong_;                 ///< whether the main answer is, or may be: its rows tell nothing
  const RotatedTensor* vectors_;  ///< null: rows of tables, or vectors that turn by several positions
  SubjectQuestions questions_;
  bool has_budgets_;
  /// Another type, and what its answers are judged as; a wider one's as the main ones.
  struct OfType {
    bool is_taken = false;
    bool is_declined = false;
    std::optional<Case> own = std::nullopt;
  };
  std::map<ElementType, OfType> cases_;
  std::map<ElementType, std::unique_ptr<VectorJudge>> judges_;
  std::vector<std::vector<std::byte>> main_rows_;  ///< of the main answer, as far as they were looked at
  std::unordered_map<Key, std::vector<std::byte>, KeyHash> known_;
  std::vector<std::byte> row_;  ///< that is looked at
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
