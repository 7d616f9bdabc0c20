// The sinusoidal table of a tutorial, digit by digit. The figures that papers print of the encoding are facts
// of props/literature/evidence.json, each a test of its own.

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "reference/schemes/sinusoidal.hpp"
#include "reference/test/rounds_to.hpp"

namespace vernier {
namespace {

/// The four-token table of a well-known tutorial (base 100, width 4), digit by digit.
TEST(Golden, FourTokenTutorialTable) {
  const std::array<std::array<std::string, 4>, 4> printed{{
      {"0.00000000", "1.00000000", "0.00000000", "1.00000000"},
      {"0.841470984808", "0.540302305868", "0.0998334166468", "0.995004165278"},
      {"0.909297426826", "-0.416146836547", "0.198669330795", "0.980066577841"},
      {"0.14112000806", "-0.9899924966", "0.295520206661", "0.955336489126"},
  }};
  SinusoidalSpec spec;
  spec.d_model = 4;
  spec.base = 100;
  const auto table = spec.table();
  const WorkingPrecision precision(200);
  for (std::size_t position = 0; position < 4; ++position) {
    for (std::size_t column = 0; column < 4; ++column) {
      EXPECT_TRUE(
          rounds_to(table.entry(static_cast<std::int64_t>(position), column)(), printed[position][column]))
          << "position " << position << ", column " << column;
    }
  }
  EXPECT_TRUE(rounds_to(table.entry(3, 2)(), "0.29552020666133957511"));
  EXPECT_TRUE(rounds_to(table.entry(3, 3)(), "0.95533648912560601964"));
}

}  // namespace
}  // namespace vernier
