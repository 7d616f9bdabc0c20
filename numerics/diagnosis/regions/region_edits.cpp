// What is looked for in regions alone.

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>

#include <fmt/core.h>

#include "numerics/diagnosis/regions/regions.hpp"
#include "numerics/diagnosis/stages/position.hpp"

namespace vernier {
namespace {

/// Every pair at the frequency of the one so many pairs behind it, round and round.
ComputationEdit at_the_pair_behind(std::ptrdiff_t by) {
  return [=](Computation& computation) {
    const auto turn = [=](auto& of_pairs) {
      const auto first = by > 0 ? of_pairs.begin() + by : of_pairs.end() + by;
      std::ranges::rotate(of_pairs, first);
    };
    turn(computation.tones);
    for (auto& parameters : computation.parameters) {
      turn(parameters.frequency_error);
      turn(parameters.phase_rounding);
    }
  };
}

/// Another part in place of the cosine, or of the sine, of every pair.
ComputationEdit with_part(bool is_sine, const TurnPart& part) {
  return [=](Computation& computation) {
    const auto own = is_sine ? Component::sine : Component::cosine;
    computation.change_cells([&](Cell& cell) {
      cell = cell.component == own ? Cell{cell.pair, part.component, cell.sign * part.sign, part.is_magnitude}
                                   : cell;
    });
    for (auto& parts : computation.turn_parts) {
      (is_sine ? parts.sine : parts.cosine) = part;
    }
  };
}

/// The same computation, in which the other tables hold nothing that pairs are read off.
Computation with_one_table(Computation computation, std::size_t table) {
  for (std::size_t other = 0; other < computation.cells.size(); ++other) {
    for (auto& cell : computation.cells[other]) {
      cell.component = other == table ? cell.component : Component::zero;
    }
  }
  return computation;
}

/// The frequency that a column shows in the rows that fail, by cos w(p + 1) + cos w(p - 1) = 2 cos w cos w p,
/// and the same of sines; nothing where too few rows are neighbours.
std::optional<double> frequency_of(const Suspect& suspect, const Misses& misses, std::size_t column) {
  constexpr int least_rows = 8;
  const auto& positions = suspect.positions().front();
  double products = 0;
  double squares = 0;
  int rows = 0;
  for (std::size_t row = 1; row + 1 < suspect.rows(); ++row) {
    const bool are_neighbours =
        positions[row + 1] - positions[row] == 1 && positions[row] - positions[row - 1] == 1;
    if (are_neighbours && misses.fails(row - 1, column) && misses.fails(row, column) &&
        misses.fails(row + 1, column)) {
      const double got = misses.at(row, column).got;
      products += got * (misses.at(row - 1, column).got + misses.at(row + 1, column).got);
      squares += got * got;
      ++rows;
    }
  }
  const double cosine = products / (2 * squares);
  return rows >= least_rows && std::fabs(cosine) < 1 ? std::optional(std::acos(cosine)) : std::nullopt;
}

/// Factors between the frequencies that several columns show, each by itself, and those declared.
void propose_frequent_factors(const KindEdits& edits, const Misses& misses) {
  constexpr double doubt = 1e-4;
  constexpr int most_digits = 3;
  if (edits.suspect.vectors() != nullptr || edits.suspect.positions().size() > 1 ||
      !edits.suspect.places_are_positions()) {
    return;
  }
  FrequentNumbers factors;
  for (std::size_t column = 0; column < misses.columns().size(); ++column) {
    const int pair = misses.columns()[column].pair;
    const double declared = pair < 0 ? 0 : std::fabs(edits.base.frequency(pair));
    const auto shown = declared == 0 ? std::nullopt : frequency_of(edits.suspect, misses, column);
    for (const auto& factor :
         shown ? simple_factors(*shown / declared, doubt, most_digits) : std::vector<SimpleFactor>()) {
      factors.add(static_cast<double>(factor.value));
    }
  }
  for (const double by : factors.most_frequent()) {
    auto factor = simple_factors(by, 0x1p-50, most_digits).front();
    factor.bits += variant_bits;
    add_frequency_factor(edits, factor);
  }
}

}  // namespace

Proposals edits_of_regions(const Suspect& suspect, const Misses& misses, const Recovery& of_failing) {
  const auto& whole = misses.computation();
  auto base = whole;
  std::vector<bool> unread(suspect.rows());  // rows in which these pairs hold what is known
  for (std::size_t pair = 0; pair < base.tones.size(); ++pair) {
    const auto rows = std::views::iota(std::size_t{0}, suspect.rows());
    if (std::ranges::none_of(rows, [&](std::size_t row) { return misses.fails_in_pair(row, pair); })) {
      base.tones[pair] = Tone{};
      continue;
    }
    for (const auto row : rows) {
      unread[row] = unread[row] || misses.leaves_out(row, pair);
    }
  }
  Proposals result;
  const auto propose_places = [&](const Computation& looked_at) {
    const Clues clues{suspect, looked_at, of_failing, true, &unread};
    propose_position_maps(clues, result);
    propose_frequent_places(clues, result);
  };
  propose_places(base);
  for (std::size_t table = 0; base.cells.size() > 1 && table < base.cells.size(); ++table) {
    propose_places(with_one_table(base, table));
  }
  for (auto& proposal : result) {
    proposal.computation.tones = whole.tones;
    proposal.computation.cells = whole.cells;
  }
  const Clues clues{suspect, whole, of_failing};
  propose_frequent_factors({clues, fault_kind("frequency/factor"), result}, misses);
  const bool passes_some = suspect.vectors() != nullptr && whole.rotated.size() < suspect.width();
  KindEdits{clues, fault_kind("damage/row-zero"), result}.add(
      passes_some ? "what rotates is zero" : "all elements are zero", flag_bits,
      setting(&Computation::amplitude, 0));
  for (const bool is_sine : {false, true}) {
    for (const auto& [part, words] : turn_parts()) {
      if (part != TurnPart{is_sine ? Component::sine : Component::cosine}) {
        KindEdits{clues, fault_kind("mapping/parts"), result}.add(
            fmt::format("the {} is {}", is_sine ? "sine" : "cosine", words), variant_bits,
            with_part(is_sine, part));
      }
    }
  }
  for (const std::ptrdiff_t by : {1, -1}) {
    if (whole.pairs() > 1) {
      KindEdits{clues, fault_kind("frequency/other-pair"), result}.add(
          fmt::format("each pair turns at the frequency of the pair {} it", by > 0 ? "behind" : "before"),
          variant_bits, at_the_pair_behind(by));
    }
  }
  return result;
}

}  // namespace vernier
