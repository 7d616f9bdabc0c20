// What the spec makes of frequencies: other keys of it, whatever the scheme; RoPE scalings by another
// formula; and the scaling of another encoding.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// Appends what the spec so patched gives: with the amplitude that goes with it, and with the declared one.
void propose_rescaled(const KindEdits& edits, const std::string& sentence, double bits,
                      const OrderedJson& patch) {
  edits.add_frequencies(sentence, bits, patch, true);
  if (!edits.out.empty() && edits.out.back().finding.sentence == sentence &&
      edits.out.back().computation.amplitude != edits.base.amplitude) {
    edits.add_frequencies(sentence + ", with the declared amplitude", bits + 2, patch);
  }
}

void propose_change(const KindEdits& edits, const SpecChange& change) {
  const auto& finding = change.finding;
  propose_rescaled(edits.of(finding.kind->id), finding.sentence, change.bits, finding.edit);
}

/// Appends the base with the columns and pairs of the other spec; nothing where the base has other
/// frequencies than the declared ones, whose order changes.
void propose_columns(const KindEdits& edits, const Suspect::OtherSpec& other) {
  // Faults of operations have names of their own, which say more.
  constexpr double beside_operations = 4;
  const auto& [finding, bits, encoding, is_choice] = other.change;
  const auto& to = other.computation;
  if (edits.base.tones == edits.suspect.declared().tones) {
    edits.of(finding.kind->id)
        .add(finding.sentence, bits + (edits.suspect.has_operation() ? beside_operations : 0),
             setting(&Computation::cells, to.cells, &Computation::rotated, to.rotated, &Computation::tones,
                     to.tones, &Computation::axes, to.axes, &Computation::parameters, to.parameters),
             finding.edit);
  }
}

void propose_spec_keys(const KindEdits& edits) {
  for (const auto& other : edits.suspect.other_specs()) {
    if (other.has_other_columns) {
      propose_columns(edits, other);
    } else {
      propose_change(edits, other.change);
    }
  }
}

/// How far the frequencies of a spec are from the measured ones: the sum of the squared logarithms of their
/// quotients.
double misfit(const Clues& clues, const OrderedJson& spec) {
  constexpr double least_deviations = 16;
  const auto other = clues.suspect.frequencies_of(spec);
  if (!other || other->size() != clues.base.tones.size()) {
    return std::numeric_limits<double>::infinity();
  }
  double sum = 0;
  for (std::size_t i = 0; i < clues.recovery.phasors.size(); ++i) {
    const auto& phasor = clues.recovery.phasors[i];
    const double w = (*other)[i];
    if (phasor && phasor->frequency > least_deviations * phasor->uncertainty && w > 0) {
      const double distance = std::log(phasor->frequency / w);
      sum += distance * distance;
    }
  }
  return sum;
}

/// Whether frequencies are measured, and clearly others than those of the spec.
bool are_clearly_off(const Clues& clues) {
  constexpr double clearly_off = 1e-9;
  const double off_by = clues.recovery.is_coherent() ? misfit(clues, clues.spec()) : 0;
  return std::isfinite(off_by) && off_by > clearly_off;
}

/// Whether a number is of a scaling: what its amplitude says of itself shows elsewhere.
bool is_of_scaling(std::string_view path) {
  return path == "sequence_length" ||
         (path.starts_with("rope_scaling/") && path.find("mscale") == std::string_view::npos &&
          path.find("attention") == std::string_view::npos);
}

/// Numbers of a scaling, fitted to the measured frequencies.
void propose_fitted_numbers(const KindEdits& edits) {
  if (!are_clearly_off(edits)) {
    return;
  }
  for (const auto& change : fitted_changes(
           edits.suspect.encoding(), [&](const OrderedJson& spec) { return misfit(edits, spec); },
           is_of_scaling)) {
    propose_change(edits, change);
  }
}

