// Numbers on the command line that are none, or none that the option can take.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/test/refusal.hpp"
#include "reports/command/cli.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// What the command says to these words; nothing if it does as it is told.
std::string refusal(const std::vector<std::string>& words) {
  std::vector<const char*> arguments{"vernier"};
  for (const auto& word : words) {
    arguments.push_back(word.c_str());
  }
  std::ostringstream out;
  return refusal_of([&] { run_command_line(static_cast<int>(arguments.size()), arguments.data(), out); });
}

struct NumericOption {
  std::string command;
  std::string option;
};

class NumericOptions : public ::testing::TestWithParam<NumericOption> {};

TEST_P(NumericOptions, TakeNumbersOfTheirRangeOnly) {
  const auto& [command, option] = GetParam();
  for (const std::string word : {"", "NUL", "nan", "-nan", "inf", "-inf", "-1", "18446744073709551616",
                                 "1e400", "3x", "0x10", " 7", "1'000"}) {
    for (const auto& words : {std::vector<std::string>{command, option, word},
                              std::vector<std::string>{command, option + "=" + word}}) {
      EXPECT_THAT(refusal(words), AllOf(HasSubstr(option), Not(HasSubstr("\n"))))
          << command << " '" << word << "'";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, NumericOptions,
    ::testing::Values(NumericOption{"table", "--columns"}, NumericOption{"table", "--queries"},
                      NumericOption{"table", "--threads"}, NumericOption{"sweep", "--threads"},
                      NumericOption{"validate", "--time-limit"}, NumericOption{"validate", "--cases"},
                      NumericOption{"validate", "--seed"}, NumericOption{"request", "--seed"},
                      NumericOption{"report", "--positions"}, NumericOption{"tolerance", "--input-bound"},
                      NumericOption{"tolerance", "--threads"}),
    [](const auto& tested) {
      auto name = tested.param.command + "_" + tested.param.option.substr(2);
      std::ranges::replace(name, '-', '_');
      return name;
    });

}  // namespace
}  // namespace vernier
