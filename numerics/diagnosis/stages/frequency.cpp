// The frequencies, apart from scalings.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/polish.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"
#include "numerics/identification/pair_signal.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array frequency_base_bugs{"huggingface/transformers #46624"sv, "deepspeedai/DeepSpeed #8345"sv,
                                         "paiml/realizar #78"sv, "google/gemma.cpp #986"sv};
constexpr std::array frequency_head_bugs{"pie-project/pie #602"sv, "labscommunity/cascadia #69"sv};
constexpr std::array frequency_exponent_bugs{"SamLynnEvans/Transformer #25"sv, "kohya-ss/sd-scripts #1187"sv,
                                             "huggingface/diffusers #12791"sv};
constexpr std::array frequency_format_bugs{"sgl-project/sglang-jax #1472"sv, "NVIDIA/Megatron-LM #744"sv,
                                           "EleutherAI/gpt-neox #1003"sv, "facebookresearch/xformers #779"sv};
constexpr std::array frequency_garbage_bugs{"huggingface/transformers #45902"sv, "pytorch/torchtitan #4783"sv,
                                            "vllm-project/vllm #39176"sv};
constexpr std::array frequency_factor_bugs{"ollama/ollama #13452"sv, "lablup/mlxcel #1389"sv};

constexpr FaultKind frequency_base{
    .id = "frequency/base",
    .stage = Stage::frequency,
    .title = "another base",
    .means =
        "Slow pairs turn at other speeds, so distances look shorter or longer than the model learned: it "
        "reads worse the longer the text is.",
    .advice =
        "Look for where rope_theta (or the base) is read: a default of 10000 takes its place where a "
        "configuration names the key otherwise.",
    .similar = frequency_base_bugs};
constexpr FaultKind frequency_exponent{
    .id = "frequency/exponent",
    .stage = Stage::frequency,
    .title = "other exponents",
    .means =
        "Every pair but the first turns at another speed: nearby positions look right, distant ones do "
        "not.",
    .advice =
        "Compare the exponent with 2i/d: what divides it (d, d - 2, d/2 - 1), where i begins, and "
        "whether a loop that steps by two doubles it again.",
    .similar = frequency_exponent_bugs};
constexpr FaultKind frequency_head_dim{
    .id = "frequency/head-dim",
    .stage = Stage::frequency,
    .title = "the exponents divide by the width of the head, not by that of its rotating part",
    .means = "Every pair but the first turns too fast.",
    .advice = "Divide by the number of dimensions that rotate.",
    .similar = frequency_head_bugs};
constexpr FaultKind frequency_factor{
    .id = "frequency/factor",
    .stage = Stage::frequency,
    .title = "every frequency is multiplied by a factor",
    .means = "Every distance looks so much longer or shorter to the model.",
    .advice =
        "Look for a scale that is applied to positions or to frequencies: a scaling that this layer "
        "does not have, applied twice, or turns taken for radians.",
    .similar = frequency_factor_bugs};
constexpr FaultKind frequency_format{
    .id = "frequency/format",
    .stage = Stage::frequency,
    .title = "the frequencies are rounded to a 16-bit format",
    .means = "The error of a phase grows with the position, until far tokens stand at arbitrary angles.",
    .advice = "Keep inv_freq in float32: look for a cast of the module, of its buffers, or by autocast.",
    .similar = frequency_format_bugs};
constexpr FaultKind frequency_one_pair{
    .id = "frequency/one-pair",
    .stage = Stage::frequency,
    .title = "single pairs have another frequency",
    .means = "The scores of these pairs depend on another distance.",
    .advice =
        "Look at how the frequencies of these pairs come about: the edge of a loop, a ramp, or a stream "
        "of positions that they are given by mistake."};
constexpr FaultKind frequency_swapped{
    .id = "frequency/swapped",
    .stage = Stage::frequency,
    .title = "frequencies are given to other pairs",
    .means =
        "Two pairs turn at each other's speed: weights that learned one see "
        "the other.",
    .advice = "Look for a permutation of the frequencies."};
