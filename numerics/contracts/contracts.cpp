// Every contract: a row each, behind the budgets of sines that they give.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <variant>
#include <vector>

#include "numerics/budgets/frequency_error.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/program/program.hpp"

namespace vernier {
namespace {

/// Budgets of what is computed in a format, with trigonometry good to as many ulp, or roundings where the
/// argument is reduced (BudgetModel). C libraries and the float32 functions of vector libraries keep two ulp,
/// and 16-bit functions round a float32 one.
BudgetModel::Parameters computed_parameters(Format compute, Format stored, double ulps = 2) {
  BudgetModel::Parameters parameters{{}, {}, compute, stored, ulps, ulps, 0};
  parameters.storage_ulps = traits(stored).precision < traits(compute).precision ? 0.5 : 0.0;
  return parameters;
}

/// The element is the truth rounded: the nearest number, or one of the two around it (rounding_budget()).
/// Nothing is said of how it was computed: no rounding of positions is allowed for, which float64
/// does not have.
template <int half_ulps>
BudgetModel rounded_truth(const TrigTable& table, Format stored) {
  const std::vector<double> none(static_cast<std::size_t>(table.frequencies.pairs()), 0.0);
  return {{none, none, Format::binary64, stored, 0, 0, half_ulps / 2.0}, table};
}

/// How often each phase is rounded. The product of position and frequency is, but with w = 1 it is exact.
/// Where not the frequency but the position or the phase is scaled, that is rounded as well: by what a
/// scaling makes of it, or by a factor of all frequencies that is no power of two: frequency_scale, or the pi
/// of bounds that are multiples of it.
int roundings_of_phase(const Frequencies& frequencies, int pair, Format compute) {
  const auto& family = frequencies.family();
  const auto* bounded = std::get_if<BoundedFrequencies>(&family);
  const bool has_pi = bounded != nullptr && bounded->first.power_of_pi != 0;
  const int of_factor = !has_pi && product_error(frequencies.scale(), compute) == 0 ? 0 : 1;
  if (const auto* joined = std::get_if<JoinedFrequencies>(&family)) {
    const auto [part, own] = joined->part_of(pair);
    return of_factor + roundings_of_phase(*part, own, compute);
  }
  const bool is_one = std::visit([&](const auto& one) { return one.is_one(pair); }, family);
  const auto* scaled = std::get_if<ScaledFrequencies>(&family);
  return (is_one ? 0 : 1) + of_factor + (scaled == nullptr ? 0 : scaling_roundings(*scaled, pair));
}

double phase_rounding(const Frequencies& frequencies, int pair, Format compute) {
  return std::expm1(roundings_of_phase(frequencies, pair, compute) *
                    std::log1p(traits(compute).unit_roundoff()));
}

/// Frequency, phase and trigonometry in one format. Vector libraries promise 4 ulp in float64, and NumPy's
/// cosine is measured 3.1 ulp off near 1.
template <Format compute>
BudgetModel direct(const TrigTable& table, Format stored) {
  auto parameters = computed_parameters(compute, stored, compute == Format::binary64 ? 4 : 2);
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    parameters.frequency_error.push_back(frequency_error(table.frequencies, pair, compute));
    parameters.phase_rounding.push_back(phase_rounding(table.frequencies, pair, compute));
  }
  return {std::move(parameters), table};
}

/// The frequency is that of float32, off by r = (4 |ln w| + 3) u at most, one number a pair, with u = 2^-24.
/// It is a number of float64 too, so that all after it is as of the contract float64: with v = 2^-53 each
/// phase is rounded by v, and by v once more where it may be scaled; the trigonometry is good to 4 ulp.
BudgetModel of_float32_frequencies(const TrigTable& table, Format stored) {
  auto model = direct<Format::binary64>(table, stored);
  auto parameters = model.parameters();
  parameters.frequencies = Format::binary32;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    parameters.frequency_error[static_cast<std::size_t>(pair)] =
        frequency_error(table.frequencies, pair, Format::binary32);
  }
  return {std::move(parameters), table};
}

constexpr auto computed_format = Format::binary32;

/// The relative error sigma of the ratio q = pow(b, -step) in float32: the exponent is rounded, which pow
/// turns into e^(ln(b) step u) - 1, more by the rounding beta of the base; pow itself is good to 1 ulp, 2u.
double ratio_error(const program::Declared& frequencies, double u) {
  const double base = program::script_base(frequencies);
  const double step = approximately(frequencies.progression.step);
  const double beta = std::fabs(round_to(computed_format, base) / base - 1);
  return std::expm1(step * (std::log(base) * u + beta)) * (1 + 4 * u) + 2 * u;
}

