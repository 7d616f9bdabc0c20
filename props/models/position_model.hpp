#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "props/judging/interval_view.hpp"
#include "props/judging/method.hpp"

namespace vernier {

/// What the matrix says of a property and a scheme.
enum class Answer {
  yes,
  no,
  conditional,     ///< yes for some members of the scheme or under a condition, no otherwise
  not_applicable,  ///< the scheme has nothing the property speaks of
  undecided        ///< neither proved nor broken, or both: a fault of the matrix
};

inline constexpr std::array<std::string_view, 5> answer_names{"yes", "no", "conditional", "-", "undecided"};

inline std::string_view name_of(Answer answer) {
  return answer_names[static_cast<std::size_t>(answer)];
}

/// An answer and what it rests on.
struct Justification {
  Answer answer = Answer::undecided;
  Method method = Method::exact;
  std::string told;  ///< the reason, with its figures
};

/// What is known of a property if a condition holds.
struct KnownAnswer {
  std::string_view property;  ///< its id
  Answer answer;
  std::string told;
  bool applies = true;
  Method method = Method::exact;
};

/// The first of a property's answers that applies.
std::optional<Justification> known_answer(std::string_view property,
                                          std::initializer_list<KnownAnswer> known);

/// Positions lowest .. highest.
struct PositionWindow {
  std::int64_t lowest = -(std::int64_t{1} << 20);
  std::int64_t highest = std::int64_t{1} << 20;

  bool holds(std::int64_t position) const { return position >= lowest && position <= highest; }
};

/// One member of a scheme (a width, a base, a number of buckets chosen), as the matrix of properties sees it:
/// what it gives for positions, and what theorems say of it. Enclosures have the precision in force, which
/// must not change during a model's life.
class PositionModel {
 public:
  PositionModel() = default;
  PositionModel(const PositionModel&) = delete;
  PositionModel& operator=(const PositionModel&) = delete;
  virtual ~PositionModel() = default;

  /// Where the member is defined, as far as positions are tried.
  virtual PositionWindow window() const { return {}; }
  /// The code of a position; for relative schemes, what they give an offset (key less query). Of one size.
  /// \param position in window()
  virtual IntervalVector code(std::int64_t position) const = 0;
  /// What positions alone add to, or make of, the attention score of a query and a key: for absolute codes
  /// their dot product. Up to a constant for each query, which the softmax does not see.
  /// \param query, key in window()
  virtual Interval score(std::int64_t query, std::int64_t key) const = 0;
  /// The member for a text of another length, where its definition depends on that.
  virtual std::unique_ptr<PositionModel> at_length(std::int64_t /*length*/) const { return nullptr; }
  /// What |code| never exceeds, by the definition or, for want of that, among the positions it was seen at.
  virtual std::optional<Interval> bound() const = 0;
  /// What |code(t + 1) - code(t)| never exceeds, if the code is a Lipschitz function of a real position.
  virtual std::optional<Interval> lipschitz() const = 0;
  /// What a theorem whose hypotheses this member meets, or exact arithmetic on its definition, says.
  /// \param property an id of matrix_properties() \returns nothing if only a search can tell
  virtual std::optional<Justification> justification(std::string_view property) const = 0;
};

}  // namespace vernier
