#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/constant.hpp"
#include "reference/rational.hpp"

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
struct Count {
  std::size_t fewest = 0;
  std::size_t most = std::numeric_limits<std::size_t>::max();

  bool contains(std::size_t n) const { return n >= fewest && n <= most; }
};

/// The values that a key takes: what reading, drawing, editing and documents all go by.
struct Domain {
  /// integer, number, constant (a number, or text such as "2pi"), boolean, choice (one of the names), numbers
  /// (a list of them, each a number or text such as "1/3"), rows (a list of such lists, all of one length).
  enum class Kind { integer, number, constant, boolean, choice, numbers, rows };

  Kind kind = Kind::boolean;
  NumberRange range = {};    ///< of numbers, and of the elements of lists
  bool may_have_pi = false;  ///< of a constant: a factor that the range does not look at
  std::vector<std::string_view> choices = {};
  Count count = {};        ///< of a list
  std::string words = {};  ///< in a refusal of a list
};

/// \name Domains
/// @{
Domain boolean();
Domain one_of(std::span<const std::string_view> names);
Domain integer(std::int64_t least, std::int64_t greatest);
Domain number(NumberRange range);
/// A number, or text such as "1/3".
Domain quotient(NumberRange range);
/// The same, or a multiple of pi. \param range of the factor
Domain constant(NumberRange range);
Domain list_of(NumberRange elements, Count count, std::string words);
Domain rows_of(NumberRange elements, Count count, std::string words);
/// Whole numbers. \param element what one of them is, in a refusal
NumberRange whole_numbers(std::int64_t least, std::int64_t greatest, std::string element);
/// @}

/// A value of a key; nothing where it has none. A choice is its index.
using KeyValue = std::variant<std::monostate, std::int64_t, Rational, Constant, bool, std::size_t,
                              std::vector<Rational>, std::vector<std::vector<Rational>>>;

}  // namespace vernier