/// The contract of a phase that comes of the ratio of neighbouring frequencies. \param frequency_error of an
/// unscaled pair's frequency \param roundings of its phase
template <class FrequencyError, class Roundings>
BudgetModel from_ratio(const TrigTable& table, Format stored, FrequencyError frequency_error,
                       Roundings roundings) {
  const double u = traits(computed_format).unit_roundoff();
  auto parameters = computed_parameters(computed_format, stored);
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    const auto* scaled = table.frequencies.scaled();
    const double division = scaled == nullptr ? 0 : division_error(*scaled, pair, computed_format);
    const int count = roundings(pair) + (scaled == nullptr ? 0 : scaling_roundings(*scaled, pair));
    parameters.frequency_error.push_back(std::expm1(frequency_error(pair) + std::log1p(division)));
    parameters.phase_rounding.push_back(std::expm1(count * std::log1p(u)));
  }
  return {std::move(parameters), table};
}

/// theta_0 = p, theta_{i+1} = RN(theta_i q). After i steps the frequency is off by (1 + sigma)^i - 1 and each
/// phase by (1 + u)^i - 1, together about (3i + ln(1/w_i)) u: it grows with the pair where the direct
/// recipes' error grows with ln(1/w_i) alone.
BudgetModel iterated(const TrigTable& table, Format stored) {
  const double u = traits(computed_format).unit_roundoff();
  const program::Declared frequencies(table.frequencies, "the contract float32-iterated");
  const double step_error = std::log1p(ratio_error(frequencies, u));
  return from_ratio(
      table, stored, [=](int pair) { return pair * step_error; }, [](int pair) { return pair; });
}

/// theta_i = RN(p pow(q, i)): the power makes i sigma of the ratio's error, is good to 1 ulp, 2u, and the
/// phase is rounded once.
BudgetModel power_of_ratio(const TrigTable& table, Format stored) {
  const double u = traits(computed_format).unit_roundoff();
  const program::Declared frequencies(table.frequencies, "the contract float32-ratio-power");
  const double step_error = std::log1p(ratio_error(frequencies, u));
  const auto log_error = [=](int pair) { return pair == 0 ? 0 : pair * step_error + std::log1p(2 * u); };
  return from_ratio(table, stored, log_error, [](int pair) { return pair == 0 ? 0 : 1; });
}

/// w = exp((1 - t) L - L) with L = ln(1 / w_last) and t = k / (n - 1), in float32: exponents interpolated
/// between the logarithms of the greatest and the least frequency, before any scaling, which may make the
/// least one zero.
///
/// Each logarithm is rounded, by lambda = ulp(L) / L at most; t and 1 - t by u each, the product by u more,
/// the sum by u of itself. The exponent's terms are as large as L, however small it is itself: it is off by L
/// (t u + (1 - t) (2u + lambda) + lambda) + |ln w| u, which exp turns into a relative error; exp itself is
/// good to 1 ulp, 2u. Greatest for the fast pairs, where other recipes are exact.
BudgetModel interpolated(const TrigTable& table, Format stored) {
  constexpr auto compute = Format::binary32;
  const double u = traits(compute).unit_roundoff();
  const program::Declared frequencies(table.frequencies, "the contract float32-interpolated");
  const auto& exact = table.frequencies;
  const double step =
      std::log(program::script_base(frequencies)) * approximately(frequencies.progression.step);
  const double length = std::fabs(step) * (exact.pairs() - 1);
  const double lambda = length == 0 ? 0 : ulp_at(compute, length) / length;
  auto parameters = computed_parameters(compute, stored);
  for (int pair = 0; pair < exact.pairs(); ++pair) {
    const double magnitude = std::fabs(step) * pair;
    const double t = length == 0 ? 0 : magnitude / length;
    const double exponent_error =
        length * (t * u + (1 - t) * (2 * u + lambda) + lambda) * (1 + 4 * u) + magnitude * u;
    const double unscaled = std::expm1(exponent_error) * (1 + 4 * u) + 2 * u;
    const auto* scaled = exact.scaled();
    const double r = exact.is_one(pair)  ? 0
                     : scaled == nullptr ? unscaled
                                         : scaling_error(*scaled, pair, compute, unscaled);
    parameters.frequency_error.push_back(r);
    parameters.phase_rounding.push_back(exact.is_one(pair) ? 0 : u);
  }
  return {std::move(parameters), table};
}

constexpr std::string_view phase_formula =
    "A p w (r + u (1 + r)) as it shows in the component. The relative error r of the frequency is at most (4 "
    "|ln w| + 3) u, one number per pair, 0 for w = 1; each phase is rounded by u, by 2u if it may be scaled, "
    "by 4u if YaRN blends; for the trigonometry t ulp, or t u if the argument is reduced, t = 2, and 4 in "
    "float64; half an ulp of the stored format if it is narrower. Slopes and biases: (1 + 2u/m)^k (1 + "
    "u)^3/(1 - 2u) - 1 of the value, k the power of the slope and m the significand of its base, from 1 to "
    "2; without the first factor if k is 1, nothing if the base is a power of 1/2, and the same half ulp. "
    "Values: what is read, rounded; quotients, four "
    "roundings, and one more where a sine is multiplied; numbers of a formula of their own, its roundings";

