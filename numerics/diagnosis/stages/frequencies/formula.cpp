// Frequencies by the formula with another base, other exponents or a factor.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/polish.hpp"
#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"

namespace vernier {
namespace {

/// What multiplies every frequency of a progression from 1: the spec's scale, and what a place is of a real
/// position.
double common_factor(const Clues& clues) {
  const auto& encoding = clues.suspect.encoding();
  return encoding.positions().is_plain() && !encoding.spec().contains("frequency_scale")
             ? 1
             : clues.base.frequency(0);
}

/// factor base^-((i + shift) / divisor) for every pair of the base.
void set_powers(Computation& computation, double factor, long double base, double cosine_shift,
                double sine_shift, double divisor) {
  for (std::size_t i = 0; i < computation.tones.size(); ++i) {
    const auto power = [&](double shift) {
      return factor * std::exp(-std::log(base) * (static_cast<long double>(i) + shift) / divisor);
    };
    computation.tones[i] = {power(cosine_shift), power(sine_shift)};
  }
  computation.allow_computed_frequencies();
}

/// A base that nobody wrote as a short decimal.
void propose_free_base(const Clues& clues, const FaultKind& kind,
                       const std::pair<std::string, double>& declared, double measured, Proposals& out) {
  const auto& [key, value] = declared;
  const double factor = common_factor(clues);
  const double step = -std::log(clues.base.frequency(1 % clues.base.pairs()) / factor) / std::log(value);
  if (!is_scaled(clues) && !(step > 0)) {
    return;
  }
  const auto set = [&, key = key](Computation& computation, double logarithm) {
    if (!is_scaled(clues)) {
      set_powers(computation, factor, std::exp(static_cast<long double>(logarithm)), 0, 0, 1 / step);
    } else if (const auto other = clues.suspect.declared_by(replacement(key, std::exp(logarithm)))) {
      computation.tones = other->tones;
      computation.parameters = other->parameters;
    }
  };
  const double best = polished(clues.suspect, clues.base, std::log(measured), 1e-7, set);
  propose_edit(
      clues, kind, fmt::format("the base is {:.10g}, not {}", std::exp(best), number_words(value)), real_bits,
      out, [&](Computation& computation) { set(computation, best); }, replacement(key, std::exp(best)));
}

/// What the frequencies of each axis are before the powers of a base multiply them.
std::vector<double> factors_of_axes(const Clues& clues, const SpecBase& base) {
  const bool are_own = base.axis || base.paths.size() > 1;
  return are_own ? first_frequencies(clues)
                 : std::vector<double>(clues.suspect.positions().size(), common_factor(clues));
}

void propose_other_base(const Clues& clues, const FaultKind& kind, const SpecBase& declared, Proposals& out) {
  const double value = declared.value;
  std::set<double> bases{100,    500,    1000,   2000,   5000,   10000,   20000,   50000,   100000,
                         130000, 150000, 160000, 250000, 500000, 1000000, 5000000, 8000000, 10000000};
  // Whatever a scaling does, it leaves the fast pairs alone: each tells the base.
  struct Estimate {
    double base;
    double uncertainty;  ///< relative
  };
  std::vector<Estimate> estimates;
  const auto axis_of = [&](const MeasuredPair& one) {
    return clues.base.axes[static_cast<std::size_t>(one.pair)];
  };
  auto all = measured_pairs(clues);
  std::erase_if(all,
                [&](const MeasuredPair& one) { return declared.axis && axis_of(one) != *declared.axis; });
  const auto factors = factors_of_axes(clues, declared);
  for (const auto& one : all) {
    const double factor = factors[static_cast<std::size_t>(axis_of(one))];
    const double logarithm = std::log(one.declared / factor);
    if (std::fabs(logarithm) > 1e-3) {
      const double power = std::log(value) / -logarithm;
      estimates.push_back({std::exp(-std::log(one.frequency / factor) * power), one.uncertainty * power});
    }
  }
  // Where the whole base is scaled, as NTK does, the quotient of frequencies tells it.
  const auto pairs = static_cast<double>(clues.base.tones.size());
  for (const auto& one : all) {
    if (one.pair > 0 && is_scaled(clues)) {
      const double power = pairs / one.pair;
      estimates.push_back({value * std::pow(one.declared / one.frequency, power), one.uncertainty * power});
    }
  }
  std::ranges::sort(estimates, {}, &Estimate::uncertainty);
  const auto stride = std::max<std::size_t>(1, estimates.size() / 6);
  for (std::size_t i = 0; i < estimates.size(); i += stride) {
    for (const double slack : {1.0, 0.1}) {
      if (const auto decimal = shortest_decimal(estimates[i].base, slack * estimates[i].uncertainty)) {
        bases.insert(*decimal);
      }
    }
  }
  const bool is_other = 2 * std::ranges::count_if(all, &MeasuredPair::agrees) < std::ssize(all);
  if (clues.is_thorough && !estimates.empty() && is_other && clues.suspect.positions().size() == 1) {
    propose_free_base(clues, kind, {declared.paths.front(), value}, estimates.front().base, out);
  }
  const auto of = declared.axis ? fmt::format(" of axis {}", *declared.axis) : "";
  for (const double other : bases) {
    if (other != value && other > 1) {
      propose_frequencies(
          clues, kind, fmt::format("the base{} is {}, not {}", of, number_words(other), number_words(value)),
          number_bits(other) + (declared.axis ? variant_bits : 0), declared.replaced(other), out);
    }
  }
}

void propose_base(const Clues& clues, const FaultKind& kind, Proposals& out) {
  for (const auto& base : spec_bases(clues)) {
    if (base.value > 1) {
      propose_other_base(clues, kind, base, out);
    }
  }
}

void propose_exponent(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto declared = declared_base(clues);
  const auto pairs = static_cast<double>(clues.base.tones.size());
  if (!declared || is_scaled(clues) || pairs < 2 || clues.suspect.positions().size() > 1) {
    return;
  }
  const double value = declared->second;
  const double factor = common_factor(clues);
  const double step = -std::log(clues.base.frequency(1) / factor) / std::log(value);
  const double divisor = std::round(2 / step) / 2;  // the declared one, a multiple of a half
  const auto spec = clues.suspect.encoding().spec();
  const auto propose = [&](std::string sentence, double bits, double cosine_shift, double sine_shift,
                           double other_divisor, const OrderedJson& patch = nullptr) {
    propose_edit(
        clues, kind, std::move(sentence), bits, out,
        [&](Computation& computation) {
          set_powers(computation, factor, value, cosine_shift, sine_shift, other_divisor);
        },
        patch);
  };
  const auto divided = [&](double other, double bits) {
    std::vector<OrderedJson> patches;
    if (spec.contains("frequency")) {
      patches = {replacement("frequency", "paper"), replacement("frequency", "tensor2tensor"),
                 replacement("downscale_freq_shift", json_number(pairs - other))};
    }
    const auto has_these = std::ranges::find_if(patches, [&](const OrderedJson& patch) {
      const auto frequencies = clues.suspect.frequencies_by(patch);
      return frequencies && frequencies->size() == clues.base.tones.size() &&
             std::fabs(std::log(frequencies->at(0) / frequencies->at(1)) / std::log(value) * other - 1) <
                 1e-9;
    });
    const auto patch = has_these == patches.end() ? nullptr : *has_these;
    propose(fmt::format("the exponents are i/{}, not i/{}", number_words(other), number_words(divisor)),
            patch.is_null() ? bits : flag_bits, 0, 0, other, patch);
  };
  // Those that the width gives are few; one that was measured costs its digits, so that 96 is no likelier
  // than a usual base.
  std::map<double, double> divisors;
  for (const double other : {pairs, pairs - 1, pairs + 1, 2 * pairs, pairs / 2}) {
    divisors.emplace(other, variant_bits);
  }
  double shift = 0;
  // ln w = -ln b (i + shift) / divisor: two of the pairs that are known best tell both.
  const auto all = measured_pairs(clues);
  if (all.size() >= 3) {
    const auto& first = all.front();
    const auto& last = all.back();
    const double slope =
        (std::log(first.frequency) - std::log(last.frequency)) / (last.pair - first.pair) / std::log(value);
    const double halves = std::round(2 / slope) / 2;
    if (halves >= 0.5 && std::fabs(halves * slope - 1) < 1e-3) {
      divisors.emplace(halves, variant_bits + number_bits(halves));
      shift =
          std::round(2 * (-std::log(first.frequency / factor) / std::log(value) * halves - first.pair)) / 2;
    }
  }
  for (const auto& [other, bits] : divisors) {
    if (other != divisor && other > 0) {
      divided(other, bits);
      if (shift != 0) {
        propose(fmt::format("the exponents are (i {} {})/{}, not i/{}", shift < 0 ? '-' : '+',
                            number_words(std::fabs(shift)), number_words(other), number_words(divisor)),
                listed_bits, shift, shift, other);
      }
    }
  }
  for (const double one : {1.0, -1.0, 0.5}) {
    propose(fmt::format("the exponents are (i {} {})/{}, not i/{}", one < 0 ? '-' : '+',
                        number_words(std::fabs(one)), number_words(divisor), number_words(divisor)),
            variant_bits, one, one, divisor);
  }
  for (const double one : {0.5, 1.0}) {
    propose(fmt::format("the cosine's exponents are (i + {})/{}, the sine's i/{}", number_words(one),
                        number_words(divisor), number_words(divisor)),
            variant_bits, one, 0, divisor);
    propose(fmt::format("the sine's exponents are (i + {})/{}, the cosine's i/{}", number_words(one),
                        number_words(divisor), number_words(divisor)),
            variant_bits, 0, one, divisor);
  }
  // A loop that steps by two and doubles again: frequencies squared, of sine and cosine differently.
  propose(fmt::format("the sine's exponents are 2i/{}, the cosine's (2i + 1)/{}", number_words(divisor),
                      number_words(divisor)),
          variant_bits, 0.5, 0, divisor / 2);
  propose(fmt::format("the sine's exponents are 2i/{}, the cosine's (2i + 2)/{}", number_words(divisor),
                      number_words(divisor)),
          variant_bits, 1, 0, divisor / 2);
}

void propose_head_dim(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto declared = declared_base(clues);
  const auto spec = clues.suspect.encoding().spec();
  if (!declared || is_scaled(clues) || !spec.contains("head_dim")) {
    return;
  }
  const auto head = spec.at("head_dim").get<double>();
  const auto rotary = 2 * static_cast<double>(clues.base.tones.size());
  if (rotary < head) {
    propose_edit(clues, kind,
                 fmt::format("the exponents divide by head_dim, {}, not by the {} dimensions that rotate",
                             number_words(head), number_words(rotary)),
                 flag_bits, out, [&](Computation& computation) {
                   set_powers(computation, common_factor(clues), declared->second, 0, 0, head / 2);
                 });
  }
}

void propose_frequency_factor(const Clues& clues, const FaultKind& kind, Proposals& out) {
  struct Candidate {
    long double value;
    std::string words;
    double bits;
  };
  constexpr long double pi = std::numbers::pi_v<long double>;
  std::vector<Candidate> candidates{{2, "2", variant_bits},
                                    {0.5, "1/2", variant_bits},
                                    {2 * pi, "2 pi", listed_bits},
                                    {1 / (2 * pi), "1/(2 pi)", listed_bits},
                                    {pi, "pi", listed_bits},
                                    {1 / pi, "1/pi", listed_bits},
                                    {pi / 180, "pi/180", listed_bits},
                                    {180 / pi, "180/pi", listed_bits}};
  const auto multiply = [](Computation& computation, long double by) {
    computation.change_tones([=](long double w) { return w * by; });
    computation.allow_computed_frequencies();
  };
  auto all = measured_pairs(clues);
  if (!all.empty()) {
    std::ranges::sort(all, {}, &MeasuredPair::uncertainty);
    const auto& best = all[all.size() / 8];
    const double ratio = best.frequency / best.declared;
    if (std::fabs(ratio - 1) > 3 * best.uncertainty) {
      if (const auto decimal = shortest_decimal(ratio, best.uncertainty)) {
        candidates.push_back({*decimal, number_words(*decimal), 2 + number_bits(*decimal)});
      }
      if (const auto inverse = shortest_decimal(1 / ratio, best.uncertainty)) {
        candidates.push_back({1 / static_cast<long double>(*inverse), "1/" + number_words(*inverse),
                              3 + number_bits(*inverse)});
      }
      const auto is_by_ratio = [&](const MeasuredPair& one) {
        return std::fabs(one.frequency / one.declared / ratio - 1) <= 6 * one.uncertainty + 1e-5;
      };
      const bool is_common = 4 * std::ranges::count_if(all, is_by_ratio) > 3 * std::ssize(all);
      if (clues.is_thorough && is_common) {
        const double factor = polished(clues.suspect, clues.base, ratio, 1e-7 * ratio, multiply);
        candidates.push_back({factor, fmt::format("{:.10g}", factor), real_bits});
      }
    }
  }
  for (const auto& [value, words, bits] : candidates) {
    propose_edit(
        clues, kind,
        fmt::format("every frequency is multiplied by {} (or, the same here, every position)", words), bits,
        out, [&, value = value](Computation& computation) { multiply(computation, value); });
  }
}

}  // namespace

StageEdits frequency_edits() {
  return {{"frequency/base", propose_base},
          {"frequency/exponent", propose_exponent},
          {"frequency/head-dim", propose_head_dim},
          {"frequency/factor", propose_frequency_factor}};
}

}  // namespace vernier
