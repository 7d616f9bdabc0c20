#include "reference/ladder/seeds.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "reference/enclosure.hpp"

namespace vernier {
namespace {

/// High parts of the fine rows that stay in a core's second-level cache beside what else is there: half a
/// MiB.
constexpr std::size_t most_fine_elements = 32768;
/// Coarse rows of a chunk, as many elements at most: small beside the fine rows.
constexpr std::size_t most_coarse_elements = 8192;
constexpr std::size_t most_coarse_rows = 32;
constexpr double smallest_seed = 0x1p-80;
constexpr double widest_phase = 0x1p-256;

std::size_t padded(std::size_t pairs) {
  return (pairs + kernel_lanes - 1) / kernel_lanes * kernel_lanes;
}

/// About as many fine rows as coarse ones, a power of two.
std::size_t fine_rows_for(std::int64_t rows, std::size_t width) {
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(std::max<std::int64_t>(rows, 1))));
  return std::bit_floor(
      std::clamp<std::size_t>(root, 1, std::max<std::size_t>(most_fine_elements / width, 1)));
}

bool has_bound(DoubleDouble seed) {
  return seed.high == 0 || std::fabs(seed.high) >= smallest_seed;
}

DoubleDouble middle_of(const Rational& amplitude) {
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

void SeedRows::set(std::size_t row, std::size_t pair, const Rotation& seed, const DoubleDouble* amplitude) {
  auto sine = as_double_double(seed.sine);
  auto cosine = as_double_double(seed.cosine);
  if (amplitude != nullptr) {
    sine = *amplitude * sine;
    cosine = *amplitude * cosine;
  }
  const auto i = row * width + pair;
  sine_high[i] = sine.high;
  sine_low[i] = sine.low;
  cosine_high[i] = cosine.high;
  cosine_low[i] = cosine.low;
}

DoubleDouble SeedRows::sine(std::size_t row, std::size_t pair) const {
  return {sine_high[row * width + pair], sine_low[row * width + pair]};
}
DoubleDouble SeedRows::cosine(std::size_t row, std::size_t pair) const {
  return {cosine_high[row * width + pair], cosine_low[row * width + pair]};
}

CoarseRows::CoarseRows(std::size_t rows, std::size_t row_width)
    : seeds(rows, row_width), sine_magnitude(rows * row_width), cosine_magnitude(rows * row_width) {}

CoarsePlanes CoarseRows::planes(std::size_t row) const {
  const auto i = row * seeds.width;
  return {seeds.sine_high.data() + i,  seeds.sine_low.data() + i, seeds.cosine_high.data() + i,
          seeds.cosine_low.data() + i, sine_magnitude.data() + i, cosine_magnitude.data() + i};
}

SeedLadder::SeedLadder(std::span<const Interval> frequencies, const Rational& amplitude,
                       const PositionRange& positions)
    : pairs_(frequencies.size()),
      width_(padded(pairs_)),
      fine_rows_(fine_rows_for(positions.count, width_)),
      coarse_rows_(
          std::bit_floor(std::clamp<std::size_t>(most_coarse_elements / width_, 1, most_coarse_rows))),
      amplitude_(middle_of(amplitude)),
      scaled_(amplitude != 1),
      fine_(fine_rows_, width_),
      greatest_fine_(pairs_) {
  const auto chunks = static_cast<std::uint64_t>((positions.count + rows_per_chunk() - 1) / rows_per_chunk());
  chunk_steps_.resize(static_cast<std::size_t>(std::bit_width(chunks)));
  const WorkingPrecision precision(seed_precision);
  for (std::size_t pair = 0; pair < pairs_; ++pair) {
    auto& greatest = greatest_fine_[pair];
    const Interval first_phase = enclose(positions.first) * frequencies[pair];
    const Interval step_phase = enclose(positions.step) * frequencies[pair];
    greatest.bounded = radius(first_phase) < widest_phase && radius(step_phase) < widest_phase;
    if (!greatest.bounded) {
      first_.push_back(identity_rotation());
      coarse_step_.push_back(identity_rotation());
      for (auto& steps : chunk_steps_) {
        steps.push_back(identity_rotation());
      }
      continue;
    }
    first_.push_back(rotation_by(first_phase));
    const auto step = rotation_by(step_phase);
    auto power = identity_rotation();
    for (std::size_t row = 0; row < fine_rows_; ++row) {
      fine_.set(row, pair, power, nullptr);
      const auto sine = fine_.sine(row, pair);
      const auto cosine = fine_.cosine(row, pair);
      greatest.bounded = greatest.bounded && has_bound(sine) && has_bound(cosine);
      greatest.sine = std::max(greatest.sine, std::fabs(sine.high));
      greatest.cosine = std::max(greatest.cosine, std::fabs(cosine.high));
      power = power * step;
    }
    coarse_step_.push_back(power);
    for (std::size_t doubled = 1; doubled < coarse_rows_; doubled *= 2) {
      power = power * power;
    }
    for (auto& steps : chunk_steps_) {
      steps.push_back(power);
      power = power * power;
    }
  }
}

FinePlanes SeedLadder::fine_planes(std::size_t first_row) const {
  const auto i = first_row * width_;
  return {fine_.sine_high.data() + i, fine_.sine_low.data() + i, fine_.cosine_high.data() + i,
          fine_.cosine_low.data() + i};
}

CoarseRows SeedLadder::coarse(std::int64_t chunk) const {
  assert(chunk >= 0);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CoarseRows rows(coarse_rows_, width_);
  for (std::size_t pair = 0; pair < pairs_; ++pair) {
    auto seed = first_[pair];
    for (std::size_t bit = 0; bit < chunk_steps_.size(); ++bit) {
      if (((static_cast<std::uint64_t>(chunk) >> bit) & 1) != 0) {
        seed = seed * chunk_steps_[bit][pair];
      }
    }
    const auto& fine = greatest_fine_[pair];
    for (std::size_t row = 0; row < coarse_rows_; ++row) {
      rows.seeds.set(row, pair, seed, scaled_ ? &amplitude_ : nullptr);
      const double sine = std::fabs(rows.seeds.sine_high[row * width_ + pair]);
      const double cosine = std::fabs(rows.seeds.cosine_high[row * width_ + pair]);
      const bool bounded =
          fine.bounded && has_bound(as_double_double(seed.sine)) && has_bound(as_double_double(seed.cosine));
      rows.sine_magnitude[row * width_ + pair] = bounded ? sine * fine.cosine + cosine * fine.sine : infinity;
      rows.cosine_magnitude[row * width_ + pair] =
          bounded ? cosine * fine.cosine + sine * fine.sine : infinity;
      seed = seed * coarse_step_[pair];
    }
  }
  return rows;
}

}  // namespace vernier
