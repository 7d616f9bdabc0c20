// What the search says of the computations that it tried.

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

TEST(TriedComputations, SayWhatBecameOfThem) {
  constexpr std::size_t rows = 160;
  constexpr std::size_t pairs = 32;
  std::map<std::string, NamedTensor, std::less<>> tensors;
  for (const bool is_sine : {false, true}) {
    std::vector<double> values;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        const double phase =
            static_cast<double>(row + 1) * std::pow(10000, -static_cast<double>(pair) / pairs);
        values.push_back(is_sine ? std::sin(phase) : std::cos(phase));
      }
    }
    tensors.emplace(is_sine ? "sin" : "cos",
                    NamedTensor{"made", tensor_of(Format::binary32, {rows, pairs}, values)});
  }
  const auto found = diagnose_tables(assemble_case({"a test", "made", "", std::move(tensors), std::nullopt},
                                                   parsed(R"({"scheme": "rope", "head_dim": 64})")),
                                     1);
  ASSERT_FALSE(found.tried.empty());
  EXPECT_EQ(found.tried.front().sentence, "positions are larger by 1");
  EXPECT_EQ(found.tried.front().outcome, "explains the tensors");
  EXPECT_THAT(found.tried.back().outcome, ::testing::HasSubstr(" elements of the sample"));
}

}  // namespace
}  // namespace vernier