/// Other rules that need numbers which the spec lacks, and two numbers of the declared rule.
void propose_several_numbers(const KindEdits& edits) {
  if (!are_clearly_off(edits)) {
    return;
  }
  const auto& declared = edits.suspect.encoding();
  const auto propose = [&](const Encoding& start, const std::function<bool(std::string_view)>& is_fitted) {
    if (const auto change = fitted_together(
            declared, start, [&](const OrderedJson& spec) { return misfit(edits, spec); }, is_fitted)) {
      propose_change(edits, *change);
    }
  };
  for (const auto& start : incomplete_changes(declared)) {
    propose(*start, [&](std::string_view path) {
      return !edits.spec().contains(OrderedJson::json_pointer(fmt::format("/{}", path)));
    });
  }
  const auto numbers = filtered(numbers_of(declared), [](const SpecNumber& number) {
    return number.is_there && (is_of_scaling(number.path) || number.path == "rope_theta");
  });
  for (const auto& one : numbers) {
    for (const auto& other : numbers) {
      if (one.path < other.path) {
        propose(declared, [&](std::string_view path) { return path == one.path || path == other.path; });
      }
    }
  }
}

/// What the spec would be without its scaling; nothing if it has none, or that has other pairs.
std::optional<Computation> unscaled(const Clues& clues) {
  auto result = clues.scaling().is_null() ? std::nullopt : clues.suspect.declared_by(removal("rope_scaling"));
  return result && result->tones.size() == clues.base.tones.size() ? std::move(result) : std::nullopt;
}

/// The unscaled frequencies w0 beside the scaled ones, and the factor.
struct ScaledClues {
  std::vector<Tone> unscaled;
  long double factor;

  long double w0(std::size_t pair) const { return unscaled[pair].sine; }
};

std::optional<ScaledClues> scaled_clues(const Clues& clues) {
  const auto scaling = clues.scaling();
  const auto without = scaling.is_object() ? unscaled(clues) : std::nullopt;
  return without ? std::optional(ScaledClues{without->tones, number_at(scaling, "factor").value_or(1)})
                 : std::nullopt;
}

/// Another formula of a scaled frequency, by the unscaled one w0, the scaled one w and the factor s.
struct ScalingFormula {
  std::string_view kind;
  std::string_view words;
  double bits;
  bool is_of_ramp;  ///< of scalings that blend scaled and unscaled frequencies
  long double (*frequency)(long double w0, long double w, long double s);
};

/// Wavelengths that are blended by the share of which frequencies should be.
long double blended_wavelength(long double w0, long double w, long double s) {
  const long double kept = (w - w0 / s) / (w0 - w0 / s);
  return s == 1 ? w : w0 / ((1 - kept) * s + kept);
}

constexpr std::array scaling_formulas{
    ScalingFormula{"frequency/scaling-twice", "the frequencies are scaled twice", flag_bits, false,
                   [](long double w0, long double w, long double) { return w / w0 * w; }},
    ScalingFormula{"frequency/scaling-variant",
                   "the ramp is inverted: fast pairs are divided by the factor, slow ones are not",
                   variant_bits, true,
                   [](long double w0, long double w, long double s) { return w0 + w0 / s - w; }},
    ScalingFormula{"frequency/scaling-variant", "wavelengths are blended, not frequencies", variant_bits,
                   true, blended_wavelength},
    ScalingFormula{"frequency/scaling-variant", "frequencies are multiplied where they should be divided",
                   variant_bits, false,
                   [](long double w0, long double w, long double) { return w0 / w * w0; }},
    ScalingFormula{
        "frequency/scaling-variant", "blended pairs are divided by the whole factor", variant_bits, true,
        [](long double w0, long double w, long double s) { return w < w0 * (1 - 1e-12L) ? w0 / s : w; }},
    ScalingFormula{
        "frequency/scaling-variant", "blended pairs are not scaled", variant_bits, true,
        [](long double w0, long double w, long double s) { return w > w0 / s * (1 + 1e-12L) ? w0 : w; }}};

