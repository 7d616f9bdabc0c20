#include "numerics/arithmetic/pinned_bits.hpp"

#include <algorithm>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/arithmetic/search.hpp"

namespace vernier {
namespace {

/// How much is asked to find the computation with fewest exceptions where none has none.
constexpr std::size_t sampled_numbers = 1500;
constexpr std::size_t sampled_positions = 2;
constexpr std::size_t sampled_pairs = 8;

constexpr bool pins_rotation(const PinnedWay& one) {
  return one.stage >= ArithmeticStage::narrowing;
}

void add_exception(PinnedBits& to, const TellingInput& input, std::string_view component, double stored,
                   double predicted) {
  if (same_bits(stored, predicted)) {
    return;
  }
  const auto pair = static_cast<std::int64_t>(input.pair);
  if (to.exceptions++ == 0) {
    to.positions = {input.position, input.position};
    to.pairs = {pair, pair};
  }
  to.positions.include({input.position, input.position});
  to.pairs.include({pair, pair});
  const auto place = [](const TellingInput& of) { return std::pair(std::llabs(of.position), of.pair); };
  if (!to.first || place(input) < place(to.first->input)) {
    to.first = {input, std::string(component), stored, predicted};
  }
}

PinnedBits of_table(const StoredBits& bits, const StoredTable& table, std::span<const PinnedWay> pinned) {
  const auto components = static_cast<std::size_t>(table.has_sines) + std::size_t{table.has_cosines};
  PinnedBits result{
      .tensors = "tables", .format = table.format, .numbers = components * table.elements.size()};
  result.exceptions = table.repeated;
  auto space = space_of(bits, table);
  space.keep_pinned(pinned);
  if (space.branches().empty()) {
    result.has_computation = false;
    return result;
  }
  auto left = space;
  keep_predicting(left, table);
  if (!left.branches().empty() || table.repeated != 0) {
    return result;
  }
  const auto exceptions = exceptions_in(space, table, sample_of(table, sampled_numbers));
  std::size_t best = space.branches().front().sines.front().leaves.front().index;
  space.for_each([&](const PhaseBranch&, const SineBranch&, const TableLeaf& leaf) {
    best = exceptions[leaf.index] < exceptions[best] ? leaf.index : best;
  });
  visit_exceptions(
      space, best, table,
      [&](std::int64_t position, std::size_t pair, const StoredSine& stored, const StoredSine& predicted) {
        if (table.has_cosines) {
          add_exception(result, {position, pair}, "cos", stored.cosine, predicted.cosine);
        }
        if (table.has_sines) {
          add_exception(result, {position, pair}, "sin", stored.sine, predicted.sine);
        }
      });
  return result;
}

/// A rotation of both components.
struct PinnedRotation {
  std::array<std::size_t, 2> ways{};  ///< of y0 and of y1
  std::size_t exceptions = std::size_t(-1);
};

/// The rotations that take the pinned ways, and what they make of vectors.
class PinnedRotations {
 public:
  PinnedRotations(const RotationSpace& space, const StoredVectors& vectors, std::span<const PinnedWay> pinned)
      : space_(&space), vectors_(&vectors) {
    for (std::size_t i = 0; i < space.rotations().size(); ++i) {
      for (int component = 0; component < 2; ++component) {
        asked_[static_cast<std::size_t>(component)].set(
            i, takes(with_rotation(no_arithmetic, component, space.rotations()[i]), pinned));
      }
    }
  }

  bool has_any() const { return asked_[0].any() && asked_[1].any(); }
  /// That with fewest exceptions. \param step from one position that is asked to the next \param most pairs
  /// that are asked at each
  PinnedRotation best(const RowOfPosition& rows, std::size_t step, std::size_t most) const {
    std::array<std::vector<std::size_t>, 2> right;
    right.fill(std::vector<std::size_t>(space_->rotations().size()));
    std::size_t asked = 0;
    for (std::size_t i = 0; i < vectors_->positions.size(); i += step) {
      const auto row = rows(vectors_->positions[i]);
      const auto count = row.empty() ? 0 : std::min(most, vectors_->pairs[i].size());
      for (std::size_t at = 0; at < count; ++at, ++asked) {
        for (int component = 0; component < 2; ++component) {
          const auto which = static_cast<std::size_t>(component);
          const auto set = space_->predicting(component, vectors_->pairs[i][at], vectors_->sign,
                                              row[at % vectors_->pairs_of_vector], asked_[which]);
          for (std::size_t one = set._Find_first(); one < right[which].size(); one = set._Find_next(one)) {
            ++right[which][one];
          }
        }
      }
    }
    PinnedRotation result;
    for (std::size_t i = 0; i < right[0].size(); ++i) {
      for (std::size_t j = 0; j < right[1].size(); ++j) {
        const auto exceptions = 2 * asked - right[0][i] - right[1][j];
        if (asked_[0][i] && asked_[1][j] && exceptions < result.exceptions &&
            space_->rotations()[i].narrowing == space_->rotations()[j].narrowing) {
          result = {{i, j}, exceptions};
        }
      }
    }
    return result;
  }
  void tell(const PinnedRotation& of, const RowOfPosition& rows, PinnedBits& to) const {
    for (std::size_t i = 0; i < vectors_->positions.size(); ++i) {
      const auto row = rows(vectors_->positions[i]);
      to.unasked += row.empty() ? 2 * vectors_->pairs[i].size() : 0;
      for (std::size_t at = 0; at < vectors_->pairs[i].size() && !row.empty() && of.exceptions != 0; ++at) {
        const auto pair = at % vectors_->pairs_of_vector;
        const auto& one = vectors_->pairs[i][at];
        const TellingInput input{vectors_->positions[i], pair, one.x0, one.x1};
        const auto predicted = [&](int component) {
          return space_->predicted(of.ways[static_cast<std::size_t>(component)], component, one,
                                   vectors_->sign, row[pair]);
        };
        add_exception(to, input, "y0", one.y0, predicted(0));
        add_exception(to, input, "y1", one.y1, predicted(1));
      }
    }
  }

