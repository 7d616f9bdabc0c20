#pragma once

#include <functional>
#include <map>

#include "numerics/arithmetic/finding.hpp"

namespace vernier {

/// Keeps of the space of tables what predicts every element. \returns whether something does
bool keep_predicting(TableSpace& space, const StoredTable& table);

/// A leaf, and how much of a sample it does not predict.
struct LikelyLeaf {
  TableLeaf leaf;
  std::size_t exceptions = 0;
  std::size_t asked = 0;
};

/// The leaf that is left with fewest exceptions in a sample of the table. \pre one is left
LikelyLeaf likeliest_leaf(TableSpace& space, const StoredTable& table);

/// Calls `visit` with the position, the pair, what is stored and what is predicted, for every element that a
/// leaf does not predict.
template <class Visit>
void visit_exceptions(TableSpace& space, const TableLeaf& leaf, const StoredTable& table,
                      const Visit& visit) {
  for (std::size_t row = 0; row < table.positions.size(); ++row) {
    space.go_to(table.positions[row]);
    for (std::size_t pair = 0; pair < table.pairs; ++pair) {
      const auto& stored = table.element(row, pair);
      const auto predicted = space.element(leaf, pair);
      if (!stored.has_bits_of(predicted)) {
        visit(table.positions[row], pair, stored, predicted);
      }
    }
  }
}

/// The space of tables that are stored: of their format. It makes no component that they have not.
TableSpace space_of(const StoredBits& bits, const StoredTable& table);

/// The sines and cosines by which the vectors of each position turn, pair by pair; by position.
using RowOfPosition = std::function<std::span<const StoredSine>(std::int64_t position)>;

/// Calls `visit` with the position, the pair, what is stored of it, and the sine and cosine by which it
/// turns, for every pair of vectors that has these.
template <class Visit>
void for_each_turned(const StoredVectors& vectors, const RowOfPosition& rows, const Visit& visit) {
  for (std::size_t i = 0; i < vectors.positions.size(); ++i) {
    const auto row = rows(vectors.positions[i]);
    for (std::size_t at = 0; at < vectors.pairs[i].size() && !row.empty(); ++at) {
      const auto pair = at % vectors.pairs_of_vector;
      visit(vectors.positions[i], pair, vectors.pairs[i][at], row[pair]);
    }
  }
}

/// The rows of a stored table by their positions. \param table outlives it
RowOfPosition rows_of(const StoredTable& table);

/// The rows that a leaf makes. \param space outlives it
RowOfPosition rows_made(TableSpace& space, const TableLeaf& leaf);

/// Which rotations predict every vector.
RotationSets predicting_rotations(const RotationSpace& space, const StoredVectors& vectors,
                                  const RowOfPosition& rows);
/// How many of the pairs that are asked each rotation predicts, of y0 and of y1.
struct RotationTally {
  std::size_t asked = 0;
  std::array<std::vector<std::size_t>, 2> predicted = {};
};
/// \param step from one position that is asked to the next \param most pairs that are asked at each
RotationTally tally_of(const RotationSpace& space, const RotationSets& rotations,
                       const StoredVectors& vectors, const RowOfPosition& rows, std::size_t step = 1,
                       std::size_t most = std::size_t(-1));
/// What rotations of y0 and of y1 do not predict. \param rotations without one where it is not asked
Differences exceptions_of(const RotationSpace& space,
                          const std::array<std::optional<std::size_t>, 2>& rotations,
                          const StoredVectors& vectors, const RowOfPosition& rows);

/// A leaf of the space of tables and the rotations that predict vectors by it.
struct TurningLeaf {
  TableLeaf leaf;
  RotationSets rotations;
};

/// Tables that are not stored, and rotations by them.
class UnstoredTables {
 public:
  /// \param bits with vectors
  explicit UnstoredTables(const StoredBits& bits);

  /// Keeps what predicts every vector. \returns whether something does
  bool keep_predicting();
  /// Keeps what takes these ways.
  void keep_pinned(const ArithmeticWays& pinned);
  TableSpace& tables() { return tables_; }
  const RotationSpace& rotations(Format table) const { return rotations_.at(table); }
  std::vector<TurningLeaf> left() const;
  std::size_t computations() const;

 private:
  const StoredVectors* vectors_;
  TableSpace tables_;
  std::map<Format, RotationSpace> rotations_;
  std::vector<RotationSets> sets_;  ///< by leaf
};

}  // namespace vernier
