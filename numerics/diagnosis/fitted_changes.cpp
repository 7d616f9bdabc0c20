// Numbers of the spec, fitted to the tensors.

#include <cmath>
#include <functional>

#include <fmt/core.h>

#include "numerics/diagnosis/description_length.hpp"
#include "numerics/diagnosis/spec_changes.hpp"
#include "numerics/diagnosis/spec_numbers.hpp"
#include "numerics/diagnosis/spec_patch.hpp"

namespace vernier {
namespace {

/// Fits one number.
class NumberFit {
 public:
  NumberFit(const SpecMisfit& misfit, const SpecNumber& number) : misfit_(misfit), number_(number) {}

  /// A value, and of whole numbers the range of those that are as near.
  struct Fitted {
    double value = 0;
    double low = value;
    double high = value;
  };

  /// Values that are much nearer than the declared one, which is off by so much.
  std::vector<Fitted> run(double declared_misfit) const {
    constexpr double much_nearer = 0.25;
    const double best = nearest();
    if (!(at(best) <= much_nearer * declared_misfit)) {
      return {};
    }
    if (number_.is_whole) {
      return {roundest_near(std::round(best))};
    }
    std::vector<Fitted> result;
    for (const double tolerance : {2e-5, 1e-8}) {
      const auto decimal = shortest_decimal(best, tolerance, 12);
      if (decimal && (result.empty() || result.back().value != *decimal)) {
        result.push_back({*decimal});
      }
    }
    return result;
  }

 private:
  double at(double value) const { return misfit_(number_.replaced(value)); }

  /// The best of an octave's quarters over ten octaves, then by golden sections.
  double nearest() const {
    const auto by = [&](double octaves) { return number_.value * std::exp2(octaves); };
    constexpr int quarters = 20;
    constexpr double golden = 0.6180339887498949;
    constexpr int sections = 40;
    double best = 0;
    double least = at(number_.value);
    for (int quarter = -quarters; quarter <= quarters; ++quarter) {
      const double one = at(by(0.25 * quarter));
      if (one < least) {
        least = one;
        best = 0.25 * quarter;
      }
    }
    double low = best - 0.25;
    double high = best + 0.25;
    double one = high - golden * (high - low);
    double other = low + golden * (high - low);
    double at_one = at(by(one));
    double at_other = at(by(other));
    for (int i = 0; i < sections; ++i) {
      if (at_one < at_other) {
        high = other;
        other = one;
        at_other = at_one;
        one = high - golden * (high - low);
        at_one = at(by(one));
      } else {
        low = one;
        one = other;
        at_one = at_other;
        other = low + golden * (high - low);
        at_other = at(by(other));
      }
    }
    return by((low + high) / 2);
  }

  /// Of whole numbers as near as this one the one that takes least to say.
  Fitted roundest_near(double value) const {
    double nearest = at(value);
    for (double step = 16; step >= 1; step /= 2) {  // sections may have stopped beside the best
      for (const double next : {value - step, value + step}) {
        if (const double one = at(next); one < nearest) {
          nearest = one;
          value = next;
          step = 32;
          break;
        }
      }
    }
    const auto is_as_near = [&](double other) { return at(other) <= nearest; };
    double low = value;
    double high = value;
    for (const double direction : {-1.0, 1.0}) {
      auto& end = direction < 0 ? low : high;
      double step = 1;
      while (step >= 1) {
        const double next = end + direction * step;
        const bool is_within = 0.5 * value < next && next < 2 * value && is_as_near(next);
        end = is_within ? next : end;
        step = is_within ? 2 * step : std::floor(step / 2);
      }
    }
    const double power = std::exp2(std::floor(std::log2(high)));
    if (power >= low) {
      return {power, low, high};
    }
    for (double unit = std::pow(10.0, std::floor(std::log10(high))); unit > 1; unit /= 10) {
      if (std::floor(high / unit) * unit >= low) {
        return {std::floor(high / unit) * unit, low, high};
      }
    }
    return {value, low, high};
  }

  const SpecMisfit& misfit_;
  const SpecNumber& number_;
};

}  // namespace

std::vector<SpecChange> fitted_changes(const Encoding& declared, const SpecMisfit& misfit,
                                       const std::function<bool(std::string_view path)>& is_fitted) {
  std::vector<SpecChange> changes;
  const double declared_misfit = misfit(OrderedJson::array());
  for (const auto& number : numbers_of(declared)) {
    if ((number.value > 0 || (number.value < 0 && !number.is_whole)) && is_fitted(number.path)) {
      for (const auto& [value, low, high] : NumberFit(misfit, number).run(declared_misfit)) {
        if (std::shared_ptr<const Encoding> other = patched(declared, number.replaced(value))) {
          changes.push_back(change_between(declared, std::move(other), ChangedValue::any));
          if (low < high) {
            changes.back().finding.sentence +=
                fmt::format(" (or any number from {:.0f} to {:.0f} does)", low, high);
          }
        }
      }
    }
  }
  return changes;
}

}  // namespace vernier
