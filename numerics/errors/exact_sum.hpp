#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/multiprecision/gmp.hpp>

namespace vernier {

/// A sum of doubles without rounding, so that it depends neither on their order nor on how they are put
/// together: an integer in units of 2^-1074, the smallest double, in two's complement.
class ExactSum {
 public:
  ExactSum& operator+=(double term);
  ExactSum& operator+=(const ExactSum& other);

  /// The double nearest to the sum, of two the even one. Infinite or NaN as adding the terms that are no
  /// finite numbers gives.
  double nearest() const;
  /// All of it: "0", "-0x1f3p-1074", an integer times a power of two; "inf", "-inf", "nan".
  std::string text() const;
  /// The sum of which this is the text; nothing for other texts.
  static std::optional<ExactSum> from_text(std::string_view text);

 private:
  /// A double is less than 2^2098 units: 2175 bits and a sign hold the sum of 2^77 of them, more than are
  /// ever counted.
  static constexpr std::size_t words = 34;

  /// The whole of it.
  boost::multiprecision::mpz_int units() const;

  std::array<std::uint64_t, words> words_{};  ///< from the lowest on
  double beyond_ = 0;                         ///< the sum of the terms that are no finite numbers
};

}  // namespace vernier