/// Of elements that are the truth rounded, whatever they are.
template <int half_ulps>
Contract rounded_contract(std::string_view id, std::string_view meaning, std::string_view budget) {
  const auto of_any = [](const auto&, Format stored) { return BiasBudget{stored, 0, half_ulps / 2.0}; };
  return {id,     meaning,
          budget, half_ulps == 0 ? nullptr : rounded_truth<half_ulps>,
          of_any, half_ulps == 0 ? BucketTolerance::none : BucketTolerance::undefined,
          of_any, of_any};
}

/// Of elements that are computed in one format.
template <Format compute>
Contract direct_contract(std::string_view id, std::string_view meaning) {
  return {id,
          meaning,
          phase_formula,
          direct<compute>,
          [](const Slope& slope, Format stored) { return power_budget(slope, compute, stored); },
          compute == Format::binary32 ? BucketTolerance::across_edge : BucketTolerance::undefined,
          [](const ExactTable& table, Format stored) { return value_budget(table, compute, stored); },
          [](const ComputedReal& number, Format stored) { return computed_budget(number, compute, stored); }};
}

/// Which of a contract's terms a definition needs.
struct Judges {
  const Contract& contract;

  bool operator()(const BiasTable& table) const {
    if (table.sines) {
      return contract.of_sines != nullptr;
    }
    return table.curves.empty() ? contract.of_slope != nullptr : contract.of_computed != nullptr;
  }
  bool operator()(const BucketTable&) const { return contract.of_buckets != BucketTolerance::undefined; }
  bool operator()(const ExactTable& table) const {
    return table.computed ? contract.of_computed != nullptr
                          : contract.of_values != nullptr && (!table.sines || contract.of_sines != nullptr);
  }
  template <class OfSines>
  bool operator()(const OfSines&) const {
    return contract.of_sines != nullptr;
  }
};

}  // namespace

bool Contract::judges(const TensorDefinition& definition) const {
  return std::visit(Judges{*this}, definition);
}

BiasBudget Contract::of_frequency(const BudgetModel& model, int pair) {
  const auto& parameters = model.parameters();
  return {.stored = parameters.stored,
          .relative = parameters.frequency_error[static_cast<std::size_t>(pair)],
          .storage_ulps = model.judges_computation() ? 0 : parameters.storage_ulps};
}

std::span<const Contract> contracts() {
  static const std::vector<Contract> all{
      rounded_contract<0>("exact",
                          "equality: for buckets and integers, and for slopes, biases and values that their "
                          "format holds",
                          "nothing"),
      rounded_contract<1>("correctly-rounded",
                          "every element is the number of its format nearest to the truth",
                          "half an ulp of the truth"),
      rounded_contract<2>("faithful",
                          "every element is one of the two numbers of its format that enclose the truth",
                          "less than one ulp of the truth"),
      direct_contract<Format::binary64>(
          "float64", "frequency, phase and trigonometry in float64, then stored in the tensor's format"),
      direct_contract<Format::binary32>(
          "float32", "frequency, phase and trigonometry in float32, then stored in the tensor's format"),
      {"float32-frequency",
       "the frequency in float32, phase and trigonometry in float64: inv_freq as a model stores it, used by "
       "a kernel that makes its phases in double",
       "as float64, with the relative error of the frequency (4 |ln w| + 3) u of float32",
       of_float32_frequencies},
      {"float32-iterated", "the phase by repeated multiplication in float32 from pair to pair (ggml)",
       "as float32, with the relative error of the phase (3i + ln(1/w)) u for pair i", iterated},
      {"float32-ratio-power",
       "the frequency as a power of the float32 ratio of neighbouring ones, pow(theta_scale, i) (ggml's GPU "
       "back ends)",
       "as float32, with the relative error of the frequency (2i + ln(1/w) + 2) u for pair i",
       power_of_ratio},
      {"float32-interpolated",
       "the frequency as exp of an exponent interpolated in float32 between two logarithms (MLX's sinusoids)",
       "as float32, with the relative error of the frequency (8 ln(1/w_last) + 2) u at most, w_last the "
       "least",
       interpolated},
      direct_contract<Format::binary16>("float16", "position, frequency, phase and trigonometry in float16"),
      direct_contract<Format::bfloat16>("bfloat16",
                                        "position, frequency, phase and trigonometry in bfloat16")};
  return all;
}

const Contract* contract_named(std::string_view id) {
  const auto found = std::ranges::find(contracts(), id, &Contract::id);
  return found == contracts().end() ? nullptr : &*found;
}

const Contract& default_contract(Format stored) {
  const auto* contract = contract_named(stored == Format::binary64 ? "float64" : "float32");
  assert(contract != nullptr);
  return *contract;
}

}  // namespace vernier
