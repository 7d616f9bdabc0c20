#include "numerics/errors/error_map.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace vernier {
namespace {

std::uint64_t magnitude(std::int64_t position) {
  return position < 0 ? 0 - static_cast<std::uint64_t>(position) : static_cast<std::uint64_t>(position);
}

}  // namespace

void ErrorCell::include(const ErrorCell& other) {
  judged += other.judged;
  failing += other.failing;
  greatest_budget_ratio = std::max(greatest_budget_ratio, other.greatest_budget_ratio);
}

void ErrorOctave::include_positions(std::int64_t least, std::int64_t greatest) {
  const bool first = cells.empty();
  least_position = first ? least : std::min(least_position, least);
  greatest_position = first ? greatest : std::max(greatest_position, greatest);
}

ErrorCell ErrorOctave::whole() const {
  ErrorCell result;
  for (const auto& cell : cells) {
    result.include(cell);
  }
  return result;
}

std::size_t ErrorMap::octave_of(std::int64_t position) {
  return static_cast<std::size_t>(std::bit_width(std::max<std::uint64_t>(magnitude(position), 1))) - 1;
}

ErrorOctave& ErrorMap::octave(std::size_t index, std::size_t least_pairs) {
  assert(pairs_per_cell == 1);
  pairs = std::max(pairs, least_pairs);
  octaves.resize(std::max(octaves.size(), index + 1));
  return octaves[index];
}

void ErrorMap::add(std::int64_t position, std::size_t pair, std::optional<double> budget_ratio) {
  auto& its_octave = octave(octave_of(position), pair + 1);
  const auto at = static_cast<std::int64_t>(magnitude(position));
  its_octave.include_positions(at, at);
  its_octave.cells.resize(std::max(its_octave.cells.size(), pairs));
  if (budget_ratio) {
    its_octave.cells[pair].include({1, *budget_ratio > 1 ? 1U : 0U, *budget_ratio});
  }
}

void ErrorMap::merge(const ErrorMap& other) {
  assert(other.pairs_per_cell == 1);
  for (std::size_t index = 0; index < other.octaves.size(); ++index) {
    const auto& added = other.octaves[index];
    if (added.cells.empty()) {
      continue;
    }
    auto& its_octave = octave(index, other.pairs);
    its_octave.include_positions(added.least_position, added.greatest_position);
    its_octave.cells.resize(std::max(its_octave.cells.size(), added.cells.size()));
    for (std::size_t pair = 0; pair < added.cells.size(); ++pair) {
      its_octave.cells[pair].include(added.cells[pair]);
    }
  }
}

ErrorMap ErrorMap::coarsened(std::size_t most_cells) const {
  assert(pairs_per_cell == 1 && most_cells > 0);
  const auto together = std::max<std::size_t>((pairs + most_cells - 1) / most_cells, 1);
  ErrorMap result{together, pairs, octaves};
  for (auto& its_octave : result.octaves) {
    if (its_octave.cells.empty()) {
      continue;
    }
    std::vector<ErrorCell> cells((pairs + together - 1) / together);
    for (std::size_t pair = 0; pair < its_octave.cells.size(); ++pair) {
      cells[pair / together].include(its_octave.cells[pair]);
    }
    its_octave.cells = std::move(cells);
  }
  return result;
}

}  // namespace vernier
