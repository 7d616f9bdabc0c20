#include "numerics/arithmetic/pinned_bits.hpp"

#include <algorithm>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/arithmetic/search.hpp"

namespace vernier {
namespace {

/// How much is asked to find the computation with fewest exceptions where none has none.
constexpr std::size_t sampled_positions = 2;
constexpr std::size_t sampled_pairs = 8;

constexpr bool pins_rotation(const PinnedWay& one) {
  return one.stage >= ArithmeticStage::narrowing;
}

PinnedBits of_table(const StoredBits& bits, const StoredTable& table, std::span<const PinnedWay> pinned) {
  const auto components = static_cast<std::size_t>(table.has_sines) + std::size_t{table.has_cosines};
  PinnedBits result{
      .tensors = "tables", .format = table.format, .numbers = components * table.elements.size()};
  result.exceptions.count = table.repeated;
  auto space = space_of(bits, table);
  space.keep_pinned(pinned);
  if (space.left().empty()) {
    result.has_computation = false;
    return result;
  }
  auto left = space;
  if (keep_predicting(left, table) || table.repeated != 0) {
    return result;
  }
  visit_exceptions(
      space, likeliest_leaf(space, table).leaf, table,
      [&](std::int64_t position, std::size_t pair, const StoredSine& stored, const StoredSine& predicted) {
        if (table.has_cosines) {
          result.exceptions.add({position, pair}, "cos", stored.cosine, predicted.cosine);
        }
        if (table.has_sines) {
          result.exceptions.add({position, pair}, "sin", stored.sine, predicted.sine);
        }
      });
  return result;
}

/// A rotation of both components.
struct PinnedRotation {
  std::array<std::size_t, 2> ways{};  ///< of y0 and of y1
  std::size_t exceptions = std::size_t(-1);

  bool is_there() const { return exceptions != std::size_t(-1); }
};

/// That which takes the pinned ways and has fewest exceptions. \param step from one position that is asked to
/// the next \param most pairs that are asked at each
PinnedRotation best_rotation(const RotationSpace& space, const StoredVectors& vectors,
                             const RowOfPosition& rows, std::span<const PinnedWay> pinned,
                             std::size_t step = 1, std::size_t most = std::size_t(-1)) {
  const std::array allowed{space.taking(0, pinned), space.taking(1, pinned)};
  std::array<std::vector<std::size_t>, 2> right;
  right.fill(std::vector<std::size_t>(space.rotations().size()));
  std::size_t asked = 0;
  for (std::size_t i = 0; i < vectors.positions.size(); i += step) {
    const auto row = rows(vectors.positions[i]);
    const auto count = row.empty() ? 0 : std::min(most, vectors.pairs[i].size());
    for (std::size_t at = 0; at < count; ++at, ++asked) {
      for (std::size_t component = 0; component < 2; ++component) {
        const auto set = space.predicting(component, vectors.pairs[i][at], vectors.sign,
                                          row[at % vectors.pairs_of_vector], allowed[component]);
        for (std::size_t one = set._Find_first(); one < set.size(); one = set._Find_next(one)) {
          ++right[component][one];
        }
      }
    }
  }
  PinnedRotation result;
  for (std::size_t i = 0; i < right[0].size(); ++i) {
    for (std::size_t j = 0; j < right[1].size(); ++j) {
      const auto exceptions = 2 * asked - right[0][i] - right[1][j];
      if (allowed[0][i] && allowed[1][j] && exceptions < result.exceptions &&
          space.rotations()[i].narrowing == space.rotations()[j].narrowing) {
        result = {{i, j}, exceptions};
      }
    }
  }
  return result;
}

void judge_rotation(PinnedBits& result, const RotationSpace& space, const StoredVectors& vectors,
                    const RowOfPosition& rows, std::span<const PinnedWay> pinned) {
  const auto best = best_rotation(space, vectors, rows, pinned);
  result.has_computation = best.is_there();
  if (!best.is_there()) {
    return;
  }
  result.unasked = 2 * vectors.count();
  for_each_turned(
      vectors, rows,
      [&](std::int64_t position, std::size_t pair, const TurnedPair& turned, const StoredSine& by) {
        result.unasked -= 2;
        if (best.exceptions != 0) {
          const TellingInput input{position, pair, turned.x0, turned.x1};
          const auto predicted = [&](std::size_t component) {
            return space.predicted(best.ways[component], component, turned, vectors.sign, by);
          };
          result.exceptions.add(input, "y0", turned.y0, predicted(0));
          result.exceptions.add(input, "y1", turned.y1, predicted(1));
        }
      });
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
  PinnedRotation fewest;
  const auto rows_by = [&](const TurningLeaf& one) { return rows_made(space.tables(), one.leaf); };
  for (const auto& one : leaves) {
    const auto found =
        best_rotation(space.rotations(one.leaf.format), vectors, rows_by(one), pinned, step, sampled_pairs);
    if (found.exceptions < fewest.exceptions) {
      fewest = found;
      best = &one;
    }
  }
  result.has_computation = best != nullptr;
  if (best != nullptr) {
    judge_rotation(result, space.rotations(best->leaf.format), vectors, rows_by(*best), pinned);
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
  if (std::ranges::any_of(result, [](const PinnedBits& one) { return one.exceptions.count != 0; })) {
    const auto finding = find_arithmetic(bits);
    for (auto& one : result) {
      if (one.exceptions.count != 0) {
        tell_parted(one, finding, pinned);
      }
    }
  }
  return result;
}

}  // namespace vernier
