#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "numerics/budgets/conclusive.hpp"

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
    if (proves_nothing(allowed, size) || !(magnitude < unbounded)) {
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
  double greatest_budget_ratio() const { return greatest_budget_ratio_; }
  /// Where the property fails first; empty if it does not.
  const Place& counterexample() const { return counterexample_; }

  /// \param other what was found in other tensors
  void merge(const PropertyTally& other);

 private:
  static constexpr double unbounded = 0x1p1000;

  template <class Tell>
  void add(bool holds, double budget_ratio, const Tell& place) {
    ++judged_;
    greatest_budget_ratio_ = budget_ratio > greatest_budget_ratio_ ? budget_ratio : greatest_budget_ratio_;
    if (!holds && failing_++ == 0) {
      counterexample_ = place();
    }
  }

  std::uint64_t judged_ = 0;
  std::uint64_t undecided_ = 0;
  std::uint64_t failing_ = 0;
  double greatest_budget_ratio_ = 0;
  Place counterexample_;
};

}  // namespace vernier
