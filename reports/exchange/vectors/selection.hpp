#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "reference/json/json.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The positions of a range, one after another.
std::vector<std::int64_t> listed(const PositionRange& range);

/// Vectors of one encoding: which rows they hold.
struct VectorGroup {
  std::string id;       ///< "rope-half"
  std::string purpose;  ///< what it is there for, a sentence
  OrderedJson spec;
  std::int64_t length = 0;  ///< rows of the context, >= 2
  /// Of the rows, ascending; empty: the whole context, whose rows are so short that none need be chosen.
  std::vector<std::int64_t> positions = {};

  std::unique_ptr<Encoding> encoding() const;
  /// The positions of the rows, wherever they come from.
  std::vector<std::int64_t> rows(const Encoding& encoding) const;
  /// The positions of tables that are computed whole; of buckets the relative ones, of both signs.
  PositionRange context(const Encoding& encoding) const;
};

/// Which test vectors there are. Rows were chosen greedily, by drawn implementations with a fault (mutants):
/// each catches the most of those that earlier rows missed.
struct VectorSelection {
  std::int64_t version = 0;  ///< of the vectors: another one where any value is another
  OrderedJson measured;      ///< what the rows were chosen by, and what they kill of other mutants
  std::vector<VectorGroup> groups;
};

/// The selection that is part of the program: selection.json.
const VectorSelection& built_in_selection();

/// How much was written, but for the runners.
struct VectorCounts {
  std::size_t groups = 0;
  std::size_t rows = 0;
  std::size_t elements = 0;
  std::uintmax_t bytes = 0;
};

/// Writes the vectors of a selection into a folder, which is made if it is not there: the numbers,
/// vectors.safetensors; what they are, vectors.json, with the digest of the former; and the runners, small
/// programs that judge an implementation by both. The bytes depend on the selection and the version of
/// Vernier alone.
/// \throws InputError if the folder or a file cannot be written
VectorCounts write_vectors(const VectorSelection& selection, const std::filesystem::path& folder);

}  // namespace vernier