/// Those of the kind.
void propose_formulas(const KindEdits& edits, const ScaledClues& of) {
  const auto type = edits.scaling().value("rope_type", "");
  const bool has_ramp = type == "yarn" || type == "llama3";
  for (const auto& one : scaling_formulas) {
    if (one.kind == edits.kind.id && (has_ramp || !one.is_of_ramp)) {
      edits.add(std::string(one.words), one.bits, [&](Computation& computation) {
        computation.set_frequencies(
            [&](std::size_t i) { return one.frequency(of.w0(i), computation.tones[i].sine, of.factor); });
        computation.allow_computed_frequencies();
      });
    }
  }
}

void propose_scaling_twice(const KindEdits& edits) {
  const auto of = scaled_clues(edits);
  if (!of) {
    return;
  }
  propose_formulas(edits, *of);
  const double amplitude = edits.base.amplitude;
  const auto is_square = [&](const auto& phasor) {
    return phasor && std::fabs(phasor->amplitude / (amplitude * amplitude) - 1) < 0.01;
  };
  if (amplitude != 1 && std::ranges::any_of(edits.recovery.phasors, is_square)) {
    auto both = edits.out.back();
    both.finding.sentence = "frequencies and amplitude are scaled twice";
    both.bits += 1;
    both.computation.amplitude = amplitude * amplitude;
    edits.out.push_back(std::move(both));
  }
}

/// YaRN's ramp by another rule for its ends.
struct RampRule {
  std::string_view words;
  bool has_turn;  ///< the 2 pi in the logarithm
  enum class Rounding { none, outward, nearest, down } rounding;
  bool has_half_width = false;  ///< in place of the width
  bool ends_at_pairs = false;   ///< not at the width less one

  long double rounded(long double x, bool is_low) const {
    return rounding == Rounding::none             ? x
           : rounding == Rounding::nearest        ? std::rint(x)
           : rounding == Rounding::down || is_low ? std::floor(x)
                                                  : std::ceil(x);
  }
};
constexpr std::array ramp_rules{
    RampRule{"the correction range is computed without 2 pi", false, RampRule::Rounding::outward},
    RampRule{"the correction range is computed without 2 pi, and not rounded", false,
             RampRule::Rounding::none},
    RampRule{"the ends of the correction range are rounded to the nearest pair", true,
             RampRule::Rounding::nearest},
    RampRule{"both ends of the correction range are rounded down", true, RampRule::Rounding::down},
    RampRule{"the correction range is that of half the width", true, RampRule::Rounding::outward, true},
    RampRule{"the correction range ends at the last pair, and is not rounded", true, RampRule::Rounding::none,
             false, true}};

void propose_ramps(const KindEdits& edits, const ScaledClues& of) {
  const auto scaling = edits.scaling();
  const auto original = number_at(scaling, "original_max_position_embeddings");
  const auto fast = number_at(scaling, "beta_fast");
  const auto slow = number_at(scaling, "beta_slow");
  const auto base = number_at(edits.spec(), "rope_theta");
  if (!original || !fast || !slow || !base) {
    return;
  }
  const auto rotary = 2 * static_cast<long double>(edits.base.tones.size());
  for (const auto& rule : ramp_rules) {
    const auto end = [&](double turns, bool is_low) {
      const long double length =
          rule.has_turn ? 2 * std::numbers::pi_v<long double> * static_cast<long double>(turns) : turns;
      const long double width = rule.has_half_width ? rotary / 2 : rotary;
      return rule.rounded(
          width * std::log(*original / length) / (2 * std::log(static_cast<long double>(*base))), is_low);
    };
    const long double low = std::max(end(*fast, true), 0.0L);
    long double high = std::min(end(*slow, false), rule.ends_at_pairs ? rotary / 2 - 1 : rotary - 1);
    high = high == low ? high + 0.001L : high;
    edits.add(std::string(rule.words), variant_bits, [&](Computation& computation) {
      computation.set_frequencies([&](std::size_t i) {
        const long double ramp = std::clamp((static_cast<long double>(i) - low) / (high - low), 0.0L, 1.0L);
        return of.w0(i) * (1 - ramp) + of.w0(i) / of.factor * ramp;
      });
    });
  }
}

