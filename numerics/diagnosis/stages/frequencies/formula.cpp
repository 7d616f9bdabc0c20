// Frequencies by the formula with another base, other exponents or a factor.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <fmt/core.h>

#include "numerics/computation/polish.hpp"
#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"

namespace vernier {
namespace {

/// What multiplies every frequency of a progression from 1: the spec's scale, and what a place is of a real
/// position.
double common_factor(const Clues& clues) {
  return clues.suspect.encoding().positions().is_plain() && !clues.spec().contains("frequency_scale")
             ? 1
             : clues.base.frequency(0);
}

/// (i + shift) / divisor, of cosines and of sines.
struct Exponents {
  double divisor;
  double cosine_shift = 0;
  double sine_shift = 0;
};

/// factor base^-exponent for every pair of the base.
void set_powers(Computation& computation, double factor, long double base, const Exponents& exponents) {
  for (std::size_t i = 0; i < computation.tones.size(); ++i) {
    const auto power = [&](double shift) {
      return factor * std::exp(-std::log(base) * (static_cast<long double>(i) + shift) / exponents.divisor);
    };
    computation.tones[i] = {power(exponents.cosine_shift), power(exponents.sine_shift)};
  }
  computation.allow_computed_frequencies();
}

/// The base of frequencies that are its powers with the exponents i/n; nothing where they are not.
std::optional<double> base_of_ladder(const Computation& computation) {
  const int pairs = computation.pairs();
  const auto logarithm = [&](int pair) { return std::log(computation.frequency(pair)); };
  const double step = pairs > 1 ? -logarithm(pairs - 1) / (pairs - 1) : 0;
  for (int pair = 0; pair < pairs; ++pair) {
    if (!(std::fabs(logarithm(pair) + step * pair) < 1e-6)) {
      return std::nullopt;
    }
  }
  return step > 0 ? std::optional(std::exp(step * pairs)) : std::nullopt;
}

/// How another base is told, and the patch that gives the spec its frequencies. Where a scaling is another
/// base, whichever of its numbers is off gives the same frequencies, and one that nobody wrote is none of
/// them.
std::pair<std::string, OrderedJson> told_base(const Clues& clues, const SpecBase& declared, double other,
                                              const std::string& words) {
  auto patch = declared.replaced(other);
  const auto meant =
      is_scaled(clues) && number_bits(other) > decimal_bits(4) ? base_of_ladder(clues.base) : std::nullopt;
  const auto found = meant ? clues.suspect.declared_by(patch) : std::nullopt;
  const auto scaled = found ? base_of_ladder(*found) : std::nullopt;
  if (scaled) {
    patch = declared.replaced(*scaled);
    patch.push_back(removal("rope_scaling")[0]);
    return {fmt::format("the base, scaled, is {:.6g}, not {:.8g}", *scaled, *meant), patch};
  }
  const auto of = declared.axis ? fmt::format(" of axis {}", *declared.axis) : "";
  return {fmt::format("the base{} is {}, not {}", of, words, number_words(declared.value)), patch};
}

/// A base that nobody wrote as a short decimal.
void propose_free_base(const KindEdits& edits, const SpecBase& declared, double measured) {
  const auto& key = declared.paths.front();
  const double factor = common_factor(edits);
  const double step =
      -std::log(edits.base.frequency(1 % edits.base.pairs()) / factor) / std::log(declared.value);
  if (!is_scaled(edits) && !(step > 0)) {
    return;
  }
  const auto set = [&](Computation& computation, double logarithm) {
    if (!is_scaled(edits)) {
      set_powers(computation, factor, std::exp(static_cast<long double>(logarithm)), {1 / step});
    } else if (const auto other = edits.suspect.declared_by(replacement(key, std::exp(logarithm)))) {
      computation.tones = other->tones;
      computation.parameters = other->parameters;
    }
  };
  const double best = polished(edits.suspect, edits.base, std::log(measured), 1e-7, set);
  const auto [words, patch] =
      told_base(edits, declared, std::exp(best), fmt::format("{:.10g}", std::exp(best)));
  edits.add(
      words, real_bits, [&](Computation& computation) { set(computation, best); }, patch);
}

struct BaseEstimate {
  double base;
  double uncertainty;  ///< relative
};

/// What the measured pairs tell of a base, the surest first. Whatever a scaling does, it leaves the fast
/// pairs alone: each tells the base.
std::vector<BaseEstimate> estimates_of(const Clues& clues, const SpecBase& declared,
                                       const std::vector<MeasuredPair>& measured) {
  const double value = declared.value;
  // What the frequencies of each axis are before the powers of a base multiply them.
  const auto factors = declared.axis || declared.paths.size() > 1
                           ? first_frequencies(clues)
                           : std::vector<double>(clues.suspect.positions().size(), common_factor(clues));
  std::vector<BaseEstimate> estimates;
  for (const auto& one : measured) {
    const double factor = factors[clues.base.axis(one.pair)];
    const double logarithm = std::log(one.declared / factor);
    if (std::fabs(logarithm) > 1e-3) {
      const double power = std::log(value) / -logarithm;
      estimates.push_back({std::exp(-std::log(one.frequency / factor) * power), one.uncertainty * power});
    }
  }
  // Where the whole base is scaled, as NTK does, the quotient of frequencies tells it.
  for (const auto& one : measured) {
    if (one.pair > 0 && is_scaled(clues)) {
      const double power = static_cast<double>(clues.base.tones.size()) / one.pair;
      estimates.push_back({value * std::pow(one.declared / one.frequency, power), one.uncertainty * power});
    }
  }
  std::ranges::sort(estimates, {}, &BaseEstimate::uncertainty);
  return estimates;
}

void propose_other_base(const KindEdits& edits, const SpecBase& declared) {
  const double value = declared.value;
  std::set<double> bases{100,    500,    1000,   2000,   5000,   10000,   20000,   50000,   100000,
                         130000, 150000, 160000, 250000, 500000, 1000000, 5000000, 8000000, 10000000};
  auto all = measured_pairs(edits);
  std::erase_if(all, [&](const MeasuredPair& one) {
    return declared.axis && edits.base.axes[static_cast<std::size_t>(one.pair)] != *declared.axis;
  });
  const auto estimates = estimates_of(edits, declared, all);
  const auto stride = std::max<std::size_t>(1, estimates.size() / 6);
  for (std::size_t i = 0; i < estimates.size(); i += stride) {
    for (const double slack : {1.0, 0.1}) {
      if (const auto decimal = shortest_decimal(estimates[i].base, slack * estimates[i].uncertainty)) {
        bases.insert(*decimal);
      }
    }
  }
  const bool is_other = 2 * std::ranges::count_if(all, &MeasuredPair::agrees) < std::ssize(all);
  if (edits.is_thorough && !estimates.empty() && is_other && edits.suspect.positions().size() == 1) {
    propose_free_base(edits, declared, estimates.front().base);
  }
  for (const double other : bases) {
    if (other != value && other > 1) {
      const auto [words, patch] = told_base(edits, declared, other, number_words(other));
      edits.add_frequencies(words, number_bits(other) + (declared.axis ? variant_bits : 0), patch);
    }
  }
}

void propose_base(const KindEdits& edits) {
  for (const auto& base : spec_bases(edits)) {
    if (base.value > 1) {
      propose_other_base(edits, base);
    }
  }
}

/// Exponents of sines and of cosines that are made in a loop that steps by two, or one too far.
struct UsualExponents {
  std::string_view words;  ///< {0} of the divisor
  Exponents exponents;     ///< the divisor as a share of the declared one
};
constexpr std::array usual_exponents{
    UsualExponents{"the exponents are (i + 1)/{0}, not i/{0}", {1, 1, 1}},
    UsualExponents{"the exponents are (i - 1)/{0}, not i/{0}", {1, -1, -1}},
    UsualExponents{"the exponents are (i + 0.5)/{0}, not i/{0}", {1, 0.5, 0.5}},
    UsualExponents{"the cosine's exponents are (i + 0.5)/{0}, the sine's i/{0}", {1, 0.5, 0}},
    UsualExponents{"the sine's exponents are (i + 0.5)/{0}, the cosine's i/{0}", {1, 0, 0.5}},
    UsualExponents{"the cosine's exponents are (i + 1)/{0}, the sine's i/{0}", {1, 1, 0}},
    UsualExponents{"the sine's exponents are (i + 1)/{0}, the cosine's i/{0}", {1, 0, 1}},
    // A loop that steps by two and doubles again: frequencies squared, of sine and cosine differently.
    UsualExponents{"the sine's exponents are 2i/{0}, the cosine's (2i + 1)/{0}", {0.5, 0.5, 0}},
    UsualExponents{"the sine's exponents are 2i/{0}, the cosine's (2i + 2)/{0}", {0.5, 1, 0}}};

void propose_exponent(const KindEdits& edits) {
  const auto declared = declared_base(edits);
  const auto pairs = static_cast<double>(edits.base.tones.size());
  if (!declared || is_scaled(edits) || pairs < 2 || edits.suspect.positions().size() > 1) {
    return;
  }
  const double value = declared->second;
  const double factor = common_factor(edits);
  const double step = -std::log(edits.base.frequency(1) / factor) / std::log(value);
  const double divisor = std::round(2 / step) / 2;  // the declared one, a multiple of a half
  const auto own = number_words(divisor);
  const auto add = [&](std::string sentence, double bits, const Exponents& exponents,
                       const OrderedJson& patch = nullptr) {
    edits.add(
        std::move(sentence), bits,
        [&](Computation& computation) { set_powers(computation, factor, value, exponents); }, patch);
  };
  // The patch of the spec that divides by this, where it has a key for it.
  const auto patch_of = [&](double other) -> OrderedJson {
    const auto divides = [&](const OrderedJson& patch) {
      const auto frequencies = edits.suspect.frequencies_by(patch);
      return frequencies && frequencies->size() == edits.base.tones.size() &&
             std::fabs(std::log(frequencies->at(0) / frequencies->at(1)) / std::log(value) * other - 1) <
                 1e-9;
    };
    if (edits.spec().contains("frequency")) {
      for (const auto& patch : {replacement("frequency", "paper"), replacement("frequency", "tensor2tensor"),
                                replacement("downscale_freq_shift", json_number(pairs - other))}) {
        if (divides(patch)) {
          return patch;
        }
      }
    }
    return nullptr;
  };
  // Those that the width gives are few; one that was measured costs its digits, so that 96 is no likelier
  // than a usual base.
  std::map<double, double> divisors;
  for (const double other : {pairs, pairs - 1, pairs + 1, 2 * pairs, pairs / 2}) {
    divisors.emplace(other, variant_bits);
  }
  double shift = 0;
  // ln w = -ln b (i + shift) / divisor: two of the pairs that are known best tell both.
  const auto all = measured_pairs(edits);
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
      const auto patch = patch_of(other);
      if (other == pairs || 2 * other != number_at(edits.spec(), "head_dim")) {  // that has its own name
        add(fmt::format("the exponents are i/{}, not i/{}", number_words(other), own),
            patch.is_null() ? bits : flag_bits, {other}, patch);
      }
      if (shift != 0) {
        add(fmt::format("the exponents are (i {} {})/{}, not i/{}", shift < 0 ? '-' : '+',
                        number_words(std::fabs(shift)), number_words(other), own),
            listed_bits, {other, shift, shift});
      }
    }
  }
  for (const auto& [words, exponents] : usual_exponents) {
    add(fmt::format(fmt::runtime(words), own), variant_bits,
        {exponents.divisor * divisor, exponents.cosine_shift, exponents.sine_shift});
  }
}

