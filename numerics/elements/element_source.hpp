#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "numerics/errors/elementwise_report.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/tables/tensor_definition.hpp"

namespace vernier {

/// What an element is judged by: the truth, what a contract allows it to be off by, and the size of what it
/// is about.
struct AllowedElement {
  /// Nothing where it is too large or too small to be enclosed.
  std::optional<Enclosure> truth = std::nullopt;
  Budget budget = {};
  double size = 0;             ///< the amplitude of a sine, the norm of a pair, the magnitude of a value
  bool storage_counts = true;  ///< where the size does not vanish with the value
  bool may_overflow = false;   ///< any value may be the right one
  /// Another value that will do: NaN for one that overflows, the bucket across an edge.
  std::optional<double> instead = std::nullopt;

  bool proves_nothing() const {
    return !truth || vernier::proves_nothing(storage_counts ? budget.total() : budget.computed(), size);
  }
  /// Whether `got` is what will do instead.
  bool is_instead(double got) const;
};

/// Holds an element that may leave the range of its format to the overflow that is declared.
/// \param computed what it may be off by before it is stored \param got the element, where there is one
void hold_to(Overflow overflow, Format stored, double computed, std::optional<double> got,
             AllowedElement& element);

/// Where an element stands.
struct ElementPlace {
  std::int64_t position = 0;  ///< its place, as in tables
  int pair = 0;               ///< of the frequencies; 0 where it is of none
};

/// The elements of a tensor that an encoding defines, row by row: what each is, what a contract allows it to
/// be off by, what it is called. Everything that asks what an element should be asks here; the certified
/// tables and the audit of plain tables, which are faster, are held to it by a test.
///
/// Rows are the outer indices of the tensor, columns its last one, which tables, heads and keys have; what
/// has one index has one column.
class ElementSource {
 public:
  ElementSource() = default;
  ElementSource(const ElementSource&) = default;
  ElementSource& operator=(const ElementSource&) = delete;
  virtual ~ElementSource() = default;

  virtual std::string_view role() const = 0;
  virtual Shape shape() const = 0;
  std::size_t elements() const;
  std::size_t columns() const;
  std::size_t rows() const { return columns() == 0 ? 0 : elements() / columns(); }

  /// Budgets are those of this contract from here on. \returns whether it says anything of the tensor
  /// \param stored the format of the elements; of integers binary64, in which they are told
  virtual bool bind(const Contract& contract, Format stored) = 0;
  /// What becomes of numbers beyond the range of the format; before, nobody says.
  void declare(Overflow overflow) { overflow_ = overflow; }
  /// \throws InputError for a position without a row
  virtual void go_to(std::size_t row) = 0;

  /// \name Of the row. \param column below columns()
  /// @{
  /// The element as a real number.
  virtual Real exact(std::size_t column) const = 0;
  /// The same as the integer it is; nothing if it is none.
  virtual std::optional<std::int64_t> integer(std::size_t /*column*/) const { return std::nullopt; }
  /// The same, enclosed; nothing where it is too large or too small for that.
  virtual std::optional<Enclosure> truth(std::size_t column) const { return tight_enclosure(exact(column)); }
  /// About the truth, in double precision, for screens; NaN where nothing is known.
  virtual double estimate(std::size_t column) const {
    const auto known = truth(column);
    return known ? known->approximately() : std::numeric_limits<double>::quiet_NaN();
  }
  virtual ElementPlace place(std::size_t column) const = 0;
  /// "sine of pair 3": what the row has in this column.
  virtual std::string name(std::size_t column) const = 0;
  /// \param got the element, where there is one: what is only rounded is judged by the neighbours of that
  /// \pre it is bound
  virtual AllowedElement allowed(std::size_t column, std::optional<double> got = std::nullopt) const = 0;
  /// @}

  /// Whether elements are indices, which no format of numbers holds.
  virtual bool are_indices() const { return false; }
  /// Whether elements belong to pairs and positions, by which an audit maps their errors.
  virtual bool has_pairs() const { return false; }

 protected:
  Overflow declared_overflow() const { return overflow_; }

 private:
  Overflow overflow_ = Overflow::undeclared;
};

/// The rows of a tensor, or of all tensors of a case, of which each takes what it needs.
struct SourceRows {
  /// One a row of tables with one position; of keys, or of relative positions. Places (position_map.hpp).
  std::span<const std::int64_t> positions = {};
  /// Those along each axis, where rows have several.
  std::span<const std::vector<std::int64_t>> by_axis = {};
  /// Which rows are zeros; empty where none is.
  std::vector<bool> zero_rows = {};
  std::size_t queries = 0;  ///< of biases: 0 for those of the last query, [heads, keys]
};

/// The source of a definition. \param rows what it refers to outlives the source
/// \param input of a rotation, else empty: writes a row of the vectors that are rotated
/// \throws InputError for more queries than keys
std::unique_ptr<ElementSource> element_source(
    const TensorDefinition& definition, const SourceRows& rows,
    std::function<void(std::size_t row, std::span<double> out)> input = {});

/// Judges one element. \param index in the tensor \param place by which its error is mapped; nothing of what
/// has no pairs
void add_element(ElementwiseReport& report, std::size_t index, double got, const AllowedElement& allowed,
                 const std::optional<ElementPlace>& place);

/// Judges every element. \param source bound \param got an element, by its index
ElementwiseReport audit_elements(ElementSource& source, const std::function<double(std::size_t index)>& got);

/// Appends elements [first, last), each the one of its type nearest to the truth, little-endian.
/// \throws InputError for an element that is undecided at the cap of Ziv's loop, or that the type cannot
/// hold: no integer, or too large for it and no overflow declared
void append_rounded(ElementSource& source, ElementType type, std::size_t first, std::size_t last,
                    std::vector<std::byte>& bytes, Overflow overflow = Overflow::undeclared);

}  // namespace vernier
