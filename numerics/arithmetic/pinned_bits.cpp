#include "numerics/arithmetic/pinned_bits.hpp"

#include <algorithm>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/arithmetic/search.hpp"

namespace vernier {
namespace {

/// How much is asked to find the computation with fewest exceptions where none has none.
constexpr std::size_t sampled_positions = 2;
constexpr std::size_t sampled_pairs = 8;

PinnedBits of_table(const StoredBits& bits, const StoredTable& table, const ArithmeticWays& pinned) {
  PinnedBits result{.tensors = "tables", .format = table.format, .numbers = table.numbers()};
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
        result.exceptions.add({position, pair}, "cos", stored.cosine, predicted.cosine);
        result.exceptions.add({position, pair}, "sin", stored.sine, predicted.sine);
      });
  return result;
}

/// A rotation of both components.
struct PinnedRotation {
  std::array<std::optional<std::size_t>, 2> ways{};  ///< of y0 and of y1; none where there is no rotation
  std::size_t exceptions = std::size_t(-1);

  bool is_there() const { return ways[0].has_value(); }
};

/// That which takes the pinned ways and has fewest exceptions. \param step, most as of tally_of()
PinnedRotation best_rotation(const RotationSpace& space, const StoredVectors& vectors,
                             const RowOfPosition& rows, const ArithmeticWays& pinned, std::size_t step = 1,
                             std::size_t most = std::size_t(-1)) {
  const auto allowed = space.taking(pinned);
  const auto [asked, predicted] = tally_of(space, allowed, vectors, rows, step, most);
  PinnedRotation result;
  for_each_in(allowed[0], [&, asked = asked, &predicted = predicted](std::size_t i) {
    for_each_in(allowed[1], [&](std::size_t j) {
      const auto exceptions = 2 * asked - predicted[0][i] - predicted[1][j];
      if (exceptions < result.exceptions && space.share_narrowing(i, j)) {
        result = {{i, j}, exceptions};
      }
    });
  });
  return result;
}

void judge_rotation(PinnedBits& result, const RotationSpace& space, const StoredVectors& vectors,
                    const RowOfPosition& rows, const ArithmeticWays& pinned) {
  const auto best = best_rotation(space, vectors, rows, pinned);
  result.has_computation = best.is_there();
  if (best.is_there()) {
    result.exceptions = exceptions_of(space, best.ways, vectors, rows);
    result.unasked = result.numbers - result.exceptions.compared;
  }
}

/// Vectors without a table: every table of the space that takes the ways.
void judge_unstored(PinnedBits& result, const StoredBits& bits, const StoredVectors& vectors,
                    const ArithmeticWays& pinned) {
  auto part = bits;
  part.vectors = {vectors};
  UnstoredTables space(part);
  space.keep_pinned(pinned);
  if (auto left = space; left.keep_predicting()) {
    return;
  }
  // Tables by which some rotation predicts them come before all others.
  UnstoredTables turning(part);
  turning.tables().keep_pinned(pinned);
  auto leaves = space.left();
  if (turning.keep_predicting()) {
    leaves = turning.left();
  }
  const auto step = std::max<std::size_t>(1, vectors.positions.size() / sampled_positions);
  const TurningLeaf* best = nullptr;
  PinnedRotation fewest;
  const auto rows_by = [&](const TurningLeaf& one) { return rows_made(space.tables(), one.leaf); };
  for (const auto& one : leaves) {
    const auto found =
        best_rotation(space.rotations(one.leaf.format()), vectors, rows_by(one), pinned, step, sampled_pairs);
    if (found.exceptions < fewest.exceptions) {
      fewest = found;
      best = &one;
    }
  }
  result.has_computation = best != nullptr;
  if (best != nullptr) {
    judge_rotation(result, space.rotations(best->leaf.format()), vectors, rows_by(*best), pinned);
  }
}

PinnedBits of_vectors(const StoredBits& bits, const StoredVectors& vectors, const ArithmeticWays& pinned) {
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
void tell_parted(PinnedBits& of, const ArithmeticFinding& finding, const ArithmeticWays& pinned) {
  const auto own = std::ranges::find(finding.others, of.tensors, &ArithmeticFinding::name);
  for (const auto& shown : own == finding.others.end() ? finding.stages : own->stages) {
    const auto way = at(pinned, shown.stage);
    if (way != not_there && is_of_rotation(shown.stage) == (of.tensors != "tables") &&
        std::ranges::find(shown.ways, way) == shown.ways.end()) {
      of.parted.push_back({shown.stage, way, shown.ways});
    }
  }
}

}  // namespace

std::vector<PinnedBits> judge_pinned(const StoredBits& bits, const ArithmeticWays& pinned) {
  std::vector<PinnedBits> result;
  for (const auto& table : bits.tables) {
    result.push_back(of_table(bits, table, pinned));
  }
  for (const auto& vectors : bits.vectors) {
    result.push_back(of_vectors(bits, vectors, pinned));
  }
  const auto pins_rotation = [&](ArithmeticStage stage) {
    return is_of_rotation(stage) && at(pinned, stage) != not_there;
  };
  if (bits.vectors.empty() && std::ranges::any_of(all_arithmetic_stages, pins_rotation)) {
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
