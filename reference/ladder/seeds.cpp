#include "reference/ladder/seeds.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "reference/numbers/enclosure.hpp"

namespace vernier {
namespace {

/// High parts of the fine rows that stay in a core's second-level cache beside what else is there: half a
/// MiB.
constexpr std::size_t most_fine_elements = 32768;
/// Coarse rows of a chunk, as many elements at most: small beside the fine rows.
constexpr std::size_t most_coarse_elements = 8192;
constexpr std::size_t most_coarse_rows = 16;

std::size_t padded(std::size_t pairs) {
  return (pairs + kernel_lanes - 1) / kernel_lanes * kernel_lanes;
}

/// About as many fine rows as coarse ones, a power of two.
std::size_t fine_rows_for(std::int64_t rows, std::size_t width) {
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(std::max<std::int64_t>(rows, 1))));
  return std::bit_floor(
      std::clamp<std::size_t>(root, 1, std::max<std::size_t>(most_fine_elements / width, 1)));
}

/// No more than there are rows for.
std::size_t coarse_rows_for(std::int64_t rows, std::size_t fine_rows, std::size_t width) {
  const auto needed = static_cast<std::size_t>(std::max<std::int64_t>(rows, 1)) / fine_rows + 1;
  return std::bit_ceil(std::clamp<std::size_t>(
      needed, 1, std::clamp<std::size_t>(most_coarse_elements / width, 1, most_coarse_rows)));
}

/// Whether rotations by the phase and its multiples show in fixed point: of a smaller one that is not zero
/// the sine would be held for exactly zero.
bool in_reach(const Interval& phase) {
  return greatest_magnitude(phase) == 0 || least_magnitude(phase) >= smallest_seed;
}

bool has_bound(DoubleDouble seed) {
  return seed.high == 0 || std::fabs(seed.high) >= smallest_seed;
}

DoubleDouble middle_of(const Amplitude& amplitude) {
  const WorkingPrecision precision(SeedLadder::seed_precision);
  return enclosure_of(enclose(amplitude)).middle;
}

}  // namespace

SeedRows::SeedRows(std::size_t rows, std::size_t row_width)
    : width(row_width),
      sine_high(rows * row_width),
      sine_low(rows * row_width),
      cosine_high(rows * row_width),
      cosine_low(rows * row_width) {}

void SeedRows::set(std::size_t row, std::size_t pair, DoubleDouble sine, DoubleDouble cosine) {
  const auto i = row * width + pair;
  sine_high[i] = sine.high;
  sine_low[i] = sine.low;
  cosine_high[i] = cosine.high;
  cosine_low[i] = cosine.low;
}

SeedPlanes SeedRows::planes(std::size_t first_row) const {
  const auto i = first_row * width;
  return {sine_high.data() + i, sine_low.data() + i, cosine_high.data() + i, cosine_low.data() + i};
}

CoarseRows::CoarseRows(std::size_t rows, std::size_t row_width)
    : seeds(rows, row_width),
      sine_spread(rows * row_width),
      cosine_spread(rows * row_width),
      sine_magnitude(rows * row_width),
      cosine_magnitude(rows * row_width) {}

CoarsePlanes CoarseRows::planes(std::size_t row) const {
  const auto i = row * seeds.width;
  return {seeds.planes(row), sine_spread.data() + i, cosine_spread.data() + i, sine_magnitude.data() + i,
          cosine_magnitude.data() + i};
}

CoarseOutput CoarseRows::output() {
  return {seeds.sine_high.data(), seeds.sine_low.data(), seeds.cosine_high.data(), seeds.cosine_low.data(),
          sine_spread.data(),     cosine_spread.data(),  sine_magnitude.data(),    cosine_magnitude.data()};
}

