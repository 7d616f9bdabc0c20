// Leaves share prefixes, the furthest positions come first for they kill most leaves, and what is left is
// filtered to the last element: there is no early stop, for sets shrink late.

#include "numerics/arithmetic/search.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <unordered_map>

#include "numerics/arithmetic/rounding.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// The formats in which tables meet vectors of a format.
std::vector<Format> table_formats_for(Format input) {
  using enum Format;
  switch (input) {
    case binary64:
      return {binary64, binary32};
    case binary32:
      return {binary64, binary32, binary16, bfloat16};
    default:
      return {binary64, binary32, input};
  }
}

}  // namespace

TableSpace space_of(const StoredBits& bits, const StoredTable& table) {
  return {bits.frequencies, {bits.amplitude, {table.format}, table.has_sines, table.has_cosines}};
}

bool keep_predicting(TableSpace& space, const StoredTable& table) {
  if (table.repeated != 0) {
    space.keep_first(0);
  }
  for (std::size_t row = 0; row < table.positions.size() && !space.left().empty(); ++row) {
    space.go_to(table.positions[row]);
    for (std::size_t pair = 0; pair < table.pairs; ++pair) {
      const auto& wanted = table.element(row, pair);
      space.filter(pair,
                   [&](const TableLeaf&, const StoredSine& stored) { return stored.has_bits_of(wanted); });
    }
  }
  return !space.left().empty();
}

LikelyLeaf likeliest_leaf(TableSpace& space, const StoredTable& table) {
  constexpr std::size_t most = 1500;
  const auto all = table.elements.size();
  const auto step = std::max<std::size_t>(1, all / most) | 1U;
  std::vector<std::size_t> exceptions(space.leaves());
  std::size_t asked = 0;
  for (std::size_t i = 0; i < all; i += step, ++asked) {
    const auto row = i / table.pairs;
    const auto pair = i % table.pairs;
    space.go_to(table.positions[row]);
    space.filter(pair, [&](const TableLeaf& leaf, const StoredSine& predicted) {
      exceptions[leaf.index] += predicted.has_bits_of(table.element(row, pair)) ? 0 : 1;
      return true;
    });
  }
  const auto by_exceptions = [&](const TableLeaf& leaf) { return exceptions[leaf.index]; };
  const auto leaf = std::ranges::min(space.left(), {}, by_exceptions);
  return {leaf, by_exceptions(leaf), asked};
}

RowOfPosition rows_made(TableSpace& space, const TableLeaf& leaf) {
  return [&space, leaf, made = std::map<std::int64_t, std::vector<StoredSine>>()](
             std::int64_t position) mutable -> std::span<const StoredSine> {
    auto& row = made[position];
    if (row.empty()) {
      space.go_to(position);
      for (std::size_t pair = 0; pair < space.pairs(); ++pair) {
        row.push_back(space.element(leaf, pair));
      }
    }
    return row;
  };
}

RowOfPosition rows_of(const StoredTable& table) {
  std::unordered_map<std::int64_t, std::size_t> rows;
  for (std::size_t row = 0; row < table.positions.size(); ++row) {
    rows.emplace(table.positions[row], row);
  }
  return [&table, rows](std::int64_t position) -> std::span<const StoredSine> {
    const auto found = rows.find(position);
    return found == rows.end() ? std::span<const StoredSine>()
                               : std::span(table.elements).subspan(found->second * table.pairs, table.pairs);
  };
}

RotationSets predicting_rotations(const RotationSpace& space, const StoredVectors& vectors,
                                  const RowOfPosition& rows) {
  auto left = space.taking(no_arithmetic);
  for_each_turned(vectors, rows,
                  [&](std::int64_t, std::size_t, const TurnedPair& turned, const StoredSine& by) {
                    for (std::size_t component = 0; component < 2; ++component) {
                      auto& set = left[component];
                      set = space.predicting(component, turned, vectors.sign, by, set);
                    }
                  });
  return left;
}

RotationTally tally_of(const RotationSpace& space, const RotationSets& rotations,
                       const StoredVectors& vectors, const RowOfPosition& rows, std::size_t step,
                       std::size_t most) {
  RotationTally result;
  result.predicted.fill(std::vector<std::size_t>(space.size()));
  for (std::size_t i = 0; i < vectors.positions.size(); i += step) {
    const auto row = rows(vectors.positions[i]);
    const auto count = row.empty() ? 0 : std::min(most, vectors.pairs[i].size());
    for (std::size_t at = 0; at < count; ++at, ++result.asked) {
      for (std::size_t component = 0; component < 2; ++component) {
        for_each_in(space.predicting(component, vectors.pairs[i][at], vectors.sign,
                                     row[at % vectors.pairs_of_vector], rotations[component]),
                    [&](std::size_t one) { ++result.predicted[component][one]; });
      }
    }
  }
  return result;
}

