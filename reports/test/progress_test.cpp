#include "reports/words/progress.hpp"

#include <cmath>
#include <functional>
#include <sstream>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Progress, TellsTheShareAndTheTimeLeft) {
  EXPECT_EQ(progress_words("audit", 0.5, 30), "audit: 50 %, 30 s left");
  EXPECT_EQ(progress_words("audit", 0.25, 150), "audit: 25 %, 2 min 30 s left");
  EXPECT_EQ(progress_words("audit", 0.1, 9 * 3600), "audit: 10 %, 9 h 0 min left");
  EXPECT_EQ(progress_words("audit", 0.999, 0.1), "audit: 99 %, 1 s left") << "not done yet";
  EXPECT_EQ(progress_words("audit", 0, std::nullopt), "audit: 0 %") << "nothing to tell the rest from";
}

/// The times that are told of work whose first `share` takes `elapsed(share)` seconds, and those that it
/// takes.
std::vector<std::pair<double, double>> told_times(const std::function<double(double)>& elapsed) {
  TimeLeft left;
  std::vector<std::pair<double, double>> told;
  constexpr int steps = 1000;
  for (int i = 1; i < steps; ++i) {
    const double share = static_cast<double>(i) / steps;
    left.note(share, elapsed(share));
    if (const auto rest = left.seconds(share, elapsed(share))) {
      told.emplace_back(*rest, elapsed(1) - elapsed(share));
    }
  }
  return told;
}

TEST(TimeLeft, IsToldAndTrueIfStepsCostAlike) {
  const auto told = told_times([](double share) { return 1000 * share; });
  EXPECT_EQ(told.size(), 980) << "from 2 %";
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_NEAR(told[i].first, told[i].second, 1e-6);
    EXPECT_TRUE(i == 0 || told[i].first < told[i - 1].first);
  }
}

/// As the rotations of the atlas, which are ordered by nothing that their proofs cost.
TEST(TimeLeft, IsNotToldIfStepsBecomeDearerOrCheaper) {
  EXPECT_TRUE(told_times([](double share) { return 1000 * share * share; }).empty());
  EXPECT_TRUE(told_times([](double share) { return 1000 * std::sqrt(share); }).empty());
  const auto late = told_times([](double share) { return share < 0.5 ? share : 0.5 + 100 * (share - 0.5); });
  ASSERT_FALSE(late.empty()) << "nobody can know before";
  EXPECT_LT(late.size(), 540) << "from 52 % on none is told";
}

/// Progress by a clock that the test sets.
class ShownProgress : public ::testing::Test {
 protected:
  ProgressPlace place(bool is_terminal) {
    return {.stream = &shown_, .is_terminal = is_terminal, .now = [this] { return now_; }};
  }

  std::ostringstream shown_;
  ProgressPlace::Clock::time_point now_;
};

TEST_F(ShownProgress, IsALineEveryTenSecondsInALogWhateverThePhase) {
  Progress progress(place(false));
  progress.begin("first", 10);
  now_ += seconds(9);
  progress.advance(9);
  progress.begin("second", 40);
  EXPECT_EQ(shown_.str(), "");
  now_ += seconds(1);
  progress.advance(2);
  EXPECT_EQ(shown_.str(), "vernier: second: 5 %\n");
  now_ += seconds(9);
  progress.advance(18);
  EXPECT_EQ(shown_.str(), "vernier: second: 5 %\n");
  now_ += seconds(1);
  progress.advance(2);
  EXPECT_THAT(shown_.str(), EndsWith("\nvernier: second: 55 %, 9 s left\n"));
}

TEST_F(ShownProgress, IsABarOnATerminalThatIsDrawnAnewForThePhaseAndWipedAtTheEnd) {
  {
    Progress progress(place(true));
    progress.begin("first", 2);
    progress.advance(1);
    EXPECT_EQ(shown_.str(), "") << "what is quick is not shown";
    now_ += milliseconds(100);
    progress.advance(0);
    EXPECT_EQ(shown_.str(), "\r\x1b[K[###############...............] first: 50 %");
    progress.begin("second", 1);
    EXPECT_THAT(shown_.str(), EndsWith("\r\x1b[K[..............................] second"));
  }
  EXPECT_THAT(shown_.str(), EndsWith("\r\x1b[K"));
}

