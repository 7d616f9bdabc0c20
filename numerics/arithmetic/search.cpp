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

bool is_predicted(const StoredTable& table, const StoredSine& stored, const StoredSine& wanted) {
  return (!table.has_sines || same_bits(stored.sine, wanted.sine)) &&
         (!table.has_cosines || same_bits(stored.cosine, wanted.cosine));
}

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
      space.filter(pair, [&](const TableLeaf&, const StoredSine& stored) {
        return is_predicted(table, stored, wanted);
      });
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
      exceptions[leaf.index] += is_predicted(table, table.element(row, pair), predicted) ? 0 : 1;
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

std::array<RotationSet, 2> predicting_rotations(const RotationSpace& space, const StoredVectors& vectors,
                                                const RowOfPosition& rows) {
  std::array<RotationSet, 2> left{space.all(), space.all()};
  for_each_turned(vectors, rows,
                  [&](std::int64_t, std::size_t, const TurnedPair& turned, const StoredSine& by) {
                    for (std::size_t component = 0; component < 2; ++component) {
                      auto& set = left[component];
                      set = space.predicting(component, turned, vectors.sign, by, set);
                    }
                  });
  return left;
}

std::vector<ComponentRotation> rotations_in(const RotationSpace& space, const RotationSet& set) {
  std::vector<ComponentRotation> result;
  for (std::size_t i = 0; i < space.rotations().size(); ++i) {
    if (set[i]) {
      result.push_back(space.rotations()[i]);
    }
  }
  return result;
}

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

UnstoredTables::UnstoredTables(const StoredBits& bits)
    : vectors_(&bits.vectors.front()),
      tables_(bits.frequencies, {bits.amplitude, table_formats_for(vectors_->input), true, true}) {
  for (const auto format : table_formats_for(vectors_->input)) {
    rotations_.emplace_back(format, RotationSpace(format, vectors_->input, vectors_->output));
  }
  sets_.fill(std::vector<RotationSet>(tables_.leaves()));
  for (const auto& leaf : tables_.left()) {
    // What a table is rounded to before use is one with the format in which it is stored.
    const auto& space = rotations(leaf.format);
    for (std::size_t i = 0; i < space.rotations().size(); ++i) {
      const bool is_kept = space.rotations()[i].narrowing == TableNarrowing::kept;
      sets_[0][leaf.index].set(i, is_kept);
      sets_[1][leaf.index].set(i, is_kept);
    }
  }
}

const RotationSpace& UnstoredTables::rotations(Format table) const {
  return std::ranges::find(rotations_, table, &std::pair<Format, RotationSpace>::first)->second;
}

void UnstoredTables::keep_predicting() {
  using Sets = std::array<RotationSet, 2>;
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  std::unordered_map<Format, Sets> wanted;  // the rotations that are left at all, so that no others are asked
  std::map<std::tuple<Format, std::uint64_t, std::uint64_t>, Sets> known;  // of one pair, by sine and cosine
  for (std::size_t i = 0; i < vectors_->positions.size() && predicts(); ++i) {
    tables_.go_to(vectors_->positions[i]);
    const auto& pairs = vectors_->pairs[i];
    for (std::size_t pair = 0; pair < vectors_->pairs_of_vector; ++pair) {
      if (pair == 0 || i == 0) {
        wanted.clear();
        for (const auto& leaf : tables_.left()) {
          for (std::size_t component = 0; component < 2; ++component) {
            wanted[leaf.format][component] |= sets_[component][leaf.index];
          }
        }
      }
      known.clear();
      tables_.filter(pair, [&](const TableLeaf& leaf, const StoredSine& by) {
        const auto [found, is_new] =
            known.try_emplace({leaf.format, bits(by.sine), bits(by.cosine)}, wanted[leaf.format]);
        auto& right = found->second;
        for (auto at = pair; is_new && at < pairs.size() && right[0].any() && right[1].any();
             at += vectors_->pairs_of_vector) {
          for (std::size_t component = 0; component < 2; ++component) {
            right[component] =
                rotations(leaf.format).predicting(component, pairs[at], vectors_->sign, by, right[component]);
          }
        }
        auto& y0 = sets_[0][leaf.index] &= right[0];
        auto& y1 = sets_[1][leaf.index] &= right[1];
        return y0.any() && y1.any();
      });
    }
  }
}

void UnstoredTables::keep_pinned(std::span<const PinnedWay> pinned) {
  tables_.keep_pinned(pinned);
  for (const auto& leaf : tables_.left()) {
    for (std::size_t component = 0; component < 2; ++component) {
      sets_[component][leaf.index] &= rotations(leaf.format).taking(component, pinned);
    }
  }
}

std::vector<TurningLeaf> UnstoredTables::left() const {
  return mapped(tables_.left(), [&](const TableLeaf& leaf) {
    return TurningLeaf{leaf, sets_[0][leaf.index], sets_[1][leaf.index]};
  });
}

std::size_t UnstoredTables::computations() const {
  std::size_t most = 0;
  for (const auto& [format, space] : rotations_) {
    most = std::max(most, space.rotations().size());
  }
  return tables_.computations() * most * most;
}

}  // namespace vernier