void propose_head_dim(const KindEdits& edits) {
  const auto declared = declared_base(edits);
  const auto head = number_at(edits.spec(), "head_dim");
  const auto rotary = 2 * static_cast<double>(edits.base.tones.size());
  if (declared && !is_scaled(edits) && head && rotary < *head) {
    edits.add(fmt::format("the exponents divide by head_dim, {}, not by the {} dimensions that rotate",
                          number_words(*head), number_words(rotary)),
              flag_bits, [&](Computation& computation) {
                set_powers(computation, common_factor(edits), declared->second, {*head / 2});
              });
  }
}

void multiply_frequencies(Computation& computation, long double by) {
  computation.change_tones([=](long double w) { return w * by; });
  computation.allow_computed_frequencies();
}

void propose_frequency_factor(const KindEdits& edits) {
  const auto add = [&](long double by, const std::string& words, double bits) {
    add_frequency_factor(edits, {by, words, bits});
  };
  constexpr long double pi = std::numbers::pi_v<long double>;
  add(2, "2", variant_bits);
  add(0.5, "1/2", variant_bits);
  add(2 * pi, "2 pi", listed_bits);
  add(1 / (2 * pi), "1/(2 pi)", listed_bits);
  add(pi, "pi", listed_bits);
  add(1 / pi, "1/pi", listed_bits);
  add(pi / 180, "pi/180", listed_bits);
  add(180 / pi, "180/pi", listed_bits);
  const auto all = measured_pairs(edits);
  // Fast pairs may make whole turns more between rows that are far apart: most pairs agree with the ratio.
  const auto agreeing = [&](const MeasuredPair& with) {
    const double ratio = with.frequency / with.declared;
    return std::ranges::count_if(all, [=](const MeasuredPair& one) {
      return std::fabs(one.frequency / one.declared / ratio - 1) <=
             6 * std::max(one.uncertainty, with.uncertainty) + 1e-5;
    });
  };
  const auto best = std::ranges::max_element(
      all, {}, [&](const MeasuredPair& one) { return std::pair(agreeing(one), -one.uncertainty); });
  const double ratio = all.empty() ? 1 : best->frequency / best->declared;
  if (all.empty() || !(std::fabs(ratio - 1) > 3 * best->uncertainty)) {
    return;
  }
  for (const auto& [factor, words, bits] : simple_factors(ratio, best->uncertainty)) {
    add(factor, words, bits);
  }
  const bool is_common = 4 * agreeing(*best) > 3 * std::ssize(all);
  if (edits.is_thorough && is_common) {
    const double factor = polished(edits.suspect, edits.base, ratio, 1e-7 * ratio, multiply_frequencies);
    add(factor, fmt::format("{:.10g}", factor), real_bits);
  }
}

}  // namespace

void add_frequency_factor(const KindEdits& edits, const SimpleFactor& factor) {
  edits.of("frequency/factor")
      .add(fmt::format("every frequency is multiplied by {} (or, the same here, every position)",
                       factor.words),
           factor.bits,
           [by = factor.value](Computation& computation) { multiply_frequencies(computation, by); });
}

StageEdits frequency_edits() {
  return {{"frequency/base", propose_base},
          {"frequency/exponent", propose_exponent},
          {"frequency/head-dim", propose_head_dim},
          {"frequency/factor", propose_frequency_factor}};
}

}  // namespace vernier
