// Implementations that are asked from the command line: the examples as the manual shows them, the same by
// hand, and hostile ones.

#include <cmath>
#include <cstdlib>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "numerics/formats/safetensors.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string node_example = "'" VERNIER_NODE " " VERNIER_EXAMPLES "/rope.mjs {request} {response}'";

struct CommandOutcome {
  int exit_code;
  std::string out;
  std::string err;
};

/// The example for Node with a part of it replaced.
std::string example_with(const std::string& part, const std::string& other) {
  std::ifstream example(VERNIER_EXAMPLES "/rope.mjs");
  std::string script{std::istreambuf_iterator<char>(example), {}};
  return script.replace(script.find(part), part.size(), other);
}

class LiveCommand : public ::testing::Test {
 protected:
  LiveCommand() {
    folder_.write("rope.json", R"({"scheme": "rope", "head_dim": 16})");
    folder_.write("other.json", R"({"scheme": "rope", "head_dim": 16, "rope_theta": 500000})");
    std::filesystem::create_directory(folder_.path() / "temporary");
  }

  std::string slurp(const std::string& name) const {
    std::ifstream stream(folder_.path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  CommandOutcome shell(const std::string& command) const {
    const auto whole = std::string("cd '") + folder_.path().string() +
                       "' && export TMPDIR=$PWD/temporary && { " + command + "; } >out.txt 2>err.txt";
    const int status = std::system(whole.c_str());
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "temporary")) << command;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp("out.txt"), slurp("err.txt")};
  }

  CommandOutcome run(const std::string& arguments) const {
    return shell("'" VERNIER_PROGRAM "' " + arguments);
  }

  CommandOutcome validate(const std::string& arguments) const {
    return run("validate --spec rope.json --positions 0:100 --cases 2 --seed 7 " + arguments);
  }

  /// What a shell script as an implementation comes to.
  CommandOutcome validate_script(const std::string& script, const std::string& arguments = "") const {
    folder_.write("script", script);
    return validate("--exec 'sh script {request} {response}' " + arguments);
  }

  void expect_refused(const std::string& arguments, const std::string& named) const {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("vernier: "), HasSubstr(named)));
  }

  TemporaryFolder folder_;
};

TEST_F(LiveCommand, TheNumpyExampleConforms) {
  const std::string python = VERNIER_PYTHON;
  if (python.empty() || std::system(("'" + python + "' -c 'import numpy' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "no python3 with NumPy";
  }
  const auto outcome =
      validate("--verbose --exec '" + python + " " VERNIER_EXAMPLES "/rope.py {request} {response}'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("pass  implementation/answers/rotated"), HasSubstr("pass  accuracy/cos"),
                    HasSubstr("pass  effects/determinism"), HasSubstr("pass  use/order")));
}

TEST_F(LiveCommand, TheNodeExampleConforms) {
  const auto outcome = validate("--verbose --json verdict.json --exec " + node_example);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("pass  use/lengths"));
  EXPECT_THAT(slurp("verdict.json"), HasSubstr("Node v"));
}

TEST_F(LiveCommand, AnotherBaseDoesNotConform) {
  folder_.write("wrong.mjs", example_with("spec.rope_theta", "10000"));
  run("request --spec other.json --positions 0:100 --seed 7 -o q.safetensors");
  EXPECT_EQ(shell("'" VERNIER_NODE "' wrong.mjs q.safetensors r.safetensors").exit_code, 0);
  const auto wrong = run("validate --verbose --request q.safetensors --response r.safetensors");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out,
              AllOf(HasSubstr("FAIL  accuracy/cos"),
                    HasSubstr("does not conform: the base is 10000, not 500000"), HasSubstr("reproduce: ")));
}

TEST_F(LiveCommand, TellsAFailureFirstAndItsCauseInALineOfItsOwn) {
  folder_.write("wrong.mjs", example_with("spec.rope_theta", "500000"));
  const auto arguments = "--exec '" VERNIER_NODE " wrong.mjs {request} {response}' --json verdict.json";
  const auto outcome = validate(arguments);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("rope: does not conform: "),
                                 HasSubstr("\nCause: the base is 500000, not 10000\n")));
  EXPECT_EQ(outcome.out.find("does not conform", outcome.out.find('\n')), std::string::npos);
  EXPECT_THAT(slurp("verdict.json"), HasSubstr("the base is 500000, not 10000"));
  expect_refused("validate --spec rope.json --quick --thorough --serve x", "found --quick beside --thorough");
}

