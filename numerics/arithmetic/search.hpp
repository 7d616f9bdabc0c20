#pragma once

#include <functional>

#include "numerics/arithmetic/finding.hpp"

namespace vernier {

/// Keeps of the space of tables what predicts every element.
void keep_predicting(TableSpace& space, const StoredTable& table);

/// Whether a stored element has the bits that are predicted. \param wanted of the table
bool is_predicted(const StoredTable& table, const StoredSine& stored, const StoredSine& wanted);

/// Rows and pairs spread over a table, the furthest rows among them.
std::vector<std::pair<std::size_t, std::size_t>> sample_of(const StoredTable& table, std::size_t most);

/// How many elements of a sample each leaf does not predict, by its index.
std::vector<std::size_t> exceptions_in(TableSpace& space, const StoredTable& table,
                                       const std::vector<std::pair<std::size_t, std::size_t>>& elements);

/// Calls `visit` with the position, the pair, what is stored and what is predicted, for every element that a
/// leaf does not predict.
void visit_exceptions(
    TableSpace space, std::size_t leaf, const StoredTable& table,
    const std::function<void(std::int64_t, std::size_t, const StoredSine&, const StoredSine&)>& visit);

/// The space of tables that are stored: of their format.
TableSpace space_of(const StoredBits& bits, const StoredTable& table);

/// The sines and cosines by which the vectors of each position turn, pair by pair; by position.
using RowOfPosition = std::function<std::span<const StoredSine>(std::int64_t position)>;

/// The rows of a stored table by their positions. \param table outlives it
RowOfPosition rows_of(const StoredTable& table);

/// The rows that a leaf makes. \param space outlives it
RowOfPosition rows_made(TableSpace& space, const PhaseBranch& branch, SineFunction function,
                        const TableLeaf& leaf);

/// Which rotations predict every vector: of y0 and of y1.
std::array<RotationSet, 2> predicting_rotations(const RotationSpace& space, const StoredVectors& vectors,
                                                const RowOfPosition& rows);
/// The rotations of a set.
std::vector<ComponentRotation> rotations_in(const RotationSpace& space, const RotationSet& set);

/// A leaf of the space of tables and the rotations that predict vectors by it.
struct TurningLeaf {
  const PhaseBranch* branch;
  const SineBranch* sines;
  const TableLeaf* leaf;
  RotationSet y0;
  RotationSet y1;
};

/// Tables that are not stored, and rotations by them.
class UnstoredTables {
 public:
  /// \param bits with vectors
  explicit UnstoredTables(const StoredBits& bits);

  /// Keeps what predicts every vector.
  void keep_predicting();
  /// Keeps what takes these ways.
  void keep_pinned(std::span<const PinnedWay> pinned);
  /// Whether something is left.
  bool predicts() const { return !tables_.branches().empty(); }
  TableSpace& tables() { return tables_; }
  const RotationSpace& rotations(Format table) const;
  std::vector<TurningLeaf> left() const;
  std::size_t computations() const;

 private:
  class Asked;

  const StoredVectors* vectors_;
  TableSpace tables_;
  std::vector<std::pair<Format, RotationSpace>> rotations_;
  std::array<std::vector<RotationSet>, 2> sets_;  ///< by leaf: of y0 and of y1
};

/// The formats in which tables meet vectors of a format.
std::vector<Format> table_formats_for(Format input);

}  // namespace vernier