TEST_F(ShownProgress, MayBeShownNowhere) {
  auto nowhere = place(true);
  nowhere.stream = nullptr;
  Progress progress(nowhere);
  progress.begin("work", 2);
  now_ += seconds(20);
  progress.advance(1);
  progress.begin("more", 2);
  EXPECT_EQ(shown_.str(), "");
}

/// The program, also on a terminal of its own.
class ProgressOfTheProgram : public Program {
 protected:
  /// What a terminal shows of a command of the shell.
  std::string on_terminal(const std::string& command) const {
    folder_.write("command.sh", command);
    return shell("script -qec 'sh command.sh' /dev/null </dev/null").out;
  }
};

constexpr auto slow_script = "sleep 0.3; exit 77\n";

TEST_F(ProgressOfTheProgram, IsSeenWhileAnImplementationIsAskedAndNotInWhatIsWritten) {
  folder_.write("slow.sh", slow_script);
  const auto seen = on_terminal(
      "\"$VERNIER\" validate --spec spec.json --positions 0:4 --exec 'sh slow.sh {request} {response}' "
      "--json v.json >standard_output.txt");
  EXPECT_THAT(seen, AllOf(HasSubstr("] asking for answers"), EndsWith("\r\x1b[K")));
  EXPECT_THAT(slurp("standard_output.txt"), AllOf(HasSubstr("spec: "), Not(HasSubstr("asking for"))));
  EXPECT_THAT(slurp("v.json"), Not(HasSubstr("\x1b")));
}

TEST_F(ProgressOfTheProgram, IsNoLineInALogOfWorkThatIsShort) {
  folder_.write("slow.sh", slow_script);
  const auto outcome =
      run("validate --spec spec.json --positions 0:4 --exec 'sh slow.sh {request} {response}'");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(run("table --spec spec.json --positions 0:2^12 -o t.npy").err, "");
}

TEST_F(ProgressOfTheProgram, IsNotThereForWhoWantsQuiet) {
  folder_.write("slow.sh", slow_script);
  for (const std::string work :
       {"sweep --model llama-2-7b-hf --recipe float64-pow --positions 0:2^18 --threads 1",
        "table --model llama-2-7b-hf --positions 0:2^16 --threads 1 -o t.npy",
        "validate --spec spec.json --positions 0:4 --exec 'sh slow.sh {request} {response}'"}) {
    EXPECT_EQ(on_terminal("\"$VERNIER\" " + work + " -q >standard_output.txt"), "") << work;
  }
}

TEST_F(ProgressOfTheProgram, IsWipedBeforeTheResultIsPrinted) {
  const auto seen = on_terminal(
      "\"$VERNIER\" sweep --model llama-2-7b-hf --recipe float64-pow --positions 0:2^18 --threads 1");
  EXPECT_THAT(seen, AllOf(HasSubstr("float64-pow: "), HasSubstr("\r\x1b[KRoPE")));
}

TEST_F(ShownProgress, GivesWayToALineOfItsOwn) {
  std::ostringstream lines;
  Progress progress(place(true));
  progress.say(lines, "first");
  EXPECT_EQ(shown_.str(), "") << "no bar, none to give way";
  progress.begin("work", 2);
  now_ += seconds(1);
  progress.advance(1);
  const auto before = shown_.str();
  progress.say(lines, "second");
  EXPECT_EQ(lines.str(), "first\nsecond\n");
  EXPECT_THAT(shown_.str().substr(before.size()), AllOf(StartsWith("\r\x1b[K"), HasSubstr("] work: 50 %")));
}

}  // namespace
}  // namespace vernier
