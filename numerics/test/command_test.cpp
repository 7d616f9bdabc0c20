// Implementations that are commands, most of them hostile: each gives a Response, in its time, and leaves
// nothing behind.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/asking/program.hpp"
#include "numerics/formats/safetensors.hpp"
#include "numerics/processes/exchange.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Commands : public ::testing::Test {
 protected:
  Commands() {
    write_safetensors(folder_.path() / "answer",
                      {{"encoding", tensor_of(Format::binary32, {1, 2}, std::vector{0.0, 1.0})}},
                      {{"implementation", "the honest one"}});
    write_safetensors(folder_.path() / "wrong_type",
                      {{"encoding", tensor_of(Format::binary64, {1, 2}, std::vector{0.0, 1.0})}}, {});
    write_safetensors(folder_.path() / "wrong_shape",
                      {{"encoding", tensor_of(Format::binary32, {2}, std::vector{0.0, 1.0})}}, {});
    folder_.write("huge_header", std::string(8, '\x7f'));
    std::filesystem::create_directory(temporary());
    setenv("TMPDIR", temporary().c_str(), 1);
  }
  ~Commands() override { unsetenv("TMPDIR"); }

  std::filesystem::path temporary() const { return folder_.path() / "temporary"; }

  /// What a script gives, in which $Q is the request, $R the response and $D a folder with answers.
  Response run(const std::string& script, std::chrono::milliseconds time = std::chrono::seconds(30)) {
    CommandImplementation command(CommandLine("sh -c 'D=$0 Q=$1 R=$2; " + script + "' " +
                                              folder_.path().string() + " {request} {response}"),
                                  {.time_limit = time});
    auto response = command.ask(small_request());
    description_ = command.description();
    EXPECT_TRUE(std::filesystem::is_empty(temporary())) << script;
    return response;
  }

  TemporaryFolder folder_;
  std::string description_;
};

TEST_F(Commands, Answer) {
  const auto response = run("test -s $Q && cp $D/answer $R");
  EXPECT_EQ(response.status, ResponseStatus::answered) << response.reason;
  EXPECT_EQ(response.tensors.at("encoding").number(1), 1.0);
  EXPECT_THAT(description_, StartsWith("the honest one (the command sh -c "));
}

TEST_F(Commands, MayBeNoisyAndUntidy) {
  for (const std::string script :
       {"head -c 5000000 /dev/zero; cp $D/answer $R", "exec >&- 2>&-; cp $D/answer $R",
        "rm $Q; cp $D/answer $R", "cp $D/answer $R; mkdir -p ${R%/*}/a/b; ln -s / ${R%/*}/root",
        "cp $D/answer $R; sleep 1000 &"}) {
    EXPECT_EQ(run(script).status, ResponseStatus::answered) << script;
  }
}

TEST_F(Commands, DeclineByExitCode77) {
  const auto response = run("echo only float64 >&2; exit 77");
  EXPECT_EQ(response.status, ResponseStatus::unsupported);
  EXPECT_EQ(response.reason, "only float64");
}

TEST_F(Commands, Crash) {
  for (const auto& [script, reason] : {
           std::pair("exit 1", "left with exit code 1"),
           std::pair("cp $D/answer $R; exit 1", "left with exit code 1"),
           std::pair("echo one; printf \"\\033[31m<b>two\" >&2; exit 2",
                     "left with exit code 2 after it wrote: one ?[31m<b>two"),
           std::pair("kill -SEGV $$", "killed by signal 11 (Segmentation fault)"),
           std::pair("kill -KILL $PPID; sleep 1000", "was lost: the process that watched it was killed"),
       }) {
    const auto response = run(script);
    EXPECT_EQ(response.status, ResponseStatus::crashed);
    EXPECT_EQ(response.reason, reason);
  }
}

/// Of who wrote the command, if the first question shows it.
TEST_F(Commands, ThatCannotBeRunAreBadInput) {
  folder_.write("not_executable", "");
  folder_.write("no_interpreter", "#!/nonexistent/interpreter\n");
  std::filesystem::permissions(folder_.path() / "no_interpreter", std::filesystem::perms::owner_all);
  const auto folder = folder_.path().string();
  const std::string none = "could not be started: No such file or directory, expected a program in PATH";
  for (const auto& [line, told] :
       {std::pair<std::string, std::string>("/nonexistent/program", "/nonexistent/program: " + none),
        {"nonexistent-program", "nonexistent-program: " + none},
        {folder + "/no_interpreter", "/no_interpreter: " + none},
        {folder + "/not_executable", "/not_executable: could not be started: Permission denied, expected"},
        {"env nonexistent-program", "env: left with exit code 127 after it wrote: env: "},
        {"sh -c nonexistent-program", "sh: left with exit code 127 after it wrote: "},
        {"bash ./nonexistent.sh", "./nonexistent.sh: no such file, expected a script that bash can run"},
        {"sh ./nonexistent.sh", "./nonexistent.sh: no such file, expected a script that sh can run"}}) {
    CommandImplementation command(CommandLine(line + " {request} {response}"));
    EXPECT_THAT(refusal_of([&] { command.ask(small_request()); }), HasSubstr(told)) << line;
    EXPECT_TRUE(std::filesystem::is_empty(temporary())) << line;
  }
}

