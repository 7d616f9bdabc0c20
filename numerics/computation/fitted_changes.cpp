// Numbers of the spec, fitted to the tensors.

#include <cmath>
#include <functional>
#include <utility>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/computation/spec_changes.hpp"
#include "numerics/computation/spec_patch.hpp"

namespace vernier {
namespace {

/// As far around the best quarter of an octave as its neighbours.
constexpr double octaves_of_sections = 0.25;

/// Fits one number.
class NumberFit {
 public:
  /// \param number of `spec`
  NumberFit(const SpecMisfit& misfit, const OrderedJson& spec, const SpecNumber& number)
      : misfit_(misfit), spec_(spec), number_(number) {}

  /// Values that are much nearer than the declared one, which is off by so much.
  std::vector<double> run(double declared_misfit) const {
    constexpr double much_nearer = 0.25;  // what is proposed has to predict every element anyway
    const double best = nearest();
    if (!(at(best) <= much_nearer * declared_misfit)) {
      return {};
    }
    if (number_.is_whole) {
      return {roundest_near(std::round(best))};
    }
    std::vector<double> result;
    for (const double tolerance : {1e-3, 2e-5, 1e-8}) {  // as exactly as it was measured
      const auto decimal = shortest_decimal(best, tolerance, 12);
      if (decimal && (result.empty() || result.back() != *decimal)) {
        result.push_back(*decimal);
      }
    }
    return result;
  }

  /// By golden sections, so many octaves around a value.
  double by_sections(double value, double octaves, int sections) const {
    constexpr double golden = 0.6180339887498949;
    const auto by = [&](double shift) { return value * std::exp2(shift); };
    double low = -octaves;
    double high = octaves;
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

  /// The best of the powers of two that people write.
  double best_power() const {
    constexpr int first = -4;
    constexpr int last = 20;
    double best = number_.value;
    double least = at(best);
    for (int power = first; power <= last; ++power) {
      if (const double one = at(std::exp2(power)); one < least) {
        least = one;
        best = std::exp2(power);
      }
    }
    return best;
  }

 private:
  double at(double value) const { return misfit_(patched_spec(spec_, number_.replaced(value))); }

  /// The best of an octave's quarters over ten octaves, then by golden sections.
  double nearest() const {
    constexpr int quarters = 20;
    double best = 0;
    double least = at(number_.value);
    for (int quarter = -quarters; quarter <= quarters; ++quarter) {
      const double one = at(number_.value * std::exp2(0.25 * quarter));
      if (one < least) {
        least = one;
        best = 0.25 * quarter;
      }
    }
    return by_sections(number_.value * std::exp2(best), octaves_of_sections, 40);
  }

  /// Of whole numbers as near as this one the one that takes least to say.
  double roundest_near(double value) const {
    // The sections may have stopped beside the best. The range ends what is nearer the larger it is.
    constexpr double first_step = 16;
    const double least = std::exp2(-octaves_of_sections) * value - first_step;
    const double greatest = std::exp2(octaves_of_sections) * value + first_step;
    double nearest = at(value);
    const auto take_if_nearer = [&](double next) {
      const double misfit = least <= next && next <= greatest ? at(next) : nearest;
      value = misfit < nearest ? next : value;
      return misfit < std::exchange(nearest, misfit < nearest ? misfit : nearest);
    };
    for (double step = first_step; step >= 1;) {
      step = take_if_nearer(value - step) || take_if_nearer(value + step) ? 2 * step : std::floor(step / 2);
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
      return power;
    }
    for (double unit = std::pow(10.0, std::floor(std::log10(high))); unit > 1; unit /= 10) {
      if (std::floor(high / unit) * unit >= low) {
        return std::floor(high / unit) * unit;
      }
    }
    return value;
  }

  const SpecMisfit& misfit_;
  const OrderedJson& spec_;
  const SpecNumber& number_;
};

}  // namespace

std::vector<SpecChange> fitted_changes(const Encoding& declared, const SpecMisfit& misfit,
                                       const std::function<bool(std::string_view path)>& is_fitted) {
  std::vector<SpecChange> changes;
  const auto spec = declared.spec();
  const double declared_misfit = misfit(spec);
  for (const auto& number : numbers_of(declared)) {
    if ((number.value > 0 || (number.value < 0 && !number.is_whole)) && is_fitted(number.path)) {
      for (const double value : NumberFit(misfit, spec, number).run(declared_misfit)) {
        std::shared_ptr<const Encoding> other = patched(declared, number.replaced(value));
        if (other != nullptr && other->spec() != spec) {
          changes.push_back(change_between(declared, std::move(other), ChangedValue::any));
        }
      }
    }
  }
  return changes;
}

std::optional<SpecChange> fitted_together(const Encoding& declared, const Encoding& start,
                                          const SpecMisfit& misfit,
                                          const std::function<bool(std::string_view path)>& is_fitted) {
  constexpr int rounds = 6;
  constexpr int sections = 24;
  constexpr double next_to = 1e-6;  // of what the declared spec is off by; the proof is its prediction
  struct Fitted {
    OrderedJson spec;
    double misfit;
  };
  const double most = next_to * misfit(declared.spec());
  Fitted current{start.spec(), misfit(start.spec())};
  const auto with = [&](const SpecNumber& number, double value) -> Fitted {
    auto spec = patched_spec(current.spec, number.replaced(value));
    const double off_by = misfit(spec);
    return {std::move(spec), off_by};
  };
  const auto fitted = [&] {
    auto numbers = numbers_of(*encoding_of(current.spec));
    std::erase_if(numbers, [&](const SpecNumber& number) {
      return !number.is_there || !(number.value > 0) || !is_fitted(number.path);
    });
    return numbers;
  };
  // A number that becomes what the spec has without it, or zero, is no longer among them.
  const auto count = fitted().size();
  const auto fitted_number = [&](std::size_t i) {
    const auto numbers = fitted();
    return i < numbers.size() ? std::optional(numbers[i]) : std::nullopt;
  };
  const auto is_near = [&] { return current.misfit <= most; };
  for (std::size_t i = 0; i < 2 * count && !is_near(); ++i) {  // first the number that helps most
    Fitted best = current;
    for (const auto& number : fitted()) {
      auto other = with(number, NumberFit(misfit, current.spec, number).best_power());
      if (other.misfit < best.misfit) {
        best = std::move(other);
      }
    }
    if (best.misfit >= current.misfit) {
      break;
    }
    current = std::move(best);
  }
  for (int round = 0; round < rounds && !is_near(); ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      if (const auto number = fitted_number(i)) {
        const NumberFit fit(misfit, current.spec, *number);
        auto other = with(*number, fit.by_sections(number->value, round == 0 ? 1 : 0.1, sections));
        if (other.misfit < current.misfit) {  // where a whole range does as well, what is there stays
          current = std::move(other);
        }
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = fitted_number(i);
    if (const auto decimal = number ? shortest_decimal(number->value, 1e-4) : std::nullopt) {
      if (auto other = with(*number, *decimal); other.misfit <= most) {
        current = std::move(other);
      }
    }
  }
  if (!is_near()) {
    return std::nullopt;
  }
  return change_between(declared, encoding_of(current.spec), ChangedValue::any);
}

}  // namespace vernier
