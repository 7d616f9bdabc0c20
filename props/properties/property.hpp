#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "props/properties/bias_view.hpp"
#include "props/properties/bucket_view.hpp"
#include "props/properties/turn_view.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// What a property found in what it looked at.
class PropertyTally {
 public:
  /// Names and values that tell where something is: {"key", "12"}.
  using Place = std::vector<std::pair<std::string, std::string>>;

  /// Judges a number that the property says is zero.
  ///
  /// It proves nothing, and counts as undecided, where it may honestly be more than a quarter of the terms
  /// that should cancel: a fault of their size would not show.
  /// \param allowed the most that its magnitude may be if the contract is kept, roundings of this computation
  /// included \param size of the terms that cancel \param place tells where it is
  template <class Tell>
  void must_vanish(double residual, double allowed, double size, const Tell& place) {
    const double magnitude = residual < 0 ? -residual : residual;
    if (!(allowed <= size / 4) || !(magnitude < unbounded)) {
      ++undecided_;
      return;
    }
    add(magnitude <= allowed, allowed > 0 ? magnitude / allowed : 0, place);
  }

  /// Judges a statement about exact values.
  template <class Tell>
  void must_hold(bool statement, const Tell& place) {
    add(statement, 0, place);
  }

  std::uint64_t judged() const { return judged_; }
  std::uint64_t undecided() const { return undecided_; }
  std::uint64_t failing() const { return failing_; }
  /// The greatest share of what it is allowed that anything uses: more than 1 fails.
  double greatest_used() const { return greatest_used_; }
  /// Where the property fails first; empty if it does not.
  const Place& counterexample() const { return counterexample_; }

  /// \param other what was found in other tensors
  void merge(const PropertyTally& other);

 private:
  static constexpr double unbounded = 0x1p1000;

  template <class Tell>
  void add(bool holds, double used, const Tell& place) {
    ++judged_;
    greatest_used_ = used > greatest_used_ ? used : greatest_used_;
    if (!holds && failing_++ == 0) {
      counterexample_ = place();
    }
  }

  std::uint64_t judged_ = 0;
  std::uint64_t undecided_ = 0;
  std::uint64_t failing_ = 0;
  double greatest_used_ = 0;
  Place counterexample_;
};

/// A property of positional encodings that is judged on what anybody stored or answered, through a view: what
/// it sees of it. It knows no scheme: any encoding that has such a view, and meets the hypotheses, has it.
struct Property {
  std::string_view id;              ///< stable, the last part of a check's: "one-line"
  std::string_view name;            ///< "Biases lie on one line"
  std::string_view statement;       ///< the mathematics, in plain text
  std::string_view hypotheses;      ///< of which encodings it is required
  std::string_view citation;        ///< paper or theorem
  std::string_view counterexample;  ///< what one looks like, and what it means for a model

  using JudgeBuckets = void (*)(const BucketView& view, PropertyTally& tally);
  using JudgeBiases = void (*)(const BiasView& view, PropertyTally& tally);
  using JudgeTurns = void (*)(const TurnView& view, PropertyTally& tally);
  std::variant<JudgeBuckets, JudgeBiases, JudgeTurns> judge;
};

/// All properties that are judged through views, as listed below.
std::span<const Property> properties();

/// The property of this id, if there is one.
const Property* property_named(std::string_view id);

/// Every property. A new one is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(property_makers, Property,
    same_bucket_property,  // buckets.cpp
    bucket_order_property,  // buckets.cpp
    bucket_saturation_property,  // buckets.cpp
    bucket_antisymmetry_property,  // buckets.cpp
    bucket_sides_property,  // buckets.cpp
    bias_offset_property,  // biases.cpp
    bias_line_property,  // biases.cpp
    bias_decay_property,  // biases.cpp
    bias_zero_property,  // biases.cpp
    bias_ratio_property,  // biases.cpp
    unit_norm_property,  // turns.cpp
    turn_offset_property,  // turns.cpp
    turn_position_property,  // turns.cpp
    turn_keys_property);  // turns.cpp
// clang-format on

}  // namespace vernier