/// NTK's base b alpha^(d / (d - 2)) with another power of alpha.
void propose_powers(const KindEdits& edits, const ScaledClues& of) {
  const auto pairs = edits.base.tones.size();
  const auto type = edits.scaling_type();
  const bool is_ntk = type.find("ntk") != std::string::npos || type.find("dynamic") != std::string::npos;
  if (pairs < 2 || !is_ntk) {
    return;
  }
  const auto n = static_cast<long double>(pairs);
  const long double whole = std::log(of.w0(1) / edits.base.tones[1].sine) * n;
  const long double logarithm = whole * (n - 1) / n;  // ln alpha
  const std::array<std::pair<long double, std::string_view>, 3> powers{
      {{1, "1"}, {(n - 1) / n, "(d - 2)/d"}, {2 * n / (2 * n - 1), "d/(d - 1)"}}};
  for (const auto& [power, words] : powers) {
    edits.add(fmt::format("the base is multiplied by the factor to the power {}, not d/(d - 2)", words),
              variant_bits, [&, power = power](Computation& computation) {
                computation.set_frequencies([&](std::size_t i) {
                  return of.w0(i) * std::exp(-logarithm * power * static_cast<long double>(i) / n);
                });
                computation.allow_computed_frequencies();
              });
  }
}

void propose_variant(const KindEdits& edits) {
  if (const auto of = scaled_clues(edits)) {
    propose_formulas(edits, *of);
    propose_ramps(edits, *of);
    propose_powers(edits, *of);
  }
}

using FrequencyList = std::vector<double>;

/// What of a spec decides its frequencies, beside their number.
constexpr std::array deciding_keys{"rope_theta", "rope_scaling", "max_position_embeddings",
                                   "sequence_length"};

/// The deciding keys of every scaled encoding of the catalogue, each with the models that have them.
const std::map<OrderedJson, std::set<std::string>>& scaled_encodings() {
  static const auto all = [] {
    std::map<OrderedJson, std::set<std::string>> result;
    for (const auto& model : catalogue()) {
      for (const auto& layers : model.layer_specs) {
        const auto spec = model.encoding(layers)->spec();
        if (spec.contains("rope_scaling") && !spec.at("rope_scaling").is_null()) {
          OrderedJson deciding = OrderedJson::object();
          for (const auto* key : deciding_keys) {
            if (spec.contains(key)) {
              deciding[key] = spec.at(key);
            }
          }
          result[std::move(deciding)].insert(model.id);
        }
      }
    }
    return result;
  }();
  return all;
}

/// The patch that gives the declared spec the deciding keys of another.
OrderedJson with_deciding(const Clues& clues, const OrderedJson& deciding) {
  const auto spec = clues.spec();
  auto patch = OrderedJson::array();
  for (const auto* key : deciding_keys) {
    if (deciding.contains(key)) {
      patch.push_back(replacement(key, deciding.at(key))[0]);
    } else if (spec.contains(key)) {
      patch.push_back(removal(key)[0]);
    }
  }
  return patch;
}

/// Whether most of the measured pairs turn at these frequencies: a fault beside them may hide some.
bool are_measured(const FrequencyList& frequencies, const std::vector<MeasuredPair>& measured) {
  const auto agreeing = std::ranges::count_if(measured, [&](MeasuredPair pair) {
    pair.declared = frequencies[static_cast<std::size_t>(pair.pair)];
    return pair.agrees();
  });
  return 4 * agreeing > 3 * std::ssize(measured);
}