Differences exceptions_of(const RotationSpace& space,
                          const std::array<std::optional<std::size_t>, 2>& rotations,
                          const StoredVectors& vectors, const RowOfPosition& rows) {
  Differences result;
  for_each_turned(
      vectors, rows,
      [&](std::int64_t position, std::size_t pair, const TurnedPair& turned, const StoredSine& by) {
        for (std::size_t component = 0; component < 2; ++component) {
          if (const auto& rotation = rotations[component]) {
            result.add({position, pair, turned.x0, turned.x1}, component == 0 ? "y0" : "y1",
                       component == 0 ? turned.y0 : turned.y1,
                       space.predicted(*rotation, component, turned, vectors.sign, by));
          }
        }
      });
  return result;
}

UnstoredTables::UnstoredTables(const StoredBits& bits)
    : vectors_(&bits.vectors.front()),
      tables_(bits.frequencies, {bits.amplitude, table_formats_for(vectors_->input), true, true}) {
  // What a table is rounded to before use is one with the format in which it is stored.
  auto as_stored = no_arithmetic;
  at(as_stored, ArithmeticStage::narrowing) = index_of(TableNarrowing::kept);
  std::map<Format, RotationSets> kept;
  for (const auto format : table_formats_for(vectors_->input)) {
    const auto space = rotations_.try_emplace(format, format, vectors_->input, vectors_->output).first;
    kept.emplace(format, space->second.taking(as_stored));
  }
  sets_ = mapped(tables_.left(), [&](const TableLeaf& leaf) { return kept.at(leaf.format()); });
}

bool UnstoredTables::keep_predicting() {
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  std::unordered_map<Format, RotationSets> wanted;  // those that are left at all, so that no others are asked
  // Of one pair, by sine and cosine.
  std::map<std::tuple<Format, std::uint64_t, std::uint64_t>, RotationSets> known;
  for (std::size_t i = 0; i < vectors_->positions.size() && !tables_.left().empty(); ++i) {
    tables_.go_to(vectors_->positions[i]);
    const auto& pairs = vectors_->pairs[i];
    for (std::size_t pair = 0; pair < vectors_->pairs_of_vector; ++pair) {
      if (pair == 0 || i == 0) {
        wanted.clear();
        for (const auto& leaf : tables_.left()) {
          for (std::size_t component = 0; component < 2; ++component) {
            wanted[leaf.format()][component] |= sets_[leaf.index][component];
          }
        }
      }
      known.clear();
      tables_.filter(pair, [&](const TableLeaf& leaf, const StoredSine& by) {
        const auto [found, is_new] =
            known.try_emplace({leaf.format(), bits(by.sine), bits(by.cosine)}, wanted[leaf.format()]);
        auto& right = found->second;
        for (auto at = pair; is_new && at < pairs.size() && right[0].any() && right[1].any();
             at += vectors_->pairs_of_vector) {
          for (std::size_t component = 0; component < 2; ++component) {
            right[component] = rotations(leaf.format())
                                   .predicting(component, pairs[at], vectors_->sign, by, right[component]);
          }
        }
        auto& [y0, y1] = sets_[leaf.index];
        y0 &= right[0];
        y1 &= right[1];
        return y0.any() && y1.any();
      });
    }
  }
  return !tables_.left().empty();
}

void UnstoredTables::keep_pinned(const ArithmeticWays& pinned) {
  tables_.keep_pinned(pinned);
  for (const auto& [format, space] : rotations_) {
    const auto taking = space.taking(pinned);
    for (const auto& leaf : tables_.left()) {
      for (std::size_t component = 0; component < 2 && leaf.format() == format; ++component) {
        sets_[leaf.index][component] &= taking[component];
      }
    }
  }
}

std::vector<TurningLeaf> UnstoredTables::left() const {
  return mapped(tables_.left(), [&](const TableLeaf& leaf) { return TurningLeaf{leaf, sets_[leaf.index]}; });
}

std::size_t UnstoredTables::computations() const {
  std::size_t most = 0;
  for (const auto& [format, space] : rotations_) {
    most = std::max(most, space.size());
  }
  return tables_.computations() * most * most;
}

}  // namespace vernier
