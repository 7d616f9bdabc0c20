// Implementations that are servers, most of them hostile: each gives a Response, in its time, is started anew
// where it has to be, and leaves nothing behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/asking/program.hpp"
#include "numerics/formats/safetensors.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Servers : public ::testing::Test {
 protected:
  Servers() {
    write_safetensors(folder_.path() / "answer",
                      {{"encoding", tensor_of(Format::binary32, {1, 2}, std::vector{0.0, 1.0})}},
                      {{"implementation", "the honest one"}, {"takes", "contiguous"}});
    std::filesystem::create_directory(temporary());
    setenv("TMPDIR", temporary().c_str(), 1);
  }
  ~Servers() override { unsetenv("TMPDIR"); }

  std::filesystem::path temporary() const { return folder_.path() / "temporary"; }

  /// A server that runs a script for each question, in which $i is its number, counted from 1 by the process,
  /// $R the response and $0 a folder with answers.
  ServerImplementation server(const std::string& script,
                              std::chrono::milliseconds time = std::chrono::seconds(30)) const {
    return ServerImplementation(
        "sh -c 'i=0; while read -r L; do i=$((i+1)); R=${L##*\\\"response\\\":\\\"}; "
        "R=${R%%\\\"*}; " +
            script + "; done' " + folder_.path().string(),
        {.time_limit = time});
  }

  TemporaryFolder folder_;
};

const std::string honest_answer = "cp $0/answer $R; echo \"{\\\"id\\\": $i}\"";

TEST_F(Servers, StayFromOneQuestionToTheNext) {
  auto one = server(honest_answer);
  for (int question = 0; question < 3; ++question) {
    const auto response = one.ask(small_request());
    ASSERT_EQ(response.status, ResponseStatus::answered) << response.reason;
    EXPECT_EQ(response.tensors.at("encoding").number(1), 1.0);
  }
  EXPECT_THAT(one.description(), StartsWith("the honest one (the server sh -c "));
  EXPECT_TRUE(one.takes().contiguous_only);
  EXPECT_TRUE(std::filesystem::is_empty(temporary()));
}

/// Its own count of questions starts again, which is another than Vernier's.
TEST_F(Servers, StartAfreshWhenTheyAreTold) {
  auto one = server(honest_answer);
  EXPECT_EQ(one.ask(small_request()).status, ResponseStatus::answered);
  one.start_afresh();
  const auto response = one.ask(small_request());
  EXPECT_EQ(response.status, ResponseStatus::malformed);
  EXPECT_THAT(response.reason,
              StartsWith("answered question 1 twice or late, expected one answer to question 2"));
}

TEST_F(Servers, MayWriteToTheirStandardError) {
  auto one = server("head -c 5000000 /dev/zero >&2; " + honest_answer);
  EXPECT_EQ(one.ask(small_request()).status, ResponseStatus::answered);
}

TEST_F(Servers, MaySayWhyThereIsNoAnswer) {
  auto one = server("echo \"{\\\"id\\\": 1, \\\"unsupported\\\": \\\"only float64\\\"}\"");
  auto response = one.ask(small_request());
  EXPECT_EQ(response.status, ResponseStatus::unsupported);
  EXPECT_EQ(response.reason, "only float64");
  auto other = server("echo \"{\\\"id\\\": 1, \\\"rejected\\\": \\\"IndexError: 4096\\\"}\"");
  response = other.ask(small_request());
  EXPECT_EQ(response.status, ResponseStatus::rejected);
  EXPECT_EQ(response.reason, "IndexError: 4096");
}

