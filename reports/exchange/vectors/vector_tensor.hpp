#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/numbers/real.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// What a budget belongs to: a contract, and the format in which what it computes is stored.
struct BudgetKey {
  std::string_view contract;
  Format stored;

  std::string name() const;  ///< "float32@bfloat16"
};

/// Those that vectors have budgets of: the default contract of each computing format, and the other float32
/// contracts that recipes keep.
std::span<const BudgetKey> budget_keys();

/// A budget for each key that says something of a tensor, by its name: of every element, infinite where it
/// proves nothing.
using Budgets = std::map<std::string, std::vector<double>, std::less<>>;

/// A budget as vectors hold it: the next bfloat16 number, less than 2^-7 of itself above. The C libraries of
/// two machines may differ in the last bits of a budget, and vectors do not.
double rounded_up(double budget);

/// One tensor of an encoding at chosen positions, as test vectors hold it: what every element is, and what
/// each contract lets it be off by.
struct VectorTensor {
  std::string role;
  /// [rows, columns] of tables and rotated vectors, [heads, rows] of biases, [rows] of buckets, [heads] of
  /// slopes. Elements are numbered with the last index fastest.
  Shape shape;
  std::size_t rows = 0;               ///< one a position; none of slopes
  std::size_t consecutive = 1;        ///< elements of a row that lie beside each other
  std::vector<Enclosure> truth = {};  ///< of every element, unless they are integers
  std::function<Real(std::size_t index)> real = {};
  std::vector<std::int64_t> integers = {};  ///< of every element of buckets, in place of the truth
  /// Of buckets: what a rounded logarithm may give instead, where a relative position lies on an edge; else
  /// the bucket again.
  std::vector<std::int64_t> across = {};
  std::vector<double> input = {};  ///< of rotated vectors: what is rotated, of the same shape
  Budgets budgets = {};

  std::size_t elements() const { return integers.empty() ? truth.size() : integers.size(); }
  /// The row of an element. \pre there are rows
  std::size_t row_of(std::size_t index) const { return index / consecutive % rows; }
  /// An element correctly rounded. \throws InputError if it is undecided at the cap of Ziv's loop
  double rounded_to(Format format, std::size_t index) const;
  /// The truth less the nearest float64.
  double rest(std::size_t index) const;
};

/// The tensors of an encoding at these positions, the first of each role. Left out are products of sines with
/// values, tables of several axes with rows of zeros, and gradients. \param positions one a row of tables,
/// one a key of biases, ascending; relative ones for buckets; where tokens have several positions, those that
/// are said to have one (PositionAxes::of_position) \param role of one tensor alone; empty: of all \throws
/// InputError for a position without a row
std::vector<VectorTensor> vector_tensors(const Encoding& encoding, const std::vector<std::int64_t>& positions,
                                         std::string_view role = {});

/// So many consecutive rows are summed: the budgets of more would hide the fault of one.
inline constexpr std::size_t rows_per_sum = 64;

/// What all rows of a table of sines come to, in blocks, so that a fault of any one of them shows.
struct ContextSums {
  std::string role;
  Shape shape;  ///< [blocks, columns]; the last block may have fewer rows
  /// Of each block and column the sum of its certified float64 elements, exact and then rounded once.
  std::vector<double> sums;
  /// What the sum of an implementation's elements may be off by, added up in float64 in any order: the
  /// budgets of the elements, and (R + 1) M 2^-53 for magnitudes that come to M, with R = rows_per_sum in a
  /// last block of fewer rows too. 2 M 2^-53 is for the rounding of the certified elements and of their sum,
  /// (R - 1) M 2^-53 for the additions (Jeannerod and Rump, Improved error bounds for inner products in
  /// floating-point arithmetic, 2013). That the elements added are off by their budgets adds less than 2^-47
  /// of those, which is left out.
  Budgets budgets;
  /// By the name of a format the SHA-256 of all certified rows, little-endian: for those who claim to round
  /// correctly.
  std::map<std::string_view, std::string> digests;
};

/// Of every table of sines of an encoding, the first of each role.
std::vector<ContextSums> context_sums(const Encoding& encoding, const PositionRange& context);

/// A row of test vectors, for those who say what it is good for.
struct VectorRow {
  const Encoding& encoding;
  const PositionRange& context;
  std::int64_t position;
  std::span<const VectorTensor> tensors;
  std::size_t index;  ///< of the row in the tensors
};

/// Whether a number is a subnormal one of float16 when it is rounded to it.
bool is_subnormal_float16(double value);

/// What rows of test vectors are good for.
struct RowFlag {
  std::string_view id;       ///< "near-zero"
  std::string_view meaning;  ///< one sentence: which rows have it, and what goes wrong there
  bool (*holds)(const VectorRow& row);
};

/// All of them, in the order in which rows list theirs.
std::span<const RowFlag> row_flags();

/// The ids of those that a row has.
std::vector<std::string_view> flags_of(const VectorRow& row);

}  // namespace vernier
