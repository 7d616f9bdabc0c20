// Numbers of a spec, fitted to what a misfit says of them.

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/computation/spec_changes.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

struct FittedLengths {
  std::vector<double> values;
  int asked = 0;
};

/// The lengths that are proposed in place of 40, and how often the misfit was asked.
FittedLengths fitted_lengths(const std::function<double(double length)>& misfit) {
  const auto declared = parsed(R"({"scheme": "normalised", "length": 40, "reading": "zero_to_one"})");
  FittedLengths result;
  const auto counted = [&](const OrderedJson& spec) {
    ++result.asked;
    return misfit(spec.at("length").get<double>());
  };
  for (const auto& change :
       fitted_changes(*declared, counted, [](std::string_view path) { return path == "length"; })) {
    result.values.push_back(change.encoding->spec().at("length").get<double>());
  }
  return result;
}

TEST(FittedChanges, FindAWholeNumber) {
  for (const double length : {37.0, 53.0, 907.0, 1201.0}) {
    EXPECT_EQ(fitted_lengths([=](double value) { return std::fabs(std::log(value / length)); }).values,
              std::vector{length});
  }
}

TEST(FittedChanges, EndWhereALargerNumberIsAlwaysNearer) {
  EXPECT_LT(fitted_lengths([](double value) { return 1 / value; }).asked, 1000);
  EXPECT_LT(fitted_lengths([](double value) { return value; }).asked, 1000);
}

}  // namespace
}  // namespace vernier