constexpr FaultKind frequency_zero{.id = "frequency/zero",
                                   .stage = Stage::frequency,
                                   .title = "pairs do not turn",
                                   .means = "These pairs carry no position.",
                                   .advice =
                                       "Look for frequencies that are zero: an underflow, an uninitialised "
                                       "buffer, or a stream of positions that is not filled.",
                                   .similar = frequency_garbage_bugs};
constexpr FaultKind frequency_unknown{
    .id = "frequency/unknown",
    .stage = Stage::frequency,
    .title = "the frequencies are not those of the spec, nor of a usual mistake",
    .means =
        "Every pair turns at a speed of its own, which no formula gives: such tables come of memory that "
        "was never written.",
    .advice =
        "Compare the recovered frequencies with the buffer inv_freq as it is in memory: a module that "
        "was created without storage and never initialised has garbage there.",
    .similar = frequency_garbage_bugs};
constexpr FaultKind frequency_iterated{
    .id = "frequency/iterated",
    .stage = Stage::frequency,
    .title = "frequencies are multiplied up",
    .means = "Errors grow with the number of the pair, and with the position.",
    .advice = "If this is how the kernel is meant to work, declare the contract with --contract."};

const Recovery& seen(const Clues& clues) {
  return clues.recovery;
}

/// A pair whose frequency was measured, and how exactly.
struct Measured {
  int pair;
  double frequency;
  double uncertainty;  ///< relative: of the measurement, and what is allowed to the frequency
  double declared;
};

std::vector<Measured> measured(const Clues& clues) {
  std::vector<Measured> result;
  for (std::size_t i = 0; i < seen(clues).phasors.size(); ++i) {
    const auto& phasor = seen(clues).phasors[i];
    const double declared = clues.base.frequency(static_cast<int>(i));
    if (phasor && phasor->frequency > 4 * phasor->uncertainty && declared > 0) {
      const double allowed = clues.base.parameters.front().frequency_error[i];
      result.push_back({static_cast<int>(i), phasor->frequency,
                        4 * phasor->uncertainty / phasor->frequency + allowed, declared});
    }
  }
  return result;
}

bool agrees(const Measured& one) {
  return std::fabs(one.frequency / one.declared - 1) <= 3 * one.uncertainty;
}

std::optional<std::pair<std::string, double>> declared_base(const Clues& clues) {
  const auto spec = clues.subject.encoding().spec();
  for (const auto* key : {"rope_theta", "base"}) {
    if (spec.contains(key) && spec.at(key).is_number()) {
      return std::pair{std::string(key), spec.at(key).get<double>()};
    }
  }
  return std::nullopt;
}

/// base^-((i + shift) / divisor) for every pair of the base.
void set_powers(Computation& computation, long double base, double cosine_shift, double sine_shift,
                double divisor) {
  for (std::size_t i = 0; i < computation.tones.size(); ++i) {
    const auto power = [&](double shift) {
      return std::exp(-std::log(base) * (static_cast<long double>(i) + shift) / divisor);
    };
    computation.tones[i] = {power(cosine_shift), power(sine_shift)};
  }
  computation.allow_computed_frequencies();
}

bool is_scaled(const Clues& clues) {
  const auto spec = clues.subject.encoding().spec();
  return spec.contains("rope_scaling") && !spec.at("rope_scaling").is_null();
}