 private:
  const RotationSpace* space_;
  const StoredVectors* vectors_;
  std::array<RotationSet, 2> asked_;
};

void judge_rotation(PinnedBits& result, const RotationSpace& space, const StoredVectors& vectors,
                    const RowOfPosition& rows, std::span<const PinnedWay> pinned) {
  const PinnedRotations rotations(space, vectors, pinned);
  result.has_computation = rotations.has_any();
  if (rotations.has_any()) {
    rotations.tell(rotations.best(rows, 1, std::size_t(-1)), rows, result);
  }
}

/// Vectors without a table: every table of the space that takes the ways.
void judge_unstored(PinnedBits& result, const StoredBits& bits, const StoredVectors& vectors,
                    std::span<const PinnedWay> pinned) {
  auto part = bits;
  part.vectors = {vectors};
  UnstoredTables space(part);
  space.keep_pinned(pinned);
  auto left = space;
  left.keep_predicting();
  if (left.predicts()) {
    return;
  }
  // Tables by which some rotation predicts them come before all others.
  UnstoredTables turning(part);
  turning.tables().keep_pinned(pinned);
  auto leaves = space.left();
  turning.keep_predicting();
  if (turning.predicts()) {
    leaves = turning.left();
  }
  const auto step = std::max<std::size_t>(1, vectors.positions.size() / sampled_positions);
  const TurningLeaf* best = nullptr;
  std::size_t fewest = std::size_t(-1);
  const auto rows_by = [&](const TurningLeaf& one) {
    return rows_made(space.tables(), *one.branch, one.sines->function, *one.leaf);
  };
  for (const auto& one : leaves) {
    const PinnedRotations rotations(space.rotations(one.leaf->format), vectors, pinned);
    if (const auto found = rotations.best(rows_by(one), step, sampled_pairs); found.exceptions < fewest) {
      fewest = found.exceptions;
      best = &one;
    }
  }
  result.has_computation = best != nullptr;
  if (best != nullptr) {
    judge_rotation(result, space.rotations(best->leaf->format), vectors, rows_by(*best), pinned);
  }
}

PinnedBits of_vectors(const StoredBits& bits, const StoredVectors& vectors,
                      std::span<const PinnedWay> pinned) {
  PinnedBits result{.tensors = vectors.role, .format = vectors.output, .numbers = 2 * vectors.count()};
  if (bits.tables.empty()) {
    judge_unstored(result, bits, vectors, pinned);
  } else {
    const auto& table = bits.tables.front();
    judge_rotation(result, RotationSpace(table.format, vectors.input, vectors.output), vectors,
                   rows_of(table), pinned);
  }
  return result;
}

/// The pinned stages of a table, or of a rotation, whose ways the bits do not show.
void tell_parted(PinnedBits& of, const ArithmeticFinding& finding, std::span<const PinnedWay> pinned) {
  const auto own = std::ranges::find(finding.others, of.tensors, &ArithmeticFinding::name);
  for (const auto& stage : own == finding.others.end() ? finding.stages : own->stages) {
    const auto way = std::ranges::find(pinned, stage.stage, &PinnedWay::stage);
    if (way != pinned.end() && pins_rotation(*way) == (of.tensors != "tables") &&
        std::ranges::find(stage.ways, way->way) == stage.ways.end()) {
      of.parted.push_back({stage.stage, way->way, stage.ways});
    }
  }
}

}  // namespace

std::vector<PinnedBits> judge_pinned(const StoredBits& bits, std::span<const PinnedWay> pinned) {
  std::vector<PinnedBits> result;
  for (const auto& table : bits.tables) {
    result.push_back(of_table(bits, table, pinned));
  }
  for (const auto& vectors : bits.vectors) {
    result.push_back(of_vectors(bits, vectors, pinned));
  }
  if (bits.vectors.empty() && std::ranges::any_of(pinned, pins_rotation)) {
    result.push_back({.tensors = "rotated"});
  }
  if (std::ranges::any_of(result, [](const PinnedBits& one) { return one.exceptions != 0; })) {
    const auto finding = find_arithmetic(bits);
    for (auto& one : result) {
      if (one.exceptions != 0) {
        tell_parted(one, finding, pinned);
      }
    }
  }
  return result;
}

}  // namespace vernier
