#pragma once

#include <optional>
#include <string>

#include "reference/numbers/interval.hpp"

namespace vernier {

/// Something a law says is zero, enclosed.
struct Residual {
  std::string where;  ///< "pair 3, sine"
  double lower = 0;   ///< ends of the enclosure, rounded outward
  double upper = 0;
  double scale = 0;  ///< the size of the terms that should cancel
  /// |middle| / radius: more than 1 excludes zero. Infinite where a comparison of exact values failed.
  double budget_ratio = 0;

  bool excludes_zero() const { return budget_ratio > 1; }
};

/// "pair 3, sine: residual in [0.12, 0.13] excludes 0"
std::string to_string(const Residual& residual);

/// What a law found about one case. The rule is always the same: the enclosure of a residual must contain
/// zero. A case is conclusive only if every residual's radius is at most a quarter of its scale, so that a
/// fault of that size would show.
class Judgement {
 public:
  /// Judges one residual. \param scale >= 0
  void must_vanish(const Interval& residual, double scale, const char* what, std::ptrdiff_t index);
  /// Judges a statement about exact values, such as bits.
  void must_hold(bool statement, const char* what, std::ptrdiff_t index);
  /// Some element's budget proves nothing.
  void mark_inconclusive() { conclusive_ = false; }
  /// The case does not say anything: it lies outside the law.
  void mark_outside() { outside_ = true; }

  bool failed() const { return worst_ && worst_->excludes_zero(); }
  bool conclusive() const { return conclusive_; }
  bool outside() const { return outside_; }
  /// The residual that uses most of what it is allowed, if any was judged.
  const std::optional<Residual>& worst() const { return worst_; }

 private:
  std::optional<Residual> worst_;
  bool conclusive_ = true;
  bool outside_ = false;
};

}  // namespace vernier
