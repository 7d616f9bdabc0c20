// Leaves share prefixes, the furthest positions come first for they kill most leaves, and what is left is
// filtered to the last element: there is no early stop, for sets shrink late.

#include "numerics/arithmetic/search.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "numerics/arithmetic/rounding.hpp"

namespace vernier {

bool is_predicted(const StoredTable& table, const StoredSine& stored, const StoredSine& wanted) {
  return (!table.has_sines || same_bits(stored.sine, wanted.sine)) &&
         (!table.has_cosines || same_bits(stored.cosine, wanted.cosine));
}

TableSpace space_of(const StoredBits& bits, const StoredTable& table) {
  return {bits.frequencies, {bits.amplitude, {table.format}, table.has_sines, table.has_cosines}};
}

void keep_predicting(TableSpace& space, const StoredTable& table) {
  for (std::size_t row = 0; row < table.positions.size() && !space.branches().empty(); ++row) {
    space.go_to(table.positions[row]);
    for (std::size_t pair = 0; pair < table.pairs; ++pair) {
      const auto& wanted = table.element(row, pair);
      space.filter(pair, [&](const TableLeaf&, const StoredSine& stored) {
        return is_predicted(table, stored, wanted);
      });
    }
  }
  if (table.repeated != 0) {
    space.branches().clear();
  }
}

std::vector<std::pair<std::size_t, std::size_t>> sample_of(const StoredTable& table, std::size_t most) {
  const auto all = table.elements.size();
  const auto step = std::max<std::size_t>(1, all / most) | 1U;
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t i = 0; i < all; i += step) {
    result.emplace_back(i / table.pairs, i % table.pairs);
  }
  return result;
}

std::vector<std::size_t> exceptions_in(TableSpace& space, const StoredTable& table,
                                       const std::vector<std::pair<std::size_t, std::size_t>>& elements) {
  std::vector<std::size_t> result(space.leaves());
  for (const auto& [row, pair] : elements) {
    space.go_to(table.positions[row]);
    const auto& wanted = table.element(row, pair);
    space.filter(pair, [&](const TableLeaf& leaf, const StoredSine& stored) {
      result[leaf.index] += static_cast<std::size_t>(!is_predicted(table, stored, wanted));
      return true;
    });
  }
  return result;
}

void visit_exceptions(
    TableSpace space, std::size_t leaf, const StoredTable& table,
    const std::function<void(std::int64_t, std::size_t, const StoredSine&, const StoredSine&)>& visit) {
  for (std::size_t row = 0; row < table.positions.size(); ++row) {
    space.go_to(table.positions[row]);
    for (std::size_t pair = 0; pair < table.pairs; ++pair) {
      space.filter(pair, [&](const TableLeaf& one, const StoredSine& predicted) {
        const auto& stored = table.element(row, pair);
        if (one.index == leaf && !is_predicted(table, predicted, stored)) {
          visit(table.positions[row], pair, stored, predicted);
        }
        return one.index == leaf;
      });
    }
  }
}