/// No scaling, and another base.
void propose_unscaled(const KindEdits& edits, const std::vector<MeasuredPair>& measured) {
  const auto declared = declared_base(edits);
  const auto without = unscaled(edits);
  if (!without || !declared) {
    return;
  }
  std::optional<double> base;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& pair : measured) {
    // w = base^-x, where x is of the width alone.
    const double exponent = -std::log(without->frequency(pair.pair)) / std::log(declared->second);
    const double uncertainty = pair.uncertainty / exponent;
    if (exponent > 0 && uncertainty < least) {
      least = uncertainty;
      base = shortest_decimal(std::exp(-std::log(pair.frequency) / exponent), uncertainty);
    }
  }
  if (!base || *base <= 1 || *base == declared->second) {
    return;
  }
  auto patch = replacement("rope_theta", json_number(*base));
  patch.push_back(removal("rope_scaling")[0]);
  const auto frequencies = edits.suspect.frequencies_by(patch);
  if (frequencies && are_measured(*frequencies, measured)) {
    propose_rescaled(edits,
                     fmt::format("the base is {}, not {}, and nothing is scaled", number_words(*base),
                                 number_words(declared->second)),
                     flag_bits + number_bits(*base), patch);
  }
}

/// "base 500000, scaling llama3", with the numbers of the scaling that are not the declared ones.
std::string differing_keys(const Clues& clues, const OrderedJson& deciding) {
  const auto& scaling = deciding.at("rope_scaling");
  auto text = fmt::format("base {}, scaling {}", number_words(deciding.at("rope_theta").get<double>()),
                          scaling.value("rope_type", std::string("of its own")));
  const auto declared = clues.scaling();
  for (const auto& [key, value] : scaling.items()) {
    if (value.is_number() && declared.is_object() && declared.contains(key) && declared.at(key) != value) {
      text += fmt::format(", {} {}, not {}", key, value.dump(), declared.at(key).dump());
    }
  }
  return text;
}

/// The scaling of a published model.
void propose_published(const KindEdits& edits, const std::vector<MeasuredPair>& measured) {
  struct Published {
    OrderedJson patch;
    OrderedJson deciding;
    std::set<std::string> models;
  };
  // Several have the same frequencies: they differ in keys that their scaling does not read.
  std::map<FrequencyList, Published> matching;
  for (const auto& [deciding, models] : scaled_encodings()) {
    if (deciding.at("rope_scaling") == edits.scaling()) {
      continue;  // another base, which has a name of its own
    }
    const auto patch = with_deciding(edits, deciding);
    const auto frequencies = edits.suspect.frequencies_by(patch);
    if (frequencies && frequencies->size() == edits.base.tones.size() &&
        are_measured(*frequencies, measured)) {
      auto& published = matching.try_emplace(*frequencies, Published{patch, deciding, {}}).first->second;
      published.models.insert(models.begin(), models.end());
    }
  }
  for (const auto& [frequencies, published] : matching) {
    const auto& [patch, deciding, models] = published;
    // Models that are made from another mostly add to its name.
    const auto& first = *std::ranges::min_element(models, {}, &std::string::size);
    const auto others = models.size() > 1 ? fmt::format(" and {} more", models.size() - 1) : std::string();
    propose_rescaled(
        edits,
        fmt::format("the frequencies are those of {}{}: {}", first, others, differing_keys(edits, deciding)),
        listed_bits + std::log2(static_cast<double>(scaled_encodings().size())), patch);
  }
}

void propose_other(const KindEdits& edits) {
  const auto measured = measured_pairs(edits);
  if (!edits.spec().contains("rope_theta") || measured.size() < 3 ||
      2 * std::ranges::count_if(measured, &MeasuredPair::agrees) >= std::ssize(measured)) {
    return;
  }
  propose_unscaled(edits, measured);
  propose_published(edits, measured);
}

}  // namespace

StageEdits scaling_edits() {
  return {{"spec/key", propose_spec_keys},
          {"frequency/scaling-parameter", propose_fitted_numbers},
          {"frequency/scaling-parameter", propose_several_numbers, true},
          {"frequency/scaling-twice", propose_scaling_twice},
          {"frequency/scaling-variant", propose_variant},
          {"frequency/other-encoding", propose_other}};
}

}  // namespace vernier