TEST_F(LiveCommand, CanBeAskedByHand) {
  EXPECT_THAT(
      run("request --spec rope.json --positions 0:300 --seed 7 -o q.safetensors").out,
      HasSubstr("asks for cos [300, 8] float32, sin [300, 8] float32, rotated [300, 16] float32 at 300"));
  EXPECT_EQ(shell("'" VERNIER_NODE "' " VERNIER_EXAMPLES "/rope.mjs q.safetensors r.safetensors").exit_code,
            0);
  const std::string files = "--request q.safetensors --response r.safetensors";
  const auto outcome = run("validate --verbose " + files);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("pass  implementation/answers/rotated"));
  EXPECT_EQ(run("validate --spec rope.json " + files).exit_code, 0);
  expect_refused("validate --spec other.json " + files,
                 "other.json: found an encoding that differs from q.safetensors");
  expect_refused("validate --request q.safetensors --response none", "none: cannot be read");
  expect_refused("validate --response r.safetensors", "found --response alone");
  expect_refused("validate --dtype float32 " + files, "--dtype beside --response");
}

TEST_F(LiveCommand, AnswersByHandMayBeInPartAndMustBeWhole) {
  run("request --spec rope.json --positions 0:300 --seed 7 -o q.safetensors");
  shell("'" VERNIER_NODE "' " VERNIER_EXAMPLES "/rope.mjs q.safetensors r.safetensors");
  const auto answer = read_safetensors(folder_.path() / "r.safetensors");
  write_safetensors(folder_.path() / "part.safetensors", {{"cos", answer.tensor("cos")}}, {});
  const auto part = run("validate --verbose --request q.safetensors --response part.safetensors");
  EXPECT_EQ(part.exit_code, 0) << part.out;
  EXPECT_THAT(part.out, HasSubstr("skipped implementation/answers/sin: declares this unsupported: the "
                                  "response has `cos`, expected `sin`"));
  std::filesystem::resize_file(folder_.path() / "r.safetensors", 5000);
  const auto truncated = run("validate --verbose --request q.safetensors --response r.safetensors");
  EXPECT_EQ(truncated.exit_code, 1);
  EXPECT_THAT(truncated.out,
              HasSubstr("FAIL  implementation/answers/cos: gave something other than it was asked for"));
}

TEST_F(LiveCommand, AnswersByHandMayBeAsWideAsTheHeadAndAsLargeAsTheContext) {
  EXPECT_THAT(run("request --spec rope.json --roles cos,sin -o q.safetensors").out,
              HasSubstr("asks for cos [131072, 8] float32, sin [131072, 8] float32 at 131072 positions"));
  const auto wide = [](double (*function)(double)) {
    std::vector<double> values;
    for (int position = 0; position < 131072; ++position) {
      for (int column = 0; column < 16; ++column) {
        const auto frequency = std::pow(10000.0, -(column % 8) / 8.0);
        values.push_back(round_to(Format::binary32, function(position * frequency)));
      }
    }
    return tensor_of(Format::binary32, {131072, 16}, values);
  };
  write_safetensors(folder_.path() / "r.safetensors",
                    {{"cos", wide(std::cos)},
                     {"sin", wide(std::sin)},
                     {"more", tensor_of(Format::binary32, {1 << 22}, std::vector<double>(1 << 22))}},
                    {});
  const auto outcome = run("validate --request q.safetensors --response r.safetensors");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("cos: all 131072 positions were asked for."));
}

TEST_F(LiveCommand, TakesAreReadFromTheCommandLineAndTheSeedIsToldToReproduce) {
  const auto outcome =
      run("validate --verbose --spec other.json --positions 0:100 --cases 1 --takes contiguous,one-length "
          "--json v.json --exec " +
          node_example);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("It takes only contiguous blocks of positions: "),
                                 HasSubstr("It takes one length per process")));
  EXPECT_THAT(slurp("v.json"),
              ::testing::ContainsRegex("--takes contiguous,one-length --seed [0-9]+ --cases 1"));
  expect_refused("validate --spec rope.json --takes any --exec " + node_example, "--takes: found \"any\"");
}

TEST_F(LiveCommand, HostileOnesEndInAVerdict) {
  EXPECT_EQ(validate_script("exit 0").exit_code, 1);
  EXPECT_EQ(validate_script("exit 1").exit_code, 3);
  EXPECT_EQ(validate_script("exit 77").exit_code, 4);
  EXPECT_EQ(validate_script("kill -SEGV $$").exit_code, 3);
  EXPECT_EQ(validate_script("ln -s /dev/zero $2").exit_code, 1);
  EXPECT_EQ(validate_script("mkfifo $2").exit_code, 1);
  EXPECT_EQ(validate_script("cp $1 $2").exit_code, 1);
  EXPECT_EQ(validate_script("kill -KILL $PPID; sleep 1000").exit_code, 3);
  const auto slow = validate_script("sleep 1000 & while :; do :; done", "--time-limit 0.2");
  EXPECT_EQ(slow.exit_code, 3);
  EXPECT_THAT(slow.out, HasSubstr("did not answer within 200 ms"));
}