SeedLadder::SeedLadder(const Frequencies& frequencies, const Amplitude& amplitude,
                       const PositionRange& positions)
    : pairs_(static_cast<std::size_t>(frequencies.pairs())),
      width_(padded(pairs_)),
      fine_rows_(fine_rows_for(positions.count, width_)),
      coarse_rows_(coarse_rows_for(positions.count, fine_rows_, width_)),
      positions_(positions),
      amplitude_(middle_of(amplitude)),
      scaled_(!amplitude.is_one()),
      fine_(fine_rows_, width_),
      coarse_steps_(coarse_rows_, width_),
      greatest_sine_(width_),
      greatest_cosine_(width_) {
  const auto chunks = static_cast<std::uint64_t>((positions.count + rows_per_chunk() - 1) / rows_per_chunk());
  chunk_steps_.resize(static_cast<std::size_t>(std::bit_width(chunks)));
  const WorkingPrecision precision(seed_precision);
  const auto enclosed = frequencies.enclosures();
  for (std::size_t pair = 0; pair < pairs_; ++pair) {
    rational_angles_.push_back(frequencies.rational_angles(static_cast<int>(pair)));
    const Interval first_phase = enclose(positions.first) * enclosed[pair];
    const Interval step_phase = enclose(positions.step) * enclosed[pair];
    bool bounded =
        radius(first_phase) < widest_phase && radius(step_phase) < widest_phase && in_reach(step_phase);
    first_.push_back(bounded ? rotation_by(first_phase) : identity_rotation());
    const auto step = bounded ? rotation_by(step_phase) : identity_rotation();
    /// Fills rows with powers of `by`, the rotation of so many places, and returns the power after the last.
    const auto fill = [&](SeedRows& rows, std::size_t count, const FixedPointRotation& by,
                          std::int64_t places) {
      auto power = identity_rotation();
      for (std::size_t row = 0; row < count; ++row) {
        const auto [sine, cosine] = seed_of(power, pair, static_cast<std::int64_t>(row) * places);
        rows.set(row, pair, sine, cosine);
        bounded = bounded && has_bound(sine) && has_bound(cosine);
        power = power * by;
      }
      return power;
    };
    const auto coarse_step = fill(fine_, fine_rows_, step, positions.step);
    auto chunk_step = fill(coarse_steps_, coarse_rows_, coarse_step,
                           positions.step * static_cast<std::int64_t>(fine_rows_));
    for (std::size_t row = 0; row < fine_rows_; ++row) {
      greatest_sine_[pair] = std::max(greatest_sine_[pair], std::fabs(fine_.sine(row, pair).high));
      greatest_cosine_[pair] = std::max(greatest_cosine_[pair], std::fabs(fine_.cosine(row, pair).high));
    }
    if (!bounded) {
      greatest_sine_[pair] = greatest_cosine_[pair] = infinity;
    }
    for (auto& steps : chunk_steps_) {
      steps.push_back(chunk_step);
      chunk_step = chunk_step * chunk_step;
    }
  }
}

FixedPointRotation SeedLadder::first_rotation(std::int64_t chunk, std::size_t pair) const {
  auto rotation = first_[pair];
  for (std::size_t bit = 0; bit < chunk_steps_.size(); ++bit) {
    if (((static_cast<std::uint64_t>(chunk) >> bit) & 1) != 0) {
      rotation = rotation * chunk_steps_[bit][pair];
    }
  }
  return rotation;
}

SeedLadder::Seed SeedLadder::seed_of(const FixedPointRotation& rotation, std::size_t pair,
                                     std::int64_t place) const {
  const auto twelfths = rational_angles_[pair].twelfths(place);
  if (twelfths && *twelfths % 3 == 0) {
    return {{approximately(*rational_sine(*twelfths)), 0}, {approximately(*rational_sine(*twelfths + 3)), 0}};
  }
  return {as_double_double(rotation.sine), as_double_double(rotation.cosine)};
}

CoarseRows SeedLadder::coarse(std::int64_t chunk, CombineKernel combine) const {
  assert(chunk >= 0);
  SeedRows first(1, width_);
  std::vector<std::size_t> without_bound;
  for (std::size_t pair = 0; pair < pairs_; ++pair) {
    auto [sine, cosine] = seed_of(first_rotation(chunk, pair), pair, positions_.at(chunk * rows_per_chunk()));
    if (!has_bound(sine) || !has_bound(cosine) || std::isinf(greatest_sine_[pair])) {
      without_bound.push_back(pair);
    }
    if (scaled_) {
      sine = amplitude_ * sine;
      cosine = amplitude_ * cosine;
    }
    first.set(0, pair, sine, cosine);
  }
  CoarseRows rows(coarse_rows_, width_);
  combine(first.planes(), coarse_steps_.planes(), greatest_sine_.data(), greatest_cosine_.data(),
          coarse_rows_, width_, rows.output());
  for (const auto pair : without_bound) {
    for (std::size_t row = 0; row < coarse_rows_; ++row) {
      rows.sine_magnitude[row * width_ + pair] = rows.cosine_magnitude[row * width_ + pair] = infinity;
    }
  }
  return rows;
}

Enclosure SumOfProducts::enclosure(double bound_scale) const {
  assert(bounded);
  return {a1 * b1 + a2 * b2, stage_two_bound * bound_scale * magnitude()};
}

SumOfProducts sum_of_products(const CoarseRows& coarse, std::size_t coarse_row, const SeedRows& fine,
                              std::size_t fine_row, std::size_t pair, Component component) {
  const auto planes = coarse.planes(coarse_row);
  const auto a_sine = coarse.seeds.sine(coarse_row, pair);
  const auto a_cosine = coarse.seeds.cosine(coarse_row, pair);
  const auto b_sine = fine.sine(fine_row, pair);
  const auto b_cosine = fine.cosine(fine_row, pair);
  const double sine_spread = planes.sine_spread[pair];
  const double cosine_spread = planes.cosine_spread[pair];
  const bool bounded = std::isfinite(planes.sine_magnitude[pair]);
  if (component == Component::sine) {
    return {a_sine, b_cosine, a_cosine, b_sine, sine_spread, cosine_spread, bounded};
  }
  return {a_cosine, b_cosine, -a_sine, b_sine, cosine_spread, sine_spread, bounded};
}

}  // namespace vernier
