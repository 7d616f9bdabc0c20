#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reference/numbers/constant.hpp"
#include "reference/numbers/rational.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {

/// Numbers from `least` to `greatest`.
struct NumberRange {
  /// Which of them. signed_magnitude: also their negatives, and 0.
  enum class Grid { all, integers, powers_of_two, signed_magnitude };

  Rational least;
  Rational greatest;
  std::string words;     ///< in a refusal: "a number greater than 0 and at most 64"
  bool is_open = false;  ///< `least` itself is none
  Grid grid = Grid::all;

  bool contains(const Rational& x) const;
};

/// How many elements a list has.
struct ListCount {
  std::size_t fewest = 0;
  std::size_t most = std::numeric_limits<std::size_t>::max();
  bool has_own_words = false;  ///< other counts are refused by whoever declares the key

  bool contains(std::size_t n) const { return n >= fewest && n <= most; }
};

inline constexpr ListCount of_size(std::size_t n) {
  return {n, n};
}

/// The values that a key takes: what reading, drawing, editing and documents all go by.
struct KeyDomain {
  /// integer, number, constant (a number, or text such as "2pi"), boolean, choice (one of the names), numbers
  /// (a list of them, each a number or text such as "1/3"), rows (a list of such lists, all of one length),
  /// heads (the same, or each row a list of rows, one a head).
  enum class Kind { integer, number, constant, boolean, choice, numbers, rows, heads };

  Kind kind = Kind::boolean;
  NumberRange range = {};    ///< of numbers, and of the elements of lists
  bool may_have_pi = false;  ///< of a constant: a factor that the range does not look at
  std::vector<std::string_view> choices = {};
  std::string_view older_key = {};  ///< the name that is read where the key is not there
  /// Older names, each of the choice of an index: they are read, and never written.
  std::vector<std::pair<std::string_view, std::size_t>> older_names = {};
  ListCount count = {};                  ///< of a list
  std::optional<std::int64_t> sum = {};  ///< of the elements of a list
  ListCount columns = {1};               ///< of the rows of a list, those of all heads together
  bool may_have_heads = false;           ///< whether a row may be a list of rows
  bool names_rows = true;                ///< in a refusal of a row of another length than the first
  bool are_doubles = false;              ///< numbers that are written by their shortest decimals
  std::string words = {};                ///< in a refusal of a list, or of text that is no choice

  /// The index of a choice, by its older name too.
  std::optional<std::size_t> choice_named(std::string_view name) const;
};

/// \name Domains
/// @{
KeyDomain boolean();
KeyDomain one_of(std::span<const std::string_view> names);
/// Of a key that is required. \param words in a refusal of text that is none of them
KeyDomain one_of(std::vector<std::string_view> names, std::string words);
KeyDomain integer(std::int64_t least, std::int64_t greatest);
KeyDomain number(NumberRange range);
/// A number, or text such as "1/3".
KeyDomain quotient(NumberRange range);
/// The same, or a multiple of pi. \param range of the factor
KeyDomain constant(NumberRange range);
KeyDomain list_of(NumberRange elements, ListCount count, std::string words);
KeyDomain rows_of(NumberRange elements, ListCount count, std::string words);
KeyDomain heads_of(NumberRange elements, ListCount count, ListCount columns, std::string words);
/// Whole numbers. \param element what one of them is, in a refusal
NumberRange whole_numbers(std::int64_t least, std::int64_t greatest, std::string element);
/// @}

/// A choice that no enumeration names: its index.
enum class Choice : std::size_t {};

/// The names of the rows of a table.
template <class Table>
std::vector<std::string_view> names_of(const Table& table) {
  return mapped(table, [&](const auto& row) { return row.name; });
}

using NumberRows = std::vector<std::vector<Rational>>;
/// A value of a key; nothing where it has none. A choice is its index.
using KeyValue = std::variant<std::monostate, std::int64_t, Rational, Constant, bool, std::size_t,
                              std::vector<Rational>, NumberRows, std::vector<NumberRows>>;

}  // namespace vernier
