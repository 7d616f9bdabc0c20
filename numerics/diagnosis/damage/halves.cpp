// Doubled tables, which hold every column twice, one half of which is not as the other.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "numerics/decoding/pair_signal.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_doubled_rows = 64;
/// Another fault may have damaged some rows.
constexpr double least_alike_share = 0.9;

using Cells = std::vector<Cell>;

/// Half of the columns: the first ones or the last ones, or every other one.
struct Half {
  std::string words;
  std::vector<std::size_t> columns;
};

std::vector<Half> halves_of(std::size_t width) {
  std::vector<Half> halves{
      {"first half", {}}, {"second half", {}}, {"even columns", {}}, {"odd columns", {}}};
  for (std::size_t column = 0; column < width; ++column) {
    halves[2 * column < width ? 0 : 1].columns.push_back(column);
    halves[column % 2 == 0 ? 2 : 3].columns.push_back(column);
  }
  return halves;
}

/// The two columns that hold one component of one pair.
using Twins = std::vector<std::pair<std::size_t, std::size_t>>;

/// Nothing where it is not so that each component is held by two columns.
std::optional<Twins> twins_of(const Cells& cells) {
  std::map<std::pair<int, Component>, std::vector<std::size_t>> columns;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    columns[{cells[c].pair, cells[c].component}].push_back(c);
  }
  Twins twins;
  for (const auto& [component, held] : columns) {
    if (held.size() != 2) {
      return std::nullopt;
    }
    twins.emplace_back(held[0], held[1]);
  }
  return twins.size() < 2 ? std::nullopt : std::optional(twins);
}

bool is_of_twins(const Half& half, const Twins& twins) {
  const std::set<std::size_t> columns(half.columns.begin(), half.columns.end());
  return std::ranges::all_of(
      twins, [&](const auto& both) { return columns.contains(both.first) != columns.contains(both.second); });
}

/// Whether the columns of a component are alike in nearly all rows, signs apart, and those of none are zero.
bool are_alike(const Suspect& suspect, std::size_t table, const Cells& cells) {
  const auto& tensor = suspect.tables()[table];
  std::vector<double> row(cells.size());
  std::map<std::pair<int, Component>, double> seen;
  std::size_t alike = 0;
  const auto rows = spread_rows(suspect.rows(), most_doubled_rows);
  for (const auto r : rows) {
    tensor.tensor->numbers(r * row.size(), row);
    seen.clear();
    bool fits = true;
    for (std::size_t c = 0; fits && c < cells.size(); ++c) {
      if (cells[c].component == Component::zero) {
        fits = row[c] == 0;
        continue;
      }
      const double value = cells[c].sign * row[c];
      const auto [entry, is_new] = seen.emplace(std::pair(cells[c].pair, cells[c].component), value);
      fits = is_new || entry->second == value;
    }
    alike += fits ? 1 : 0;
  }
  return static_cast<double>(alike) >= least_alike_share * static_cast<double>(rows.size());
}

/// Whether the pairs of these columns are measured to turn the other way, and no others.
bool turn_the_other_way(const Clues& clues, const Half& half, const Cells& cells) {
  std::set<int> of_half;
  for (const auto column : half.columns) {
    of_half.insert(cells[column].pair);
  }
  bool is_seen = false;
  for (std::size_t i = 0; i < clues.recovery.phasors.size(); ++i) {
    const auto& phasor = clues.recovery.phasors[i];
    if (phasor && std::fabs(phasor->frequency) > 4 * phasor->uncertainty) {
      const bool is_turned = phasor->frequency < 0;
      if (is_turned != of_half.contains(static_cast<int>(i))) {
        return false;
      }
      is_seen = is_seen || is_turned;
    }
  }
  return is_seen;
}

/// Proposes what is wrong with a half of a table.
void propose_half(const KindEdits& edits, std::size_t table, const Half& half, const Twins& twins,
                  bool are_twins_alike) {
  const auto& declared = edits.base.cells[table];
  const auto count = half.columns.size();
  const auto holds = [&](const Cells& cells) { return are_alike(edits.suspect, table, cells); };
  const auto propose = [&](std::string_view what, const auto& cell_of, const auto& is_seen) {
    auto cells = declared;
    for (std::size_t i = 0; i < count; ++i) {
      cells[half.columns[i]] = cell_of(i);
    }
    if (is_seen(cells)) {
      edits.add(fmt::format("the {} of {} {}", half.words, edits.suspect.tables()[table].role, what),
                is_of_twins(half, twins) ? listed_bits : damaged_bits + flag_bits,
                [&](Computation& computation) { computation.cells[table] = std::move(cells); });
    }
  };
  const auto at = [&](std::size_t i) { return declared[half.columns[i % count]]; };
  const auto is_moved = [&](const Cells& cells) { return !are_twins_alike && holds(cells); };
  propose(
      "has the opposite sign",
      [&](std::size_t i) {
        auto cell = at(i);
        cell.sign = -cell.sign;
        return cell;
      },
      [&](const Cells& cells) {
        return are_twins_alike ? turn_the_other_way(edits, half, declared) : holds(cells);
      });
  propose(
      "is zero",
      [&](std::size_t i) {
        auto cell = at(i);
        cell.component = Component::zero;
        return cell;
      },
      holds);
  propose(
      "is one column ahead", [&](std::size_t i) { return at(i + 1); }, is_moved);
  if (count > 2) {
    propose(
        "is one column behind", [&](std::size_t i) { return at(i + count - 1); }, is_moved);
  }
}

void propose_halves(const KindEdits& edits) {
  for (std::size_t table = 0; table < edits.base.cells.size(); ++table) {
    const auto& cells = edits.base.cells[table];
    if (const auto twins = twins_of(cells)) {
      const bool are_twins_alike = are_alike(edits.suspect, table, cells);
      for (const auto& half : halves_of(cells.size())) {
        propose_half(edits, table, half, *twins, are_twins_alike);
      }
    }
  }
}

}  // namespace

StageEdits halves_edits() {
  // What columns hold is a matter of the mapping: all else is measured after it.
  return {{"damage/halves", propose_halves, false, Stage::mapping}};
}

}  // namespace vernier
