#include "numerics/searches/single_sine_errors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/recipes/single_sines/single_sines.hpp"
#include "numerics/searches/octant_point.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

constexpr std::uint64_t bits_of_limit = std::bit_cast<std::uint32_t>(0x1p31F);
constexpr std::size_t at_once = 1024;
/// Arguments of one task.
constexpr std::uint64_t task = std::uint64_t{1} << 20;

constexpr double quarter_turns = 2 / std::numbers::pi;
constexpr double half_pi_high = 0x1.921fbp+0;
constexpr double half_pi_middle = 0x1.5110bp-22;
constexpr double half_pi_low = 0x1.18469898cc517p-44;
constexpr double integer_shifter = 0x1.8p52;  ///< rounds what is added to it
constexpr double least_reduced = std::numbers::pi / 4;
constexpr auto exponent_bits = std::uint64_t{0x7ff} << 52;

double smallest_ulp() {
  return traits(Format::binary32).smallest();
}

/// In the unit that its argument has.
double in_units(double error, double argument, double value) {
  return argument < least_reduced ? error / ulp_at(Format::binary32, value)
                                  : error / traits(Format::binary32).unit_roundoff();
}

/// The truth of each argument.
void true_components(std::span<const double> arguments, std::span<double> sines, std::span<double> cosines) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const double x = arguments[i];
    const double shifted = x * quarter_turns + integer_shifter;
    const double turns = shifted - integer_shifter;
    const double r = ((x - turns * half_pi_high) - turns * half_pi_middle) - turns * half_pi_low;
    const auto [s, c] = octant_point(r);
    const auto k = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(integer_shifter);
    const double sine = (k & 1) != 0 ? c : s;
    const double cosine = (k & 1) != 0 ? s : c;
    sines[i] = (k & 2) != 0 ? -sine : sine;
    cosines[i] = ((k + 1) & 2) != 0 ? -cosine : cosine;
  }
}

/// The greatest error of a block, in the unit of each. \param computed, expected of the same arguments
double greatest(std::span<const double> arguments, std::span<const double> computed,
                std::span<const double> expected) {
  const double roundoffs = 1 / traits(Format::binary32).unit_roundoff();
  double result = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const double error = std::fabs(computed[i] - expected[i]);
    // 2^e of the value: an ulp is 2^-23 of it, and u half of that.
    const double binade = std::bit_cast<double>(std::bit_cast<std::uint64_t>(expected[i]) & exponent_bits);
    const double ulps = error / std::max(binade * 0x1p-23, smallest_ulp());
    const double units = arguments[i] < least_reduced ? ulps : error * roundoffs;
    result = units > result || std::isnan(units) ? units : result;  // a NaN stays
  }
  return result;
}

/// The error at the place that was found, in intervals.
void certify(SineError& worst, const SingleSines& of) {
  const auto argument = static_cast<double>(worst.argument);
  double sine = 0;
  double cosine = 0;
  of({&argument, 1}, {&sine, 1}, {&cosine, 1});
  const bool is_sine = worst.component == Component::sine;
  const double value = is_sine ? sine : cosine;
  if (std::isfinite(value)) {
    const WorkingPrecision precision(128);
    const Interval exact = enclose(argument);
    const Interval truth = is_sine ? Interval(sin(exact)) : Interval(cos(exact));
    worst.error = in_units(greatest_magnitude(Interval(truth - enclose(value))), argument, middle(truth));
  }
}

/// What one task looks at.
class Look {
 public:
  Look(const SingleSines& of, std::uint32_t step) : of_(of), step_(step) {}

  /// Arguments of the indices [first, end).
  void at(std::uint64_t first, std::uint64_t end) {
    for (auto begin = first; begin < end; begin += at_once) {
      block(begin, std::min(begin + at_once, end));
    }
  }

  SingleSineErrors found;

 private:
  void block(std::uint64_t first, std::uint64_t end) {
    const auto count = static_cast<std::size_t>(end - first);
    const auto part = [count](auto& all) { return std::span(all).first(count); };
    for (std::size_t i = 0; i < count; ++i) {
      arguments_[i] =
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>((first + i) * step_)));
    }
    of_(part(arguments_), part(sines_), part(cosines_));
    true_components(part(arguments_), part(true_sines_), part(true_cosines_));
    found.arguments += count;
    // A block lies on one side of pi/4, or holds it.
    const auto& low = found.unreduced.error;
    const auto& high = found.reduced.error;
    const double least = arguments_[count - 1] < least_reduced ? low
                         : arguments_[0] >= least_reduced      ? high
                                                               : std::min(low, high);
    for (const auto component : {Component::sine, Component::cosine}) {
      const bool is_sine = component == Component::sine;
      const auto computed = is_sine ? part(sines_) : part(cosines_);
      const auto expected = is_sine ? part(true_sines_) : part(true_cosines_);
      if (!(greatest(part(arguments_), computed, expected) <= least)) {
        note(component, computed, expected, count);
      }
    }
  }

  void note(Component component, std::span<const double> computed, std::span<const double> expected,
            std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      auto& record = arguments_[i] < least_reduced ? found.unreduced : found.reduced;
      const double error = in_units(std::fabs(computed[i] - expected[i]), arguments_[i], expected[i]);
      if (!(error <= record.error)) {
        const double told = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
        record = {told, static_cast<float>(arguments_[i]), component};
      }
    }
  }

  const SingleSines& of_;
  std::uint32_t step_;
  std::array<double, at_once> arguments_;
  std::array<double, at_once> sines_;
  std::array<double, at_once> cosines_;
  std::array<double, at_once> true_sines_;
  std::array<double, at_once> true_cosines_;
};

/// The greater error; of equal ones that of the lesser argument, so that the order of tasks does not matter.
void take(SineError& best, const SineError& other) {
  if (other.error > best.error || (other.error == best.error && other.argument < best.argument)) {
    best = other;
  }
}

}  // namespace

SingleSineErrors single_sine_errors(std::uint32_t step, unsigned threads, const SingleSines& of) {
  const std::uint64_t count = bits_of_limit / step + 1;
  const auto tasks = (count + task - 1) / task;
  SingleSineErrors result;
  std::mutex merging;
  with_threads(threads, [&] {
    oneapi::tbb::parallel_for(std::uint64_t{0}, tasks, [&](std::uint64_t index) {
      Look look(of, step);
      look.at(index * task, std::min((index + 1) * task, count));
      const std::lock_guard lock(merging);
      result.arguments += look.found.arguments;
      take(result.unreduced, look.found.unreduced);
      take(result.reduced, look.found.reduced);
    });
  });
  certify(result.unreduced, of);
  certify(result.reduced, of);
  return result;
}

SingleSineErrors single_sine_errors(std::uint32_t step, unsigned threads) {
  return single_sine_errors(step, threads, single_sines_cosines);
}

}  // namespace vernier