void propose_base(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto declared = declared_base(clues);
  if (!declared || declared->second <= 1) {
    return;
  }
  const auto& [key, value] = *declared;
  std::set<double> bases{100,    500,    1000,   2000,   5000,   10000,   20000,   50000,   100000,
                         130000, 150000, 160000, 250000, 500000, 1000000, 5000000, 8000000, 10000000};
  // Whatever a scaling does, it leaves the fast pairs alone: each tells the base.
  struct Estimate {
    double base;
    double uncertainty;  ///< relative
  };
  std::vector<Estimate> estimates;
  for (const auto& one : measured(clues)) {
    const double logarithm = std::log(one.declared);
    if (std::fabs(logarithm) > 1e-3) {
      const double power = std::log(value) / -logarithm;
      estimates.push_back({std::exp(-std::log(one.frequency) * power), one.uncertainty * power});
    }
  }
  // Where the whole base is scaled, as NTK does, the quotient of frequencies tells it.
  const auto pairs = static_cast<double>(clues.base.tones.size());
  const auto all = measured(clues);
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
  const bool is_other = 2 * std::ranges::count_if(all, agrees) < std::ssize(all);
  if (clues.is_thorough && !is_scaled(clues) && !estimates.empty() && is_other &&
      clues.subject.positions().size() == 1) {
    // A base that nobody wrote as a short decimal.
    const double step = -std::log(clues.base.frequency(1 % clues.base.pairs())) / std::log(value);
    if (step > 0) {
      const auto set = [step](Computation& computation, double logarithm) {
        set_powers(computation, std::exp(static_cast<long double>(logarithm)), 0, 0, 1 / step);
      };
      const double start = std::log(estimates.front().base);
      const double best = polished(clues.subject, clues.base, start, 1e-7, set);
      propose_edit(
          clues, kind, fmt::format("the base is {:.10g}, not {}", std::exp(best), number_words(value)),
          real_bits, out, [&](Computation& computation) { set(computation, best); },
          replacing("/" + key, std::exp(best)));
    }
  }
  for (const double other : bases) {
    if (other != value && other > 1) {
      const OrderedJson number = other == std::rint(other) && other < 1e15
                                     ? OrderedJson(static_cast<std::int64_t>(other))
                                     : OrderedJson(other);
      propose_frequencies(clues, kind,
                          fmt::format("the base is {}, not {}", number_words(other), number_words(value)),
                          number_bits(other), replacing("/" + key, number), out);
    }
  }
}

void propose_exponent(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto declared = declared_base(clues);
  const auto pairs = static_cast<double>(clues.base.tones.size());
  if (!declared || is_scaled(clues) || pairs < 2 || clues.subject.positions().size() > 1) {
    return;
  }
  const double value = declared->second;
  const double step = -std::log(clues.base.frequency(1)) / std::log(value);
  const double divisor = std::round(2 / step) / 2;  // the declared one, a multiple of a half
  const auto spec = clues.subject.encoding().spec();
  const auto propose = [&](std::string sentence, double bits, double cosine_shift, double sine_shift,
                           double other_divisor, const OrderedJson& patch = nullptr) {
    propose_edit(
        clues, kind, std::move(sentence), bits, out,
        [&](Computation& computation) {
          set_powers(computation, value, cosine_shift, sine_shift, other_divisor);
        },
        patch);
  };
  const auto divided = [&](double other, double bits) {
    OrderedJson patch = nullptr;
    if (spec.contains("frequency") && (other == pairs || other == pairs - 1)) {
      patch = replacing("/frequency", other == pairs ? "paper" : "tensor2tensor");
    }
    propose(fmt::format("the exponents are i/{}, not i/{}", number_words(other), number_words(divisor)), bits,
            0, 0, other, patch);
  };
  std::set<double> divisors{pairs, pairs - 1, pairs + 1, 2 * pairs, pairs / 2};
  double shift = 0;
  // ln w = -ln b (i + shift) / divisor: two of the pairs that are known best tell both.
  const auto all = measured(clues);
  if (all.size() >= 3) {
    const auto& first = all.front();
    const auto& last = all.back();
    const double slope =
        (std::log(first.frequency) - std::log(last.frequency)) / (last.pair - first.pair) / std::log(value);
    const double halves = std::round(2 / slope) / 2;
    if (halves >= 0.5 && std::fabs(halves * slope - 1) < 1e-3) {
      divisors.insert(halves);
      shift = std::round(2 * (-std::log(first.frequency) / std::log(value) * halves - first.pair)) / 2;
    }
  }
  for (const double other : divisors) {
    if (other != divisor && other > 0) {
      divided(other, variant_bits);
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
  const auto spec = clues.subject.encoding().spec();
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
                   set_powers(computation, declared->second, 0, 0, head / 2);
                 });
  }
}

