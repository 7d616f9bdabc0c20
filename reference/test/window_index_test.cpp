// Index tables of windows as Swin and BEiT build them, element by element, and what is refused.

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::StrEq;

std::unique_ptr<Encoding> parsed_window_index(const std::string& keys) {
  return parsed(R"({"scheme": "window_index", )" + keys + "}");
}

std::vector<Rational> window_row(const std::string& keys, std::int64_t query) {
  const auto table = parsed_window_index(keys)->all<ExactTable>().at(0);
  std::vector<Rational> result;
  for (std::size_t key = 0; key < table.columns; ++key) {
    result.push_back(table.factor(query, key));
  }
  return result;
}

TEST(WindowIndex, CountsOffsetsFromTheFarthestOne) {
  EXPECT_THAT(window_row(R"("window": [2, 3])", 0), ElementsAre(7, 6, 5, 2, 1, 0));
  EXPECT_THAT(window_row(R"("window": [2, 3])", 2), ElementsAre(9, 8, 7, 4, 3, 2));
  EXPECT_THAT(window_row(R"("window": [2, 3])", 5), ElementsAre(14, 13, 12, 9, 8, 7));
}

TEST(WindowIndex, HasThreeRowsMoreForAClassToken) {
  EXPECT_THAT(window_row(R"("window": [2, 1], "class_token": true)", 0), ElementsAre(5, 3, 3));
  EXPECT_THAT(window_row(R"("window": [2, 1], "class_token": true)", 1), ElementsAre(4, 1, 0));
  EXPECT_THAT(window_row(R"("window": [2, 1], "class_token": true)", 2), ElementsAre(4, 2, 1));
}

TEST(WindowIndex, IsRefusedWhereItMeansNothing) {
  const auto expect_refused = [](const std::string& keys, const std::string& sentence) {
    EXPECT_THAT(
        refusal_of([&] { parsed_window_index(keys); }),
        StrEq("case.json: " + sentence +
              ", expected two integers of at least 1, height and width, or three, depth, height and width, "
              "with a product of at most 65536"))
        << keys;
  };
  expect_refused(R"("window": 7)", "spec.window: found 7");
  expect_refused(R"("window": [7])", "spec.window: found an array");
  expect_refused(R"("window": [7, 0])", "spec.window[1]: found 0");
  expect_refused(R"("window": [300, 300])", "spec.window: found an array");
}

}  // namespace
}  // namespace vernier
