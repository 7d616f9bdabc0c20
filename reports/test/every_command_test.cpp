// What holds for every command: quiet, and colours for terminals alone.

#include <algorithm>
#include <vector>

#include "reports/command/command.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A command, and its exit code.
struct CommandLineTried {
  std::string command;
  std::string arguments;
  int exit_code = 0;
  bool has_colours = false;  ///< on a terminal
};

/// What takes long is refused: the options are read by then.
const std::vector<CommandLineTried> tried_command_lines{
    {"init", "numpy project"},
    {"report", "-o good.json", 2},
    {"validate", "bad.json", 1, true},
    {"certify", "good.json -o c.json"},
    {"compare", "v.json w.json", 1, true},
    {"request", "--spec spec.json -o q.safetensors"},
    {"value", "--spec spec.json --position 3 --pair 1"},
    {"hardest", "--spec spec.json --last 99"},
    {"table", "--spec spec.json --positions 0:9 -o t.npy"},
    {"vectors", "-o good.json", 2},
    {"sweep", "--spec spec.json --recipe float32-pow --positions 0:9"},
    {"merge", "swept"},
    {"atlas", "--spec good.npy", 2},
    {"tolerance", "--spec spec.json --positions 0:9"},
    {"spec", "config.json"},
    {"inspect", "spec.json"},
    {"readers", "config.json"},
    {"survey", ""},
    {"arithmetic", "good.json"},
    {"cost", "--spec config.json --context 64"},
    {"list", "schemes"},
    {"explain", "accuracy/cos"},
    {"help", "table"},
    {"completion", "bash"},
    {"man", ""}};

class EveryCommand : public Program {
 protected:
  EveryCommand() {
    folder_.write("config.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
      "num_hidden_layers": 2, "max_position_embeddings": 4096})");
    run("validate good.json --json v.json");
    run("validate bad.json --json w.json");
    run("sweep --spec spec.json --recipe float32-pow --positions 0:9 --state swept");
  }

  /// What a terminal shows of it, and its exit code.
  RunOutcome on_terminal(const CommandLineTried& one, const std::string& environment) const {
    folder_.write("command.sh", environment + "; \"$VERNIER\" " + one.command + " " + one.arguments + " -q");
    return shell("script -qec 'sh command.sh' /dev/null </dev/null");
  }
};

TEST(EveryCommandIsTried, InTheTestsBelow) {
  for (const auto& command : commands) {
    EXPECT_EQ(std::ranges::count(tried_command_lines, command.name, &CommandLineTried::command), 1)
        << command.name;
  }
}

TEST_F(EveryCommand, TakesQuietAndHasColoursOnTerminalsOfWhoDoesNotRefuseThem) {
  for (const auto& one : tried_command_lines) {
    const auto usual = on_terminal(one, "unset NO_COLOR; export TERM=xterm");
    EXPECT_EQ(usual.exit_code, one.exit_code) << one.command << usual.out;
    EXPECT_THAT(usual.out, Not(HasSubstr("found \"-q\""))) << "it is taken";
    EXPECT_EQ(usual.out.find("\x1b[3") != std::string::npos, one.has_colours) << one.command;
    const auto plain = on_terminal(one, "export NO_COLOR=1 TERM=xterm");
    EXPECT_THAT(plain.out, Not(HasSubstr("\x1b"))) << one.command << ": neither colours nor progress";
  }
}

TEST_F(EveryCommand, HasNoColoursInAPipe) {
  for (const auto& one : tried_command_lines) {
    const auto outcome = run(one.command + " " + one.arguments);
    EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b"))) << one.command;
  }
}

/// Help names what changes something.
TEST_F(EveryCommand, NamesQuietInItsHelpOnlyIfItShowsProgress) {
  EXPECT_THAT(run("table --help").out, HasSubstr("--quiet"));
  EXPECT_THAT(run("certify --help").out, Not(HasSubstr("--quiet")));
  const auto refused = run("certify --silent good.json -o c.json");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("found \"--silent\", expected --help"), Not(HasSubstr("--quiet"))));
}

}  // namespace
}  // namespace vernier
