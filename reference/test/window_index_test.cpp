// What is refused of index tables of windows.

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::StrEq;

std::unique_ptr<Encoding> parsed_window_index(const std::string& keys) {
  return parsed(R"({"scheme": "window_index", )" + keys + "}");
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