void propose_factor(const Clues& clues, const FaultKind& kind, Proposals& out) {
  struct Candidate {
    long double value;
    std::string words;
    double bits;
  };
  constexpr long double pi = std::numbers::pi_v<long double>;
  std::vector<Candidate> candidates{{2, "2", variant_bits},           {0.5, "1/2", variant_bits},
                                    {2 * pi, "2 pi", listed_bits},    {1 / (2 * pi), "1/(2 pi)", listed_bits},
                                    {pi, "pi", listed_bits},          {pi / 180, "pi/180", listed_bits},
                                    {180 / pi, "180/pi", listed_bits}};
  auto all = measured(clues);
  if (!all.empty()) {
    std::ranges::sort(all, {}, &Measured::uncertainty);
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
    }
  }
  if (!all.empty()) {
    const auto& middle = all[all.size() / 8];
    const double ratio = middle.frequency / middle.declared;
    const auto is_by_ratio = [&](const Measured& one) {
      return std::fabs(one.frequency / one.declared / ratio - 1) <= 6 * one.uncertainty + 1e-5;
    };
    const bool is_common = 4 * std::ranges::count_if(all, is_by_ratio) > 3 * std::ssize(all);
    if (clues.is_thorough && is_common && std::fabs(ratio - 1) > 3 * middle.uncertainty) {
      const double best =
          polished(clues.subject, clues.base, ratio, 1e-7 * ratio, [](Computation& computation, double by) {
            for (auto& tone : computation.tones) {
              tone = {tone.cosine * by, tone.sine * by};
            }
            computation.allow_computed_frequencies();
          });
      candidates.push_back({best, fmt::format("{:.10g}", best), real_bits});
    }
  }
  for (const auto& [value, words, bits] : candidates) {
    propose_edit(
        clues, kind,
        fmt::format("every frequency is multiplied by {} (or, the same here, every position)", words), bits,
        out, [&, value = value](Computation& computation) {
          for (auto& tone : computation.tones) {
            tone = {tone.cosine * value, tone.sine * value};
          }
          computation.allow_computed_frequencies();
        });
  }
}

long double rounded(Format format, long double w) {
  return round_to(format, static_cast<double>(w));
}

void propose_format(const Clues& clues, const FaultKind& kind, Proposals& out) {
  for (const auto narrow : {Format::bfloat16, Format::binary16}) {
    const std::string name(traits(narrow).name);
    propose_edit(clues, kind, "the frequencies are rounded to " + name, variant_bits, out,
                 [&](Computation& computation) {
                   for (auto& tone : computation.tones) {
                     tone = {rounded(narrow, tone.cosine), rounded(narrow, tone.sine)};
                   }
                 });
    // Where the logarithms or powers are rounded as well, the frequencies are other numbers of the format.
    std::size_t telling = 0;
    std::size_t members = 0;
    std::vector<std::optional<double>> found(clues.base.tones.size());
    for (const auto& one : measured(clues)) {
      const double spacing = ulp_at(narrow, one.frequency);
      const double uncertainty = one.uncertainty * one.frequency;
      if (8 * uncertainty < spacing) {
        ++telling;
        const double nearest = round_to(narrow, one.frequency);
        if (std::fabs(nearest - one.frequency) <= std::max(2 * uncertainty, spacing / 16)) {
          ++members;
          found[static_cast<std::size_t>(one.pair)] = nearest;
        }
      }
    }
    if (telling >= 4 && 10 * members >= 9 * telling) {
      propose_edit(clues, kind, "the frequencies are computed in " + name, variant_bits + damaged_bits, out,
                   [&](Computation& computation) {
                     for (std::size_t i = 0; i < computation.tones.size(); ++i) {
                       auto& tone = computation.tones[i];
                       const long double w = found[i] ? *found[i] : rounded(narrow, tone.sine);
                       tone = {w, w};
                     }
                   });
    }
  }
}

