#pragma once

#include <concepts>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "reference/bounded_frequencies.hpp"
#include "reference/constant.hpp"
#include "reference/geometric_frequencies.hpp"
#include "reference/interval.hpp"
#include "reference/rational.hpp"
#include "reference/rational_angles.hpp"
#include "reference/scaled_frequencies.hpp"

namespace vernier {

/// Frequencies that a spec lists one by one.
struct ListedFrequencies {
  std::vector<Rational> values;  ///< at least one; learned ones may be 0 or less

  int size() const { return static_cast<int>(values.size()); }
  const Rational& value(int pair) const { return values[static_cast<std::size_t>(pair)]; }
  Interval at(int pair) const;
  std::vector<Interval> enclosures() const;
  double approximate(int pair) const;
  double log_magnitude(int pair) const;
  bool is_one(int pair) const { return value(pair) == 1; }
  std::optional<Rational> exact(int pair) const { return value(pair); }
  bool operator==(const ListedFrequencies&) const = default;
};

/// The frequencies w_i = (i/pairs)^exponent, i = 0 .. pairs-1: samples of t^exponent on [0, 1). w_0 = 0.
struct PowerFrequencies {
  Rational exponent;  ///< > 0
  int pairs = 0;      ///< >= 1

  int size() const { return pairs; }
  Interval at(int pair) const;
  std::vector<Interval> enclosures() const;
  double approximate(int pair) const;
  double log_magnitude(int pair) const;
  bool is_one(int) const { return false; }
  /// w_i if it is known to be rational.
  std::optional<Rational> exact(int pair) const {
    return pair == 0 ? std::optional(Rational(0)) : std::nullopt;
  }
  bool operator==(const PowerFrequencies&) const = default;
};

class Frequencies;

/// The frequencies of several axes, one axis behind the other, each in radians a place of its axis.
struct JoinedFrequencies {
  std::vector<Frequencies> parts;  ///< at least one

  /// The part that a pair belongs to, and its number within the part. \param pair in [0, size())
  std::pair<const Frequencies*, int> part_of(int pair) const;
  int size() const;
  Interval at(int pair) const;
  std::vector<Interval> enclosures() const;
  double approximate(int pair) const;
  double log_magnitude(int pair) const;
  bool is_one(int pair) const;
  /// w_i if it is known to be rational, or that times a power of pi.
  std::optional<Constant> exact(int pair) const;
  bool operator==(const JoinedFrequencies& other) const;
};

/// The frequencies of all pairs of a table, in radians a place (position_map.hpp), which without a map is a
/// position. They are of any family: each is a type with the members that the ones above have, and one entry
/// of `Family`. A scale, which implementations compute with, may multiply them all, and what a place is of a
/// position, which nobody computes.
class Frequencies {
 public:
  using Family = std::variant<GeometricFrequencies, ListedFrequencies, PowerFrequencies, BoundedFrequencies,
                              ScaledFrequencies, JoinedFrequencies>;

  Frequencies() = default;
  template <class Member>
  requires std::constructible_from<Family, Member> Frequencies(Member member) : family_(std::move(member)) {}
  /// \param scale of every frequency  \param place what one place is of a position  Both > 0
  Frequencies(Family family, Constant scale, const Constant& place);

  /// How many there are.
  int pairs() const;
  /// An enclosure of w_i at the working precision. \param pair in [0, pairs())
  Interval at(int pair) const;
  /// Enclosures of all w_i at the working precision, in whatever way is quick for the family.
  std::vector<Interval> enclosures() const;
  /// |w_i| to a few ulp of double: for budgets, which have slack.
  double approximate(int pair) const;
  /// |ln w_i| to a few ulp of double; infinite for w_i = 0.
  double log_magnitude(int pair) const;
  /// Whether w_i is one, exactly and in every computation.
  bool is_one(int pair) const;
  /// w_i if it is known to be rational, or that times a power of pi.
  std::optional<Constant> exact(int pair) const;
  /// The positions at which sine or cosine of the pair may be rational.
  RationalAngles rational_angles(int pair) const;

  bool operator==(const Frequencies&) const = default;

  /// What they are before `scale`, in radians a position.
  const Family& family() const { return family_; }
  const Constant& scale() const { return scale_; }
  /// The geometric progression they are, or null.
  const GeometricFrequencies* geometric() const { return member<GeometricFrequencies>(); }
  /// What a RoPE scaling made of a progression, or null.
  const ScaledFrequencies* scaled() const { return member<ScaledFrequencies>(); }

 private:
  bool are_family() const { return multiplier_.is_one(); }
  template <class Member>
  const Member* member() const {
    return are_family() ? std::get_if<Member>(&family_) : nullptr;
  }

  Family family_;
  Constant scale_;
  Constant multiplier_;  ///< of the family's frequencies: the scale and the place
  double approximate_multiplier_ = 1;
};

}  // namespace vernier
