// What is written, where, and what is told where it cannot be.

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A full disk loses no verdict without a word.
TEST_F(Program, TellsThatStandardOutputIsFull) {
  folder_.write("config.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
    "num_hidden_layers": 2, "max_position_embeddings": 4096})");
  for (const std::string arguments :
       {"--help", "--version", "list schemes", "explain accuracy/cos", "spec config.json",
        "validate good.json", "validate bad.json --json -", "table --spec spec.json --positions 0:9 -o x.npy",
        "request --spec spec.json -o q.safetensors",
        "sweep --spec spec.json --recipe float32-pow --positions 0:9"}) {
    const auto outcome = shell("\"$VERNIER\" " + arguments + " >/dev/full");
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("vernier: standard output: cannot be written\n")) << arguments;
  }
}

TEST_F(Program, WritesEachOutputToAFileOfItsOwn) {
  std::filesystem::create_directory(folder_.path() / "folder");
  std::filesystem::create_symlink("good.npy", folder_.path() / "link");
  expect_refused("validate good.json --json a --html a", "--json: found a, which --html names as well");
  expect_refused("validate good.json --json a --html folder/../a", "which --html names as well");
  expect_refused("validate good.json --json good.json", "--json: found good.json, which CASE names as well");
  expect_refused("validate good.json --json good.npy", "which good.json names as well");
  expect_refused("validate good.json --json link", "which good.json names as well");
  expect_refused("validate --spec spec.json --encoding good.npy --sarif spec.json", "which --spec names");
  expect_refused("validate --spec spec.json --encoding good.npy --sarif ./good.npy",
                 "which --encoding names");
  expect_refused("request --spec spec.json -o spec.json", "--output: found spec.json, which --spec names");
  expect_refused("table --spec spec.json --positions 0:9 -o spec.json", "which --spec names as well");
  EXPECT_EQ(run("validate good.json --json /dev/null --html /dev/null").exit_code, 0);
}

/// An option without its value would take the next word, which may be a file to be judged.
TEST_F(Program, RefusesOutputsWithoutAName) {
  const auto before = slurp("good.json");
  expect_refused("validate --json= good.json", "--json=: found nothing, expected a value");
  expect_refused("validate good.json --json ''", "--json: found nothing, expected a value");
  expect_refused("table --spec spec.json --positions 0:9 -o ''", "found nothing, expected a value");
  EXPECT_EQ(slurp("good.json"), before);
}

TEST_F(Program, TellsWhyAFileCannotBeWritten) {
  expect_refused("validate good.json --json none/v.json", "none/v.json: cannot be written (No such file or");
  expect_refused("validate good.json --html good.json/v", "cannot be written (Not a directory)");
  std::filesystem::create_symlink("nowhere", folder_.path() / "link");
  expect_refused("validate good.json --json link", "link: found a symbolic link to nothing");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.path() / "link"));
}

/// Before it computes for half a minute.
TEST_F(Program, TellsAtOnceThatAReportCannotBeWritten) {
  EXPECT_EQ(shell("timeout 20 \"$VERNIER\" report -o good.json").exit_code, 2);
}

TEST_F(Program, ShowsNamesOfFilesWithoutCommandingTheTerminal) {
  const auto outcome = run("table --spec spec.json --positions 0:9 -o \"$(printf 'a\\033[31m.npy')\"");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("a?[31m.npy"), Not(HasSubstr("\x1b"))));
}

TEST_F(Program, EndsInASentenceWhereFilesMayNotGrow) {
  run("--version");  // makes the two files of a run
  const auto before = files();
  for (const std::string arguments :
       {"table --spec spec.json --positions 0:4096 -o x.npy", "validate good.json --html x.html"}) {
    const auto outcome = shell("ulimit -f 1; \"$VERNIER\" " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("cannot be written (File too large)")) << arguments;
    EXPECT_EQ(files(), before) << "a file was left behind by: " << arguments;
  }
}

TEST_F(Program, WorksOnASmallStack) {
  EXPECT_EQ(shell("ulimit -s 96; \"$VERNIER\" validate good.json --json v.json --html v.html").exit_code, 0);
}

}  // namespace
}  // namespace vernier
