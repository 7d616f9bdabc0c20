#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "reference/frequencies/frequency_families.hpp"
#include "reference/frequencies/rope_scaling/rope_scaling.hpp"
#include "reference/numbers/constant.hpp"
#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// The positions at which the phase of a pair is a multiple of a twelfth of a turn: the only ones at which
/// its sine or its cosine may be rational (Niven's theorem), and thus what no interval decides.
class RationalAngles {
 public:
  /// Of a frequency that is no rational multiple of pi: position 0 alone.
  RationalAngles() = default;
  explicit RationalAngles(const Constant& frequency);

  /// The number of twelfths of a turn, in [0, 12), that the phase is at a position, if it is a whole one.
  std::optional<int> twelfths(std::int64_t position) const {
    if (position == 0) {
      return 0;
    }
    return every_ == 0 || position % every_ != 0 ? std::nullopt : std::optional(of_multiple(position));
  }
  /// Whether there are any but position 0.
  bool recur() const { return every_ != 0; }

 private:
  int of_multiple(std::int64_t position) const;

  std::int64_t every_ = 0;  ///< 0 if position 0 is the only one
  int of_first_ = 0;        ///< the twelfths at `every_`
};

/// The sine of so many twelfths of a turn where it is rational; of three more it is the cosine.
std::optional<Rational> rational_sine(int twelfths);

/// The frequencies that a RoPE scaling makes of a geometric progression: each times the scaling's multiplier,
/// which may be zero.
struct ScaledFrequencies {
  GeometricFrequencies unscaled;
  RopeScaling scaling;

  int size() const { return unscaled.pairs; }
  Interval multiplier(int pair) const {
    return std::visit([&](const auto& rule) { return multiplier_of(rule, unscaled, pair); }, scaling);
  }
  PairTreatment treatment(int pair) const {
    return std::visit([&](const auto& rule) { return treatment_of(rule, unscaled, pair); }, scaling);
  }
  Interval at(int pair) const { return unscaled.at(pair) * multiplier(pair); }
  std::vector<Interval> enclosures() const;
  double approximate(int pair) const;
  bool is_one(int pair) const { return unscaled.is_one(pair) && treatment(pair) == PairTreatment::unchanged; }
  /// w_i if it is known to be rational, or that times a power of pi.
  std::optional<Constant> exact(int pair) const;
  bool operator==(const ScaledFrequencies&) const = default;
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
/// position. They are of any family: each is a type with the members that ListedFrequencies has, and one
/// entry of `Family`; log_magnitude and enclosures are members where the family has them quicker, or closer,
/// than pair by pair. A scale, which implementations compute with, may multiply them all, and what a place is
/// of a position, which nobody computes.
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
  int pairs() const {
    return std::visit([](const auto& family) { return family.size(); }, family_);
  }
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
