// What is looked for in regions alone.

#include <algorithm>
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

}  // namespace

Proposals edits_of_regions(const Suspect& suspect, const Misses& misses, const Recovery& of_failing) {
  const auto& whole = misses.computation();
  auto base = whole;
  for (std::size_t pair = 0; pair < base.tones.size(); ++pair) {
    const auto rows = std::views::iota(std::size_t{0}, suspect.rows());
    const bool fails =
        std::ranges::any_of(rows, [&](std::size_t row) { return misses.fails_in_pair(row, pair); });
    base.tones[pair] = fails ? base.tones[pair] : Tone{};
  }
  Proposals result;
  const auto propose_places = [&](const Computation& looked_at) {
    propose_position_maps({suspect, looked_at, of_failing}, result);
    propose_frequent_places({suspect, looked_at, of_failing}, result);
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