/// Told once, not by every check: nothing is said of any implementation.
TEST_F(LiveCommand, WhatCannotBeRunIsBadInput) {
  const std::string spec = "validate --spec rope.json --positions 0:100 --json verdict.json --exec ";
  expect_refused(spec + "'./none.sh {request} {response}'", "./none.sh: could not be started: No such file");
  expect_refused(spec + "'" VERNIER_NODE " none.mjs {request} {response}'",
                 "none.mjs: no such file, expected a script that ");
  expect_refused(spec + "'env none {request} {response}'", "env: left with exit code 127");
  EXPECT_EQ(std::ranges::count(slurp("err.txt"), '\n'), 1);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "verdict.json"));
}

/// The exception is told whole, in the first line and once more for all that it left without an answer.
TEST_F(LiveCommand, AnExceptionIsToldWithoutItsTraceback) {
  const auto outcome = validate_script(
      "printf 'Traceback (most recent call last):\\n  File \"rope.py\", line 3, in <module>\\n    import "
      "numpy\\nModuleNotFoundError: No module named numpy\\n' >&2; exit 1");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(
      outcome.out,
      AllOf(StartsWith("rope: cannot be judged: no question is answered: left with exit code 1 after it "
                       "wrote: ModuleNotFoundError: No\n  module named numpy\n"),
            Not(HasSubstr("Traceback")),
            HasSubstr("error implementation/answers/cos, implementation/answers/sin and 1 more check")));
}

TEST_F(LiveCommand, SaysWhatItWroteWithoutCommandingTheTerminal) {
  const auto outcome = validate_script("printf '\\033]0;owned\\007<script>' >&2; exit 1",
                                       "--json v.json --html v.html --junit v.xml --sarif v.sarif");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("left with exit code 1 after it wrote: ?]0;owned?<script>"));
  for (const auto* const name : {"out.txt", "v.json", "v.html", "v.xml", "v.sarif"}) {
    EXPECT_THAT(slurp(name), Not(HasSubstr("\x1b"))) << name;
  }
  EXPECT_THAT(slurp("v.html"), Not(HasSubstr("owned?<script>")));
  EXPECT_THAT(slurp("v.xml"), Not(HasSubstr("owned?<script>")));
}

TEST_F(LiveCommand, StopsWhenInterrupted) {
  folder_.write("script", "sleep 1000");
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    const auto outcome =
        shell("timeout --preserve-status -k 10 -s " + signal + " " + seconds_to_begin +
              " '" VERNIER_PROGRAM "' validate --spec rope.json --exec 'sh script {request} {response}'");
    EXPECT_EQ(outcome.exit_code, 130) << signal;
    EXPECT_EQ(outcome.err, "vernier: interrupted\n") << signal;
  }
}

/// A placeholder in the name of the folder for temporary files is none.
TEST_F(LiveCommand, TakesAnyTemporaryFolder) {
  std::filesystem::create_directory(folder_.path() / "{response}");
  folder_.write("script", "test -e \"$1\" && exit 77");
  const auto outcome = shell("TMPDIR=$PWD/{response} '" VERNIER_PROGRAM
                             "' validate --spec rope.json --exec 'sh script {request} {response}'");
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
}

TEST_F(LiveCommand, RefusesWhatCannotBeAsked) {
  const std::string validate = "validate --spec rope.json ";
  expect_refused(validate + "--plugin x.so --exec 'a {request} {response}'",
                 "more than one of --plugin, --exec");
  expect_refused(validate + "--exec 'a {request}'", "expected {request} and {response} in it");
  expect_refused(validate + "--plugin none.so", "none.so");
  expect_refused(validate + "--exec 'a {request} {response}' --dtype int8", "--dtype: found \"int8\"");
  expect_refused(validate + "--exec 'a {request} {response}' --dtype float32 --dtype float64",
                 "--dtype: found several");
  expect_refused(validate + "--exec 'a {request} {response}' --cos c.npy",
                 "tensors beside an implementation");
  expect_refused(validate + "--exec 'a {request} {response}' --positions 3", "--positions: found \"3\"");
  expect_refused("validate --exec 'a {request} {response}'", "expected either --spec or --model");
  expect_refused("request --spec rope.json --roles bias -o q.safetensors", "--roles: found \"bias\"");
  expect_refused("request --spec rope.json -o /nonexistent/q.safetensors", "/nonexistent/q.safetensors");
}

}  // namespace
}  // namespace vernier
