#include "numerics/audit/tile_constants.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "numerics/errors/error_statistics.hpp"

namespace vernier {
namespace {

/// Binades of the truth that the kernels judge: down to 2^-11 of the amplitude's.
constexpr int judged_binades = 12;
/// Errors are told apart down to 2^-17 ulp in the lowest binade. The kernels add so much to each before they
/// bin it.
constexpr int smallest_ulp_exponent = -17;
/// Errors this near to a power of two are marked, in ulp of the amplitude. Those up to an ulp, the edge of
/// being faithful, are rounded to single precision by 2^-25, formed to 2^-25.4 in double (6 u M, M <= 2 A)
/// and to 2^-46 in double-double, binned with 2^-28 more, and compared to 2^-25.
/// It is no matter whether those below are.
constexpr double unsure_ulps = 0x1p-22;
constexpr int widest_amplitude = 60;
/// Errors up to four amplitudes have an index.
constexpr int greatest_error_exponent = 2;
/// What makes a lower bound of a budget that single precision computes: no way from a constant to the budget
/// has more than 14 roundings, and (1 + 2^-24)^14 < 1 + 2^-20.1.
constexpr double shrunk = 1 - 0x1p-20;

int bin_of_exponent(int exponent) {
  return static_cast<int>(ErrorSummary::bin_of(std::ldexp(1.0, exponent)));
}

IndexRange index_range(const BudgetModel& model, int precision) {
  const int highest = std::ilogb(model.amplitude());
  const int lowest_error = highest - (judged_binades - 1) + smallest_ulp_exponent;
  const int greatest_error = highest + greatest_error_exponent + precision - 1;
  return {judged_binades,
          std::bit_ceil(4U * static_cast<unsigned>(greatest_error - lowest_error)) > 256 ? 512 : 256,
          4 * lowest_error,
          highest,
          std::ldexp(1.0, greatest_error),
          bin_of_exponent(lowest_error - highest),
          bin_of_exponent(lowest_error - (precision - 1))};
}

TileScale tile_scale(const BudgetModel& model, Format stored, const IndexRange& index) {
  const auto& parameters = model.parameters();
  const double a = model.amplitude();
  const double u = traits(parameters.compute).unit_roundoff();
  const int precision = traits(stored).precision;
  const double scale = std::ldexp(1.0, precision - 1);
  const bool has_trig = parameters.trig_ulps > 0;
  const auto single = [](double value) { return static_cast<float>(value); };
  TileScale t{};
  t.plain = a == 1 && parameters.storage_ulps == 0;
  t.amplitude = single(a);
  t.inverse_amplitude = single(shrunk / a);
  t.half_inverse_scale = single(0.5 / scale);
  t.inverse_scale = single(1 / scale);
  t.phase_roundings = single(2 / a);
  // Below the stored format's normal range an ulp no longer shrinks with the number.
  t.smallest_truth =
      std::ldexp(1.0F, std::max(index.highest_binade - (index.binades - 1), traits(stored).emin));
  t.unsure_error = single(std::ldexp(unsure_ulps, index.highest_binade));
  t.indexed_error = single(index.greatest_error);
  t.smallest_error = std::ldexp(1.0F, index.lowest_quarter / 4);
  // Of what is only rounded, all that is off by half an ulp or more may be beyond rounding_budget().
  const double judged_one_by_one = has_trig ? 1 : 0.5 / parameters.storage_ulps;
  t.greatest_budget_ratio = single(judged_one_by_one * (1 - 0x1p-13));
  t.trig_ulps = single(parameters.trig_ulps * 2 * u * scale * shrunk);
  t.trig_floor = single(has_trig ? parameters.trig_roundoffs * u * scale * shrunk : 0);
  t.trig_factor = single(a == 1 ? 1 : a * (1 + 2 * u));
  t.scaling = single(a == 1 || !has_trig ? 0 : 2 * u * a * scale * shrunk);
  t.storage_ulps = single(parameters.storage_ulps * shrunk);
  t.inconclusive = single(conclusive_share * a * scale);
  t.exponent_shift = std::countr_zero(static_cast<unsigned>(index.quarters));
  // Biased exponents as the bits of a float have them: of the truth's highest binade and the lowest error.
  // Index 0 is for marked elements.
  const int highest_binade = index.highest_binade + 127;
  const int lowest_quarter = index.lowest_quarter + 4 * 127;
  t.index_origin = 1 + (highest_binade << t.exponent_shift) - lowest_quarter;
  return t;
}

TileSlack tile_slack(const BudgetModel& model, Format stored, const TileScale& tile) {
  const double a = model.amplitude();
  const double u = traits(Format::binary64).unit_roundoff();
  const double error = stored == Format::binary64 ? 64 * u * u * (2 * a) : 6 * u * (2 * a);
  const double ulps = error / ulp_at(stored, tile.smallest_truth);
  return {error, ulps, error / (traits(stored).unit_roundoff() * a), 2 * ulps};
}

}  // namespace

bool TileConstants::surely_conclusive(std::size_t group, double position, double error) const {
  const double d = position * phase_error[group] + error * position_error[group];
  return amplitude * d + greatest_apart < conclusive_share * amplitude * (1 - 0x1p-10);
}

TileConstants tile_constants(const BudgetModel& model, Format stored, bool below_one) {
  const double scale = std::ldexp(1.0, traits(stored).precision - 1);
  const auto index = index_range(model, traits(stored).precision);
  const auto groups = (static_cast<std::size_t>(model.pairs()) + tile_lanes - 1) / tile_lanes;
  const bool usable = std::abs(index.highest_binade) <= widest_amplitude;
  auto tile = tile_scale(model, stored, index);
  // What is not 1 is in the binade below, however near; a lower value makes the budget no larger.
  const TileUnits units{scale, below_one ? 1 - 0x1p-21F : std::numeric_limits<float>::infinity()};
  const auto slack = tile_slack(model, stored, tile);
  tile.greatest_truth = units.greatest_truth;
  tile.error_next_to_one = static_cast<float>(slack.error * scale * 0x1p18);  // sums are good to 2^-18
  TileConstants constants{scale, units, tile, slack, index, {}, usable, {}, {}, {}, model.amplitude(), 0};
  const auto first_bin = static_cast<std::size_t>(index.first_absolute_bin);
  for (std::size_t quarter = 0; quarter < static_cast<std::size_t>(index.quarters); ++quarter) {
    constants.upper_edges.push_back(ErrorSummary::upper_edge(first_bin + quarter));
  }
  constants.lanes.resize(groups);
  constants.phase_error.resize(groups);
  constants.position_error.resize(groups);
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const auto group = static_cast<std::size_t>(pair) / tile_lanes;
    const auto lane = static_cast<std::size_t>(pair) % tile_lanes;
    const double w = model.frequency(pair);
    const double rho = model.relative_phase_error(pair);
    auto& lanes = constants.lanes[group];
    lanes.frequency[lane] = static_cast<float>(w);
    lanes.phase_error[lane] = static_cast<float>(w * rho * scale * shrunk);
    lanes.position_error[lane] = static_cast<float>(w * (1 + rho) * scale * shrunk);
    constants.phase_error[group] = std::max(constants.phase_error[group], w * rho);
    constants.position_error[group] = std::max(constants.position_error[group], w * (1 + rho));
  }
  // The trigonometry's term is largest for a value of the whole amplitude, reduced or not; the storage's for
  // the largest number that can be stored: twice the amplitude is beyond any conclusive one.
  const auto& parameters = model.parameters();
  const double u = traits(parameters.compute).unit_roundoff();
  const double trig =
      std::max(parameters.trig_ulps * 2, parameters.trig_ulps > 0 ? parameters.trig_roundoffs : 0) * u;
  constants.greatest_apart =
      model.amplitude() * (trig + 2 * u * (1 + trig)) + model.storage(2 * model.amplitude());
  return constants;
}

}  // namespace vernier
