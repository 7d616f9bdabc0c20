#include "reference/ladder/certified_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "reference/ladder/seeds.hpp"
#include "reference/numbers/sine_cosine.hpp"

namespace vernier {
namespace {

constexpr double combination_bound = 0x1p-101;  ///< 32 u^2
constexpr std::size_t most_seed_rows = 4096;
constexpr std::size_t most_rotation_rows = 1024;
/// Blocks are written in this base: 2^53 has nine digits.
constexpr std::int64_t block_base = 64;
/// As far as positions go.
constexpr std::int64_t farthest_position = std::int64_t{1} << 53;

/// The last digit of a block that is not zero, and the place that it stands at.
struct LastDigit {
  std::size_t place = 0;
  std::int64_t unit = 1;  ///< of the place
  std::int64_t part = 0;  ///< digit unit
};

/// \pre block > 0
LastDigit last_digit(std::int64_t block) {
  LastDigit last;
  for (; block % (last.unit * block_base) == 0; last.unit *= block_base) {
    ++last.place;
  }
  last.part = block % (last.unit * block_base);
  return last;
}

/// A1 B1 + A2 B2 with the radius of the class comment.
Enclosure combine(DoubleDouble a1, DoubleDouble b1, DoubleDouble a2, DoubleDouble b2) {
  const auto first = a1 * b1;
  const auto second = a2 * b2;
  const double magnitude = std::fabs(first.high) + std::fabs(second.high);
  return {first + second, combination_bound * magnitude};
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

constexpr std::int64_t most_fine_rows = 1024;

/// All fine rows of seeds are made, each for about this part of what a coarse one takes.
constexpr std::size_t fine_rows_to_a_coarse_one = 2;

/// What the seeds cost, in coarse rows of them, if the positions are split into blocks of `fine_rows`.
/// \param positions ascending
std::size_t cost_of_seeds(std::span<const std::int64_t> positions, std::int64_t fine_rows) {
  std::size_t blocks = 0;
  std::int64_t last = 0;
  for (const auto position : positions) {
    const auto rest = (position % fine_rows + fine_rows) % fine_rows;
    blocks += blocks == 0 || position - rest != last ? 1 : 0;
    last = position - rest;
  }
  return blocks + static_cast<std::size_t>(fine_rows) / fine_rows_to_a_coarse_one;
}

}  // namespace

CertifiedPhases::CertifiedPhases(Frequencies frequencies, std::int64_t fine_rows)
    : frequencies_(std::move(frequencies)), fine_rows_(fine_rows) {
  assert(fine_rows >= 1);
  const WorkingPrecision precision(SeedLadder::seed_precision);
  enclosed_frequencies_ = frequencies_.enclosures();
  for (int pair = 0; pair < pairs(); ++pair) {
    const auto& frequency = enclosed_frequencies_[static_cast<std::size_t>(pair)];
    rational_angles_.push_back(frequencies_.rational_angles(pair));
    turning_.push_back(greatest_magnitude(frequency) == 0 ? Turning::none
                       : radius(Interval(enclose(farthest_position) * frequency)) < widest_phase
                           ? Turning::bounded
                           : Turning::wide);
  }
}

std::int64_t CertifiedPhases::fine_rows_for(std::int64_t positions) {
  return std::clamp<std::int64_t>(std::llround(std::sqrt(static_cast<double>(positions))), 1, 1024);
}

CertifiedPhases::SeedRow CertifiedPhases::seeds_of(const RotationRow& rotations, bool is_nothing) const {
  SeedRow seeds;
  seeds.reserve(rotations.size());
  for (std::size_t pair = 0; pair < rotations.size(); ++pair) {
    const auto sine = as_double_double(rotations[pair].sine);
    const auto cosine = as_double_double(rotations[pair].cosine);
    const bool is_exact = is_nothing || turning_[pair] == Turning::none;
    const bool is_bounded = std::min(std::fabs(sine.high), std::fabs(cosine.high)) >= smallest_seed;
    seeds.push_back({sine, cosine, is_exact || is_bounded});  // a wide one's sine of 0 has no bound
  }
  return seeds;
}

/// Evaluated.
CertifiedPhases::RotationRow CertifiedPhases::rotations_by_a_position() const {
  const WorkingPrecision precision(SeedLadder::seed_precision);
  RotationRow rotations(turning_.size(), identity_rotation());
  for (std::size_t pair = 0; pair < rotations.size(); ++pair) {
    if (turning_[pair] == Turning::bounded) {
      rotations[pair] = rotation_by(enclosed_frequencies_[pair]);
    }
  }
  return rotations;
}

const CertifiedPhases::RotationRow& CertifiedPhases::rotations_of_place(std::size_t place) {
  while (places_.size() <= place) {
    auto rotations = places_.back();
    for (auto& rotation : rotations) {
      for (std::int64_t power = 1; power < block_base; power *= 2) {
        rotation = rotation * rotation;
      }
    }
    places_.push_back(std::move(rotations));
  }
  return places_[place];
}

/// \param block > 0
CertifiedPhases::RotationRow CertifiedPhases::rotations_of_block(std::int64_t block) {
  const auto [place, unit, part] = last_digit(block);
  if (block == unit) {
    return rotations_of_place(place);
  }
  const auto by = part == block ? unit : part;
  auto rotations = kept_rotations_of_block(block - by);
  const auto& last = kept_rotations_of_block(by);
  for (std::size_t pair = 0; pair < rotations.size(); ++pair) {
    rotations[pair] = rotations[pair] * last[pair];
  }
  return rotations;
}

const CertifiedPhases::RotationRow& CertifiedPhases::kept_rotations_of_block(std::int64_t block) {
  const auto found = rotations_.find(block);
  return found != rotations_.end() ? found->second
                                   : rotations_.emplace(block, rotations_of_block(block)).first->second;
}

const CertifiedPhases::SeedRow& CertifiedPhases::coarse_seeds(std::int64_t block) {
  // Scattered positions would fill memory with rows that never come back.
  if (coarse_.size() > most_seed_rows && !coarse_.contains(block)) {
    coarse_.clear();
  }
  if (rotations_.size() > most_rotation_rows) {
    rotations_.clear();
  }
  const auto [entry, is_new] = coarse_.try_emplace(block);
  if (is_new) {
    const auto rotations =
        block == 0 ? RotationRow(turning_.size(), identity_rotation()) : rotations_of_block(std::abs(block));
    entry->second = seeds_of(rotations, block == 0);
    for (auto& seed : entry->second) {
      seed.sine = block < 0 ? -seed.sine : seed.sine;
    }
  }
  return entry->second;
}

void CertifiedPhases::make_fine_seeds() {
  RotationRow rotations(turning_.size(), identity_rotation());
  const auto steps = rotations_by_a_position();
  for (std::int64_t row = 0; row < fine_rows_; ++row) {
    fine_.push_back(seeds_of(rotations, row == 0));
    for (std::size_t pair = 0; pair < rotations.size(); ++pair) {
      rotations[pair] = rotations[pair] * steps[pair];
    }
  }
  places_.push_back(std::move(rotations));
}

void CertifiedPhases::row(std::int64_t position, std::span<Enclosure> sine, std::span<Enclosure> cosine) {
  assert(sine.size() == enclosed_frequencies_.size() && cosine.size() == sine.size());
  const std::int64_t block = floor_divide(position, fine_rows_);
  if (fine_.empty()) {
    make_fine_seeds();
  }
  const auto& coarse = coarse_seeds(block);
  const auto& fine = fine_[static_cast<std::size_t>(position - block * fine_rows_)];
  for (std::size_t i = 0; i < sine.size(); ++i) {
    const auto& a = coarse[i];
    const auto& b = fine[i];
    const auto twelfths = rational_angles_[i].twelfths(position);
    if (twelfths && *twelfths % 3 == 0) {  // a quarter of a turn: both are whole numbers
      sine[i] = {{approximately(*rational_sine(*twelfths)), 0}, 0};
      cosine[i] = {{approximately(*rational_sine(*twelfths + 3)), 0}, 0};
    } else if (a.usable && b.usable) {
      sine[i] = combine(a.sine, b.cosine, a.cosine, b.sine);
      cosine[i] = combine(a.cosine, b.cosine, -a.sine, b.sine);
    } else {
      const WorkingPrecision precision(SeedLadder::seed_precision);
      const auto direct = sine_cosine(enclose(position) * enclosed_frequencies_[i]);
      sine[i] = enclosure_of(direct.sine);
      cosine[i] = enclosure_of(direct.cosine);
    }
  }
}

CertifiedTable::CertifiedTable(TrigTable table, std::int64_t expected_rows)
    : table_(std::move(table)),
      amplitude_(tight_enclosure([this] { return enclose(table_.amplitude); })),
      phases_(table_.frequencies, CertifiedPhases::fine_rows_for(expected_rows)),
      sine_(static_cast<std::size_t>(phases_.pairs())),
      cosine_(sine_.size()) {}

void CertifiedTable::row(std::int64_t position, std::span<Enclosure> out) {
  std::vector<Enclosure> unused(columns());
  row(position, out, unused);
}

void CertifiedTable::row(std::int64_t position, std::span<Enclosure> out, std::span<Enclosure> partner) {
  assert(out.size() == columns() && partner.size() == columns());
  phases_.row(position, sine_, cosine_);
  const bool scaled = !table_.amplitude.is_one();
  for (std::size_t c = 0; c < columns(); ++c) {
    if (table_.is_zero(position, c)) {
      out[c] = partner[c] = {};
      continue;
    }
    const auto pair = static_cast<std::size_t>(table_.columns[c].pair);
    const bool is_sine = table_.columns[c].component == Component::sine;
    const auto& value = is_sine ? sine_[pair] : cosine_[pair];
    const auto& other = is_sine ? cosine_[pair] : sine_[pair];
    out[c] = scaled ? amplitude_ * value : value;
    partner[c] = scaled ? amplitude_ * other : other;
  }
}

std::optional<double> CertifiedTable::rounded_entry(Format format, std::int64_t position, std::size_t column,
                                                    const Enclosure& enclosure) const {
  if (const auto decided = rounded(format, enclosure)) {
    return decided;
  }
  return correctly_rounded(format, table_.entry(position, column));
}

CertifiedTable certified_table_for(const TrigTable& table, std::span<const std::int64_t> positions) {
  std::vector<std::int64_t> ascending;
  if (!std::ranges::is_sorted(positions)) {
    ascending.assign(positions.begin(), positions.end());
    std::ranges::sort(ascending);
    positions = ascending;
  }
  std::int64_t best = 1;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (std::int64_t fine_rows = 1; fine_rows <= most_fine_rows; fine_rows *= 2) {
    if (const auto cost = cost_of_seeds(positions, fine_rows); cost < least) {
      least = cost;
      best = fine_rows;
    }
  }
  return CertifiedTable(table, best * best);
}

}  // namespace vernier