/// What fails later, or fails in another way, is a failure of the implementation.
TEST_F(Commands, ThatWereRunCrash) {
  CommandImplementation command(
      CommandLine("sh -c 'test -e $0/seen && exit 127; touch $0/seen; cp $0/answer $2' " +
                  folder_.path().string() + " {request} {response}"));
  EXPECT_EQ(command.ask(small_request()).status, ResponseStatus::answered);
  EXPECT_EQ(command.ask(small_request()).status, ResponseStatus::crashed);
  folder_.write("script.sh", "echo $0 half.float; exit 1");
  const auto script = "sh " + (folder_.path() / "script.sh").string();
  CommandImplementation failing(CommandLine(script + " half.float {request} {response}"));
  EXPECT_EQ(failing.ask(small_request()).status, ResponseStatus::crashed);
}

TEST_F(Commands, TakeTooLong) {
  const auto response = run("echo I think; while :; do :; done", std::chrono::milliseconds(200));
  EXPECT_EQ(response.status, ResponseStatus::timed_out);
  EXPECT_EQ(response.reason, "did not answer within 200 ms after it wrote: I think");
}

TEST_F(Commands, GiveWhatIsNoAnswer) {
  for (const auto& [script, reason] : {
           std::pair("exit 0", "the response is missing"),
           std::pair("cp $D/wrong_type $R", "the response has encoding of float64, expected float32"),
           std::pair("cp $D/wrong_shape $R", "the response has encoding of shape [2], expected [1, 2]"),
           std::pair("head -c 50 $D/answer > $R", "the response: found 42 bytes where the header should be"),
           std::pair("cp $D/huge_header $R", "the response: found a header of 9187201950435737471 bytes"),
           std::pair("mkdir $R", "the response is not a regular file"),
           std::pair("mkfifo $R", "the response is not a regular file"),
           std::pair("ln -s /dev/zero $R", "the response is a symbolic link"),
           std::pair("echo sorry", "the response is missing after it wrote: sorry"),
       }) {
    const auto response = run(script);
    EXPECT_EQ(response.status, ResponseStatus::malformed);
    EXPECT_THAT(response.reason, StartsWith(reason));
  }
}

TEST_F(Commands, CanBeInterrupted) {
  CommandImplementation command(CommandLine("sh -c 'sleep 1000' {request} {response}"),
                                {.pause = [] { throw InputError("interrupted"); }});
  EXPECT_THROW(command.ask(small_request()), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(temporary()));
}

TEST(CommandLines, AreSplitAsAShellWould) {
  EXPECT_THAT(
      CommandLine("a  'b c'\"d\\\"\\e\" \\  '' --q={request}\t{response}{request}").words("/q x", "/r'"),
      ElementsAre("a", "b cd\"\\e", " ", "", "--q=/q x", "/r'/q x"));
  // What a shell would do something with is left alone in quotes.
  EXPECT_THAT(CommandLine("'{request}|' \"{response};$x\"").words("q", "r"), ElementsAre("q|", "r;$x"));
}

TEST(CommandLines, AreRefused) {
  const auto refusal = [](std::string_view text) {
    return refusal_of([&] { const CommandLine command{text}; });
  };
  EXPECT_THAT(refusal("a {request}"),
              AllOf(HasSubstr("found \"a {request}\""), HasSubstr("{response} in it")));
  EXPECT_THAT(refusal(" "), HasSubstr("found no program"));
  EXPECT_THAT(refusal("a {request} 'b"), HasSubstr("found a ' without its end"));
  EXPECT_THAT(refusal("a {request} \"b\\\""), HasSubstr("found a \" without its end"));
  EXPECT_THAT(refusal("a {request} {response} > log"), HasSubstr("found an unquoted '>'"));
  EXPECT_THAT(refusal("a {request} $(b) {response}"), HasSubstr("found an unquoted '$'"));
}

TEST_F(Commands, NameATmpdirThatIsNoFolder) {
  setenv("TMPDIR", (temporary() / "missing").c_str(), 1);
  EXPECT_THAT(refusal_of([] { RequestFolder(); }),
              AllOf(StartsWith("TMPDIR: found \""), HasSubstr("missing"), HasSubstr("expected a folder")));
}

/// As in a TMPDIR with such a name.
TEST(CommandLines, ReplaceOnlyWhatWasWritten) {
  const CommandLine command("do {request} --to={response}");
  EXPECT_THAT(command.words("/{response}/q", "/{request}/r"),
              ElementsAre("do", "/{response}/q", "--to=/{request}/r"));
}

}  // namespace
}  // namespace vernier
