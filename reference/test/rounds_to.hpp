#pragma once

#include <string>

#include <gtest/gtest.h>

#include "reference/test/exact.hpp"

namespace vernier {

/// Half a unit of the last digit of a decimal.
inline Rational half_unit(const std::string& decimal) {
  const auto point = decimal.find('.');
  const auto places = point == std::string::npos ? 0 : decimal.size() - point - 1;
  return *parse_rational("0.5e-" + std::to_string(places));
}

/// Whether all of `value` rounds to the decimal.
inline ::testing::AssertionResult rounds_to(const Interval& value, const std::string& decimal) {
  const Rational expected = *parse_rational(decimal);
  const Rational half = half_unit(decimal);
  if (lower_end(value) >= expected - half && upper_end(value) <= expected + half) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "found " << value << ", expected " << decimal;
}

}  // namespace vernier
