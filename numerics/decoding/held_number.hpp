#pragma once

#include <string>
#include <vector>

namespace vernier {

/// A number that a row may hold, as far as its elements tell.
struct HeldRange {
  double low = 0;
  double high = 0;

  double middle() const { return low + (high - low) / 2; }
  bool contains(double x) const { return low <= x && x <= high; }
};

/// A number as people write it, and what it takes to say, in bits.
struct SimpleNumber {
  double value = 0;
  std::string words;  ///< "3", "-1/2", "0.2857"
  double bits = 0;
};

/// n/d, d > 0, as it is written and what it takes.
SimpleNumber simple_number(double n, double d = 1);

/// Numbers within the range, the simplest first: the fraction of the least denominator, and, where that is
/// likely to be there by chance, a decimal as well. At least one. \param range finite
std::vector<SimpleNumber> simple_numbers(const HeldRange& range);

/// "p", "p + 8", "p/4 - 1/2": s p + o. \param of "p"
std::string line_words(const SimpleNumber& scale, const SimpleNumber& offset, const std::string& of);

}  // namespace vernier