/// The frequency of a pair near `start` that its points show best: least squares of the angles that are left.
long double refined(const Clues& clues, const PairView& view, int pair, long double start) {
  constexpr int iterations = 3;
  constexpr std::size_t most_rows = 512;
  constexpr double belonging = 0.5;  // radians
  const auto axis = static_cast<std::size_t>(clues.base.axes[static_cast<std::size_t>(pair)]);
  const auto& places = (*clues.base.places)[axis];
  long double frequency = start;
  for (int i = 0; i < iterations; ++i) {
    long double products = 0;
    long double squares = 0;
    for (const auto row : spread_rows(clues.subject.rows(), most_rows)) {
      const auto seen = view.point(row, pair);
      if (!seen) {
        continue;
      }
      const long double place = places[row];
      const long double phase = std::remainder(place * frequency, 2 * std::numbers::pi_v<long double>);
      const double off = std::arg(seen->z * std::polar(1.0, -static_cast<double>(phase)));
      if (std::fabs(off) < belonging) {
        products += place * off;
        squares += place * place;
      }
    }
    frequency += squares > 0 ? products / squares : 0;
  }
  return frequency;
}

/// The pairs whose measured frequency is not the declared one; nothing where too many are.
void propose_pairs(const Clues& clues, Proposals& out) {
  std::vector<Measured> others;
  std::vector<int> still;
  std::size_t known = 0;
  for (std::size_t i = 0; i < seen(clues).phasors.size(); ++i) {
    const auto& phasor = seen(clues).phasors[i];
    const double declared = clues.base.frequency(static_cast<int>(i));
    if (!phasor || !(declared > 0)) {
      continue;
    }
    ++known;
    if (std::fabs(phasor->frequency) <= 4 * phasor->uncertainty + 0x1p-40 &&
        declared > 16 * phasor->uncertainty) {
      still.push_back(static_cast<int>(i));
    }
  }
  for (const auto& one : measured(clues)) {
    if (!agrees(one)) {
      others.push_back(one);
    }
  }
  const PairView view(clues.subject, clues.base);
  const auto set = [&](Computation& computation) {
    for (const auto& one : others) {
      const auto w = refined(clues, view, one.pair, one.frequency);
      computation.tones[static_cast<std::size_t>(one.pair)] = {w, w};
    }
    for (const int pair : still) {
      // Tiny frequencies are none to a model, and other numbers.
      const auto w = std::max(refined(clues, view, pair, 0), 0.0L);
      computation.tones[static_cast<std::size_t>(pair)] = {w, w};
    }
    computation.allow_computed_frequencies();
  };
  if (!still.empty() && others.empty()) {
    const bool all = still.size() == known;
    propose_edit(clues, frequency_zero,
                 all                ? "no pair turns: every frequency is zero"
                 : still.size() > 1 ? fmt::format("{} pairs do not turn, the first of them pair {}",
                                                  still.size(), still.front())
                                    : fmt::format("pair {} does not turn", still.front()),
                 all ? flag_bits : damaged_bits * static_cast<double>(std::min<std::size_t>(still.size(), 4)),
                 out, set);
  }
  if (others.size() == 2 && still.empty()) {
    const auto a = static_cast<std::size_t>(others[0].pair);
    const auto b = static_cast<std::size_t>(others[1].pair);
    propose_edit(clues, frequency_swapped,
                 fmt::format("the frequencies of pairs {} and {} are exchanged", a, b), damaged_bits, out,
                 [&](Computation& computation) { std::swap(computation.tones[a], computation.tones[b]); });
  }
  // A pair that seems to turn the other way may as well turn by more than half a turn a position.
  const auto is_negative = [](const std::optional<FittedPhasor>& phasor) {
    return phasor && phasor->frequency < -4 * phasor->uncertainty;
  };
  const bool are_few = std::ranges::count_if(seen(clues).phasors, is_negative) <= 2;
  for (std::size_t i = 0; are_few && i < seen(clues).phasors.size(); ++i) {
    const auto& phasor = seen(clues).phasors[i];
    if (is_negative(phasor)) {
      const double period = phasor->ambiguity.value_or(2 * std::numbers::pi);
      others.push_back({static_cast<int>(i), phasor->frequency + period, phasor->uncertainty / period,
                        clues.base.frequency(static_cast<int>(i))});
    }
  }
  const auto count = others.size() + still.size();
  if (!others.empty() && count <= 3) {
    std::string sentence;
    for (const auto& one : others) {
      sentence += fmt::format("{}the frequency of pair {} is {:.9g}, not {:.9g}",
                              sentence.empty() ? "" : ", ", one.pair, one.frequency, one.declared);
    }
    propose_edit(clues, frequency_one_pair, std::move(sentence),
                 damaged_bits + 16 * static_cast<double>(count), out, set);
  } else if (count > 3 && !others.empty()) {
    propose_edit(
        clues, frequency_unknown,
        fmt::format("the frequencies of {} of {} pairs are others, which no formula gives", count, known),
        real_bits * static_cast<double>(count), out, set);
  }
}

