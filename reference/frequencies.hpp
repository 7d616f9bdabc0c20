#pragma once

#include <concepts>
#include <utility>
#include <variant>
#include <vector>

#include "reference/geometric_frequencies.hpp"
#include "reference/interval.hpp"
#include "reference/rational.hpp"
#include "reference/scaled_frequencies.hpp"

namespace vernier {

/// Frequencies that a spec lists one by one.
struct ListedFrequencies {
  std::vector<Rational> values;  ///< each > 0, at least one

  int size() const { return static_cast<int>(values.size()); }
  const Rational& value(int pair) const { return values[static_cast<std::size_t>(pair)]; }
  Interval at(int pair) const;
  std::vector<Interval> enclosures() const;
  double approximate(int pair) const;
  double log_magnitude(int pair) const;
  bool is_one(int pair) const { return value(pair) == 1; }
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
  bool operator==(const PowerFrequencies&) const = default;
};

/// The frequencies of several axes, one axis behind the other.
struct JoinedFrequencies {
  std::vector<ScaledFrequencies> parts;  ///< at least one

  /// The part that a pair belongs to, and its number within the part. \param pair in [0, size())
  std::pair<const ScaledFrequencies*, int> part_of(int pair) const;
  int size() const;
  Interval at(int pair) const;
  std::vector<Interval> enclosures() const;
  double approximate(int pair) const;
  double log_magnitude(int pair) const;
  bool is_one(int pair) const;
  bool operator==(const JoinedFrequencies&) const = default;
};

/// The frequencies of all pairs of a table, in radians a position, of any family: each is a type with the
/// members that the ones above have, and one entry of `Family`.
class Frequencies {
 public:
  using Family = std::variant<GeometricFrequencies, ListedFrequencies, PowerFrequencies, ScaledFrequencies,
                              JoinedFrequencies>;

  Frequencies() = default;
  template <class Member>
  requires std::constructible_from<Family, Member> Frequencies(Member member) : family_(std::move(member)) {}

  /// How many there are.
  int pairs() const;
  /// An enclosure of w_i at the working precision. \param pair in [0, pairs())
  Interval at(int pair) const;
  /// Enclosures of all w_i at the working precision, in whatever way is quick for the family.
  std::vector<Interval> enclosures() const;
  /// w_i to a few ulp of double: for budgets, which have slack.
  double approximate(int pair) const;
  /// |ln w_i| to a few ulp of double; infinite for w_i = 0.
  double log_magnitude(int pair) const;
  /// Whether w_i is one, exactly.
  bool is_one(int pair) const;

  bool operator==(const Frequencies&) const = default;

  const Family& family() const { return family_; }
  /// The geometric progression they are, or null.
  const GeometricFrequencies* geometric() const { return std::get_if<GeometricFrequencies>(&family_); }
  /// What a RoPE scaling made of a progression, or null.
  const ScaledFrequencies* scaled() const { return std::get_if<ScaledFrequencies>(&family_); }

 private:
  Family family_;
};

}  // namespace vernier