RowOfPosition rows_made(TableSpace& space, const PhaseBranch& branch, SineFunction function,
                        const TableLeaf& leaf) {
  return [&space, branch, function, leaf, made = std::map<std::int64_t, std::vector<StoredSine>>()](
             std::int64_t position) mutable -> std::span<const StoredSine> {
    auto& row = made[position];
    if (row.empty()) {
      space.go_to(position);
      for (std::size_t pair = 0; pair < space.pairs(); ++pair) {
        row.push_back(
            space.stored(leaf, function, space.sine(branch, function, pair, space.phase(branch, pair))));
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
  for (std::size_t i = 0; i < vectors.positions.size(); ++i) {
    const auto row = rows(vectors.positions[i]);
    for (std::size_t at = 0; at < vectors.pairs[i].size() && !row.empty(); ++at) {
      const auto& pair = vectors.pairs[i][at];
      const auto& by = row[at % vectors.pairs_of_vector];
      for (int component = 0; component < 2; ++component) {
        auto& set = left[static_cast<std::size_t>(component)];
        set = space.predicting(component, pair, vectors.sign, by, set);
      }
    }
  }
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

/// The rotations that predict all vectors of one element, by what the tables hold there.
class UnstoredTables::Asked {
 public:
  explicit Asked(const UnstoredTables& of) : of_(&of) {}

  /// Which rotations are left at all, of each format, so that no others are asked.
  void recall() {
    wanted_.clear();
    for (const auto& [format, space] : of_->rotations_) {
      wanted_[format] = {};
    }
    of_->tables_.for_each([&](const PhaseBranch&, const SineBranch&, const TableLeaf& leaf) {
      for (std::size_t component = 0; component < 2; ++component) {
        wanted_[leaf.format][component] |= of_->sets_[component][leaf.index];
      }
    });
  }
  void go_to(std::size_t position, std::size_t pair) {
    position_ = position;
    pair_ = pair;
    known_.clear();
  }
  const std::array<RotationSet, 2>& predicting(Format format, const StoredSine& by) {
    const Key key{format, std::bit_cast<std::uint64_t>(by.cosine), std::bit_cast<std::uint64_t>(by.sine)};
    const auto [found, is_new] = known_.try_emplace(key);
    if (is_new) {
      found->second = computed(format, by);
    }
    return found->second;
  }

 private:
  struct Key {
    Format format;
    std::uint64_t cosine;
    std::uint64_t sine;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const {
      return (key.cosine * 0x9e3779b97f4a7c15U ^ key.sine) * 0x9e3779b97f4a7c15U +
             static_cast<std::size_t>(key.format);
    }
  };

  std::array<RotationSet, 2> computed(Format format, const StoredSine& by) const {
    auto result = wanted_.at(format);
    const auto& vectors = *of_->vectors_;
    const auto& pairs = vectors.pairs[position_];
    const auto& space = of_->rotations(format);
    for (std::size_t at = pair_; at < pairs.size(); at += vectors.pairs_of_vector) {
      for (int component = 0; component < 2; ++component) {
        auto& set = result[static_cast<std::size_t>(component)];
        set = space.predicting(component, pairs[at], vectors.sign, by, set);
      }
      if (result[0].none() || result[1].none()) {
        return {};
      }
    }
    return result;
  }

  const UnstoredTables* of_;
  std::size_t position_ = 0;
  std::size_t pair_ = 0;
  std::unordered_map<Format, std::array<RotationSet, 2>> wanted_;
  std::unordered_map<Key, std::array<RotationSet, 2>, HashOfKey> known_;
};

UnstoredTables::UnstoredTables(const StoredBits& bits)
    : vectors_(&bits.vectors.front()),
      tables_(bits.frequencies, {bits.amplitude, table_formats_for(vectors_->input), true, true}) {
  for (const auto format : table_formats_for(vectors_->input)) {
    rotations_.emplace_back(format, RotationSpace(format, vectors_->input, vectors_->output));
  }
  sets_.fill(std::vector<RotationSet>(tables_.leaves()));
  tables_.for_each([&](const PhaseBranch&, const SineBranch&, const TableLeaf& leaf) {
    // What a table is rounded to before use is one with the format in which it is stored.
    const auto& space = rotations(leaf.format);
    for (std::size_t i = 0; i < space.rotations().size(); ++i) {
      const bool is_kept = space.rotations()[i].narrowing == TableNarrowing::kept;
      sets_[0][leaf.index].set(i, is_kept);
      sets_[1][leaf.index].set(i, is_kept);
    }
  });
}

const RotationSpace& UnstoredTables::rotations(Format table) const {
  return std::ranges::find(rotations_, table, &std::pair<Format, RotationSpace>::first)->second;
}

void UnstoredTables::keep_predicting() {
  Asked asked(*this);
  for (std::size_t i = 0; i < vectors_->positions.size() && !tables_.branches().empty(); ++i) {
    tables_.go_to(vectors_->positions[i]);
    for (std::size_t pair = 0; pair < vectors_->pairs_of_vector; ++pair) {
      if (pair == 0 || i == 0) {
        asked.recall();
      }
      asked.go_to(i, pair);
      tables_.filter(pair, [&](const TableLeaf& leaf, const StoredSine& by) {
        const auto& sets = asked.predicting(leaf.format, by);
        auto& y0 = sets_[0][leaf.index];
        auto& y1 = sets_[1][leaf.index];
        y0 &= sets[0];
        y1 &= sets[1];
        return y0.any() && y1.any();
      });
    }
  }
}

void UnstoredTables::keep_pinned(std::span<const PinnedWay> pinned) {
  tables_.keep_pinned(pinned);
  tables_.for_each([&](const PhaseBranch&, const SineBranch&, const TableLeaf& leaf) {
    const auto& all = rotations(leaf.format).rotations();
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (int component = 0; component < 2; ++component) {
        if (!takes(with_rotation(no_arithmetic, component, all[i]), pinned)) {
          sets_[static_cast<std::size_t>(component)][leaf.index].reset(i);
        }
      }
    }
  });
}

std::vector<TurningLeaf> UnstoredTables::left() const {
  std::vector<TurningLeaf> result;
  tables_.for_each([&](const PhaseBranch& branch, const SineBranch& sines, const TableLeaf& leaf) {
    result.push_back({&branch, &sines, &leaf, sets_[0][leaf.index], sets_[1][leaf.index]});
  });
  return result;
}

std::size_t UnstoredTables::computations() const {
  std::size_t most = 0;
  for (const auto& [format, space] : rotations_) {
    most = std::max(most, space.rotations().size());
  }
  return tables_.computations() * most * most;
}

}  // namespace vernier