TEST_F(Servers, ThatAnswerSomethingElseAreToldApart) {
  for (const auto& [script, reason] : {
           std::pair<std::string, std::string>(
               "echo hello", "wrote 'hello' to its standard output, expected one line {\"id\": 1}"),
           {"echo {}", "wrote '{}' to its standard output"},
           {"echo \"{\\\"id\\\": 0.5}\"", "wrote '"},
           {"echo \"{\\\"id\\\": 2}\"",
            "answered question 2 before it was asked, expected one answer to question 1"},
           {"head -c 70000 /dev/zero; sleep 1000", "wrote a line of more than 65536 bytes"},
           {"echo \"{\\\"id\\\": 1}\"", "the response is missing"},
       }) {
    auto one = server(script);
    const auto response = one.ask(small_request());
    EXPECT_EQ(response.status, ResponseStatus::malformed) << script;
    EXPECT_THAT(response.reason, StartsWith(reason));
    EXPECT_TRUE(std::filesystem::is_empty(temporary())) << script;
  }
}

TEST_F(Servers, ThatAnswerTwiceAreFoundOutByTheNextQuestion) {
  auto one = server(honest_answer + "; " + honest_answer);
  EXPECT_EQ(one.ask(small_request()).status, ResponseStatus::answered);
  const auto response = one.ask(small_request());
  EXPECT_EQ(response.status, ResponseStatus::malformed);
  EXPECT_THAT(response.reason, StartsWith("answered question 1 twice or late"));
}

TEST_F(Servers, AreStartedAnewAfterACrash) {
  auto one = server("echo out of memory >&2; kill -SEGV $$");
  for (int question = 0; question < 2; ++question) {
    const auto response = one.ask(small_request());
    EXPECT_EQ(response.status, ResponseStatus::crashed);
    EXPECT_EQ(response.reason, "killed by signal 11 (Segmentation fault) after it wrote: out of memory");
  }
  auto leaving = server("exit 3");
  EXPECT_EQ(leaving.ask(small_request()).reason, "left with exit code 3");
  auto without_package = server("echo no torch >&2; exit 77");
  EXPECT_EQ(without_package.ask(small_request()).status, ResponseStatus::unsupported);
}

TEST_F(Servers, ThatHangAreEnded) {
  for (const std::string script : {"sleep 1000", "exec >&-; sleep 1000", "echo -n {; sleep 1000"}) {
    auto one = server(script, std::chrono::milliseconds(300));
    const auto response = one.ask(small_request());
    EXPECT_TRUE(response.status == ResponseStatus::timed_out || response.status == ResponseStatus::crashed)
        << script;
    EXPECT_TRUE(std::filesystem::is_empty(temporary())) << script;
  }
}

TEST_F(Servers, ThatForgetTheEndOfALineAreToldSo) {
  auto one = server("printf {; sleep 1000", std::chrono::milliseconds(300));
  EXPECT_EQ(one.ask(small_request()).reason,
            "did not answer within 300 ms, though it wrote '{' without an end of the line");
}

/// As a reader of whole input, which would wait for its end.
TEST_F(Servers, ThatDoNotReadAreEnded) {
  ServerImplementation one("sleep 1000", {.time_limit = std::chrono::milliseconds(300)});
  EXPECT_EQ(one.ask(small_request()).status, ResponseStatus::timed_out);
}

TEST_F(Servers, CanBeInterruptedAndAskedAgain) {
  bool is_interrupted = true;
  ServerImplementation one("sh -c 'while read -r L; do sleep 0.3; echo {}; done'", {.pause = [&] {
                             if (is_interrupted) {
                               throw InputError("interrupted");
                             }
                           }});
  EXPECT_THROW(one.ask(small_request()), InputError);
  is_interrupted = false;
  EXPECT_THAT(one.ask(small_request()).reason, StartsWith("wrote '{}'"));
}

TEST_F(Servers, ThatCannotBeRunAreBadInput) {
  const auto refusal = [](const std::string& command) {
    return refusal_of([&] { ServerImplementation(command).ask(small_request()); });
  };
  EXPECT_THAT(refusal("nonexistent-program"), HasSubstr("expected a program in PATH"));
  EXPECT_THAT(refusal("sh ./nonexistent.sh"), HasSubstr("./nonexistent.sh: no such file, expected a script"));
  EXPECT_THAT(refusal("cat {request}"), HasSubstr("expected neither: each question names its files"));
  EXPECT_THAT(refusal(""), HasSubstr("found no program"));
}

}  // namespace
}  // namespace vernier