void propose_one_pair(const Clues& clues, const FaultKind&, Proposals& out) {
  propose_edit(clues, frequency_swapped, "the frequencies are in reverse order, the slowest first", flag_bits,
               out, [](Computation& computation) {
                 std::ranges::reverse(computation.tones);
                 for (auto& parameters : computation.parameters) {
                   std::ranges::reverse(parameters.frequency_error);
                   std::ranges::reverse(parameters.phase_rounding);
                 }
               });
  propose_pairs(clues, out);
}

/// Proposed with the kind before: one measurement tells which of them it is.
void propose_nothing(const Clues&, const FaultKind&, Proposals&) {}

/// Frequencies that are multiplied up in float32, from a ratio that is the declared one to some ulp; and the
/// powers of such a ratio.
void propose_iterated(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (!declared_base(clues) || is_scaled(clues) || clues.base.tones.size() < 2 ||
      clues.base.frequency(0) == 0) {
    return;
  }
  const auto nearest = static_cast<float>(clues.base.frequency(1) / clues.base.frequency(0));
  for (int ulps = -2; ulps <= 2; ++ulps) {
    float ratio = nearest;
    for (int i = 0; i < std::abs(ulps); ++i) {
      ratio = std::nextafter(ratio, ulps > 0 ? 2.0F : 0.0F);
    }
    for (const bool is_product : {true, false}) {
      propose_edit(clues, kind,
                   is_product ? "each frequency is the one before times a float32 ratio"
                              : "the frequencies are powers of a ratio that is rounded to float32",
                   variant_bits + std::abs(ulps), out, [&](Computation& computation) {
                     const auto first = computation.tones[0].sine;
                     auto product = static_cast<float>(first);
                     for (std::size_t i = 0; i < computation.tones.size(); ++i) {
                       const long double power =
                           first * std::pow(static_cast<long double>(ratio), static_cast<long double>(i));
                       const long double w = is_product ? static_cast<long double>(product) : power;
                       computation.tones[i] = {w, w};
                       product *= ratio;
                     }
                     computation.allow_computed_frequencies();
                   });
    }
  }
}

}  // namespace

StageEdits frequency_edits() {
  return {{&frequency_base, propose_base},         {&frequency_exponent, propose_exponent},
          {&frequency_head_dim, propose_head_dim}, {&frequency_factor, propose_factor},
          {&frequency_format, propose_format},     {&frequency_one_pair, propose_one_pair},
          {&frequency_swapped, propose_nothing},   {&frequency_zero, propose_nothing},
          {&frequency_unknown, propose_nothing},   {&frequency_iterated, propose_iterated}};
}

}  // namespace vernier
