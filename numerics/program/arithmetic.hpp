#pragma once

#include <cstdint>
#include <utility>

#include "reference/numbers/format.hpp"
#include "reference/numbers/rational.hpp"

/// How a program computes an encoding, said once. A formula is one text, a template over the arithmetic that
/// reads it, so that what a program stores, what it may be off by and what it means cannot drift apart:
///   Bits   what a program stores: each operation rounded to a format, functions of one library (bits.hpp)
///   Reach  all that any program may store whose functions are as good as a library promises (reach.hpp)
///   Exact  the real number (exact.hpp)
namespace vernier::program {

/// Whose pow, exp, log, sine and cosine.
enum class Library : std::uint8_t {
  exact,    ///< nothing is rounded: for what the other stages reach alone
  correct,  ///< functions are correctly rounded
  glibc,
  sleef,
  any  ///< whatever is good to one ulp
};

/// In which arithmetic a stage computes.
struct In {
  Format format = Format::binary32;
  Library library = Library::glibc;
};

/// A constant of a declaration: decimal, never a rounded double.
struct Known {
  Rational exact;
  double near;
  Known(Rational value) : exact(std::move(value)), near(approximately(exact)) {}  // NOLINT: is a number
  Known(std::int64_t value) : exact(value), near(static_cast<double>(value)) {}   // NOLINT
};

}  // namespace vernier::program
