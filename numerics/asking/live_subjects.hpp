#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numerics/processes/live_implementation.hpp"
#include "numerics/recipes/recipe.hpp"
#include "numerics/recipes/under_test.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Rows of a role that an implementation is asked for.
struct AskedRole {
  std::string role;   ///< "encoding", "cos", "rotated"
  std::size_t width;  ///< elements of a row
};

/// What a live implementation answers, position by position, remembered: so that many small questions, such
/// as laws have, are asked in few large requests. A row of any position, or of any position and input vector,
/// is asked at most once.
class LiveAnswers {
 public:
  /// \param spec with all defaults \param type of what is asked and of the inputs: a floating-point one
  /// \param roles asked together; "rotated", whose rows depend on an input of the same width, is asked alone
  LiveAnswers(LiveImplementation& implementation, OrderedJson spec, ElementType type,
              std::vector<AskedRole> roles);

  /// The rows of all roles at a position, one after the other. If the answer is not known, it is collected
  /// for the next request, and the result is null; unless questions are asked at once. \param input of the
  /// position, empty if there is none; values of the type
  const std::vector<double>* find(std::int64_t position, std::span<const double> input = {});

  /// Asks for everything collected. \return false if there was nothing to ask, or nothing may be asked
  bool ask_collected();
  /// From now on asks what is not known at once, a row a request, so many times at most.
  void ask_at_once(int most_requests) { requests_left_ = most_requests; }

  ElementType type() const { return type_; }
  /// How often find() had no answer.
  std::uint64_t unanswered() const { return unanswered_; }
  int requests() const { return requests_; }
  /// The first response that was no answer: nothing is asked after it.
  const std::optional<Response>& failure() const { return failure_; }

 private:
  /// A row is known by its position and input.
  using Question = std::pair<std::int64_t, std::vector<double>>;

  Request request_for(std::span<const Question> questions) const;
  void ask(std::span<const Question> questions);

  LiveImplementation& implementation_;
  OrderedJson spec_;
  ElementType type_;
  std::vector<AskedRole> roles_;
  std::map<Question, std::vector<double>> answers_;
  std::set<Question> collected_;
  int requests_left_ = 0;
  int requests_ = 0;
  std::uint64_t unanswered_ = 0;
  std::optional<Response> failure_;
};

/// The recipe of stand-ins: honest for every contract.
const Recipe& honest_recipe();
/// The same for a table of any frequencies: each is the nearest in float64.
std::unique_ptr<TableUnderTest> honest_table(const TrigTable& table, Format stored);

/// A table whose rows a live implementation answers. What it has not been asked yet is stood in for by an
/// honest row, computed in float64 and rounded, so that whoever looks for faults finds none in it; so is, as
/// if there were no padding, the row that is zero by definition.
class LiveTable final : public TableUnderTest {
 public:
  /// \param answers of one role, of the table's width; shared by all that ask
  LiveTable(std::shared_ptr<LiveAnswers> answers, const TrigTable& table);

  Format stored() const override { return stand_in_->stored(); }
  std::size_t columns() const override { return stand_in_->columns(); }
  void row(std::int64_t position, std::span<double> out) const override;

 private:
  std::shared_ptr<LiveAnswers> answers_;
  std::optional<std::int64_t> zero_position_;
  std::unique_ptr<TableUnderTest> stand_in_;
};

/// RoPE's rotation of one vector as a live implementation answers it; stood in for in the same way.
class LiveRotation final : public RotationUnderTest {
 public:
  /// How the implementation is asked.
  enum class Means {
    rotated,   ///< for the rotated vector, of the role "rotated"
    gradient,  ///< for the same and for "input_gradient" of the same vector: it is the latter
    both,      ///< the same: it is the former
    tables     ///< for cos and sin of the position; the vector is turned by them in float64
  };
  /// \param answers of the roles that the means needs: see roles()
  LiveRotation(std::shared_ptr<LiveAnswers> answers, RopeSpec spec, Means means);

  /// \param width of cos and sin: the pairs, or the rotating dimensions, both of a pair holding the same
  static std::vector<AskedRole> roles(const RopeSpec& spec, Means means, std::size_t width);

  Format stored() const override { return stand_in_->stored(); }
  std::size_t head_dim() const override { return stand_in_->head_dim(); }
  void rotate(std::int64_t position, std::span<const double> x, std::span<double> y) const override;

 private:
  /// One value a pair of a row that may have one a dimension.
  std::vector<double> by_pair(std::span<const double> row) const;

  std::shared_ptr<LiveAnswers> answers_;
  RopeSpec spec_;
  Means means_;
  std::unique_ptr<RotationUnderTest> stand_in_;
};

}  // namespace vernier
