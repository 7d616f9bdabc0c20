// Colours of a verdict, which are for terminals alone.

#include "reports/outputs/text/colours.hpp"

#include "reports/outputs/output.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Colours, AreForTerminalsOfWhoDoesNotRefuseThem) {
  EXPECT_TRUE(has_colours(true, nullptr, "xterm"));
  EXPECT_TRUE(has_colours(true, "", nullptr)) << "NO_COLOR counts where it is not empty";
  EXPECT_FALSE(has_colours(false, nullptr, "xterm"));
  EXPECT_FALSE(has_colours(true, "0", "xterm")) << "whatever it says";
  EXPECT_FALSE(has_colours(true, nullptr, "dumb"));
}

Verdict coloured_verdict(std::vector<Status> statuses) {
  Verdict verdict{.name = "pass: conforms"};
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    verdict.checks.push_back({"check/" + std::to_string(i), statuses[i], "it FAIL waived pass"});
  }
  return verdict;
}

std::string without_colours(std::string text) {
  for (auto at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b', at)) {
    text.erase(at, text.find('m', at) + 1 - at);
  }
  return text;
}

TEST(Colours, AreOfTheWordsOfAVerdictAndChangeNothingElse) {
  using enum Status;
  const auto failing = coloured_verdict({pass, fail, waived, inconclusive, skipped, error});
  for (auto* const render : {render_text, render_full_text}) {
    const auto text = render(failing);
    const auto shown = coloured(text, failing);
    EXPECT_EQ(without_colours(shown), text);
    EXPECT_THAT(shown, AllOf(StartsWith("pass: conforms: \x1b[31mdoes not conform\x1b[0m, with 1 waived"),
                             HasSubstr("\n  \x1b[31mFAIL\x1b[0m  check/1: "),
                             HasSubstr("\n  \x1b[33mwaived\x1b[0m check/2: "),
                             HasSubstr("\n  \x1b[33minconclusive\x1b[0m check/3: "),
                             HasSubstr("\n  \x1b[33merror\x1b[0m")));
  }
  EXPECT_THAT(coloured(render_full_text(failing), failing),
              AllOf(HasSubstr("\n  \x1b[32mpass\x1b[0m  check/0: "), HasSubstr("\n  skipped check/4: ")));
  const auto conforming = coloured_verdict({pass});
  EXPECT_THAT(coloured(render_text(conforming), conforming), HasSubstr("\x1b[32mconforms\x1b[0m"));
  const auto undecided = coloured_verdict({inconclusive});
  EXPECT_THAT(coloured(render_text(undecided), undecided), HasSubstr(": \x1b[33minconclusive\x1b[0m"));
}

TEST(Colours, AreOfTheChangesOfAComparisonAndChangeNothingElse) {
  const std::string text =
      "1 check got worse, 1 got better\n  before  a.json: better\n  worse   accuracy/cos: better\n  better  "
      "norm/cos: 1\n"
      "  same    finite/cos: 2\n  norm/sin  fail (worse)  pass (better)  gone (gone)\n";
  const auto shown = coloured_changes(text);
  EXPECT_EQ(without_colours(shown), text);
  EXPECT_THAT(shown,
              AllOf(HasSubstr("\n  \x1b[31mworse\x1b[0m   accuracy/cos: better\n"),
                    HasSubstr("\n  \x1b[32mbetter\x1b[0m  norm/cos"), HasSubstr("\n  same    finite"),
                    HasSubstr("a.json: better\n"), HasSubstr("fail (\x1b[31mworse\x1b[0m)  pass (\x1b[32m"),
                    HasSubstr("gone (\x1b[33mgone\x1b[0m)\n")));
}

class ColoursOfTheProgram : public Program {
 protected:
  std::string on_terminal(const std::string& before, const std::string& after = "") const {
    folder_.write("command.sh", before + " \"$VERNIER\" validate bad.json " + after);
    return shell("script -qec 'sh command.sh' /dev/null </dev/null").out;
  }
};

TEST_F(ColoursOfTheProgram, AreSeenOnATerminalOnly) {
  const auto usual = "unset NO_COLOR; TERM=xterm";
  EXPECT_THAT(on_terminal(usual),
              AllOf(StartsWith("small: \x1b[31mdoes not conform\x1b[0m"), HasSubstr("\x1b[31mFAIL\x1b[0m")));
  EXPECT_THAT(on_terminal(usual, "| cat"), AllOf(HasSubstr("FAIL"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(on_terminal(usual, "--text -"), AllOf(HasSubstr("FAIL"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(on_terminal("NO_COLOR=1 TERM=xterm"), AllOf(HasSubstr("FAIL"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(on_terminal("unset NO_COLOR; TERM=dumb"), AllOf(HasSubstr("FAIL"), Not(HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace vernier
