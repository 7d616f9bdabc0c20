// Calls that a server recorded: what is asked again, how answers are judged, and which lists are refused.

#include "reports/verdict/live/recorded_calls.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/formats/tensor_file.hpp"
#include "reference/test/refusal.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/test/fake.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t recorded_tokens = 5;
constexpr std::size_t recorded_head_dim = 16;

class RecordedCalls : public ::testing::Test {
 protected:
  /// Writes q [5, 2, 16], k [5, 16] and positions into a folder below that of the list.
  RecordedCalls() {
    std::filesystem::create_directory(folder_.path() / "blob");
    store("q", number_tensor(ElementType::float32, {recorded_tokens, 2, recorded_head_dim},
                             values(recorded_tokens * 2 * recorded_head_dim)));
    store("k", number_tensor(ElementType::float32, {recorded_tokens, recorded_head_dim},
                             values(recorded_tokens * recorded_head_dim)));
    store("positions", integer_tensor({recorded_tokens}, std::vector<std::int64_t>{7, 0, 399, 7, 12}));
  }

  static std::vector<double> values(std::size_t count) {
    std::vector<double> result(count);
    for (std::size_t i = 0; i < count; ++i) {
      result[i] = 0.25 * static_cast<double>(i % 23) - 2;
    }
    return result;
  }
  void store(const std::string& name, const Tensor& tensor) {
    TensorWriter writer(folder_.path() / "blob" / (name + ".safetensors"), tensor.type(), tensor.shape(),
                        name, {});
    writer.append(tensor.bytes());
    writer.finish();
  }
  static std::string stored(const std::string& name) {
    return fmt::format(
        R"("{0}": {{"type": "safetensors", "path": "blob/{0}.safetensors", "tensor_key": "{0}"}})", name);
  }
  /// A line of a list. \param inputs its members
  static std::string call(const std::string& inputs) {
    return R"({"definition": "rope", "workload": {"uuid": "a", "axes": {}, "inputs": {)" + inputs + "}}}\n";
  }
  std::vector<RecordedCall> read(const std::string& lines) {
    return read_recorded_calls(folder_.write("list.jsonl", lines), *encoding_, ElementType::float32, 1);
  }
  Verdict judged(Fake& fake, const std::string& lines) {
    const auto asked = asked_again(fake, read(lines), [] {});
    return validate_answers(asked, parsed(std::string(fake_rope)), {.name = "it", .source = "list"},
                            "a fake");
  }

  std::unique_ptr<Encoding> encoding_ = parsed(std::string(fake_rope));
  TemporaryFolder folder_;
};

TEST_F(RecordedCalls, AreAskedHeadByHead) {
  const auto calls = read(call(stored("q") + "," + stored("k") + "," + stored("positions")));
  ASSERT_EQ(calls.size(), 2U);
  const auto& query = calls[0].request;
  EXPECT_EQ(query.input->shape(), (Shape{2, recorded_tokens, recorded_head_dim}));
  // The second head of token 3 is the row 3 * 2 + 1 of the recorded vectors.
  EXPECT_EQ(query.input->number((1 * recorded_tokens + 3) * recorded_head_dim),
            values(7 * recorded_head_dim + 1).back());
  EXPECT_EQ(integers_of(query.positions), (std::vector<std::int64_t>{7, 0, 399, 7, 12}));
  EXPECT_EQ(calls[1].request.input->shape(), (Shape{1, recorded_tokens, recorded_head_dim}));
}

TEST_F(RecordedCalls, EveryAnsweredRowIsJudged) {
  const auto lines = call(stored("q") + "," + stored("positions")) + "\n" +
                     call(R"("A": {"type": "random"})") + call(stored("k") + "," + stored("positions")) +
                     call(R"("x": {"type": "random"}, "pos_ids": )" + stored("positions").substr(13));
  Fake honest;
  const auto verdict = judged(honest, lines);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/rotated").status, Status::pass);
  EXPECT_EQ(verdict.rows, recorded_tokens * 4);
  Fake broken;
  broken.position = [](std::int64_t p) { return p == 399 ? 398 : p; };
  EXPECT_EQ(check_named(judged(broken, lines).checks, "accuracy/rotated").status, Status::fail);
}

TEST_F(RecordedCalls, ACallWithoutAnAnswerNamesItsLine) {
  Fake fake([](const Request& request, const Response& honest) {
    return request.input->shape().front() == 1 ? Response{ResponseStatus::crashed, "killed"} : honest;
  });
  const auto verdict = judged(fake, call(stored("q") + "," + stored("k") + "," + stored("positions")));
  EXPECT_THAT(check_named(verdict.checks, "implementation/answers/rotated").reason,
              HasSubstr("list.jsonl:1 k: killed"));
}

TEST_F(RecordedCalls, WhatSaysNothingIsRefused) {
  const auto refused = [&](const std::string& lines) { return refusal_of([&] { read(lines); }); };
  EXPECT_THAT(refused(""), HasSubstr("found no call"));
  EXPECT_THAT(refused("{"), HasSubstr("list.jsonl:1"));
  EXPECT_THAT(refused(call(R"("positions": {"type": "random"}, )" + stored("q"))),
              HasSubstr("random positions"));
  EXPECT_THAT(refused(call(R"("q": {"type": "safetensors", "path": "gone", "tensor_key": "q"}, )" +
                           stored("positions"))),
              HasSubstr("found no file \"gone\""));
  store("short", number_tensor(ElementType::float32, {recorded_tokens - 1, recorded_head_dim},
                               values((recorded_tokens - 1) * recorded_head_dim)));
  EXPECT_THAT(
      refused(
          call(R"("q": {"type": "safetensors", "path": "blob/short.safetensors", "tensor_key": "short"}, )" +
               stored("positions"))),
      HasSubstr("expected vectors [5, heads, 16]"));
}

}  // namespace
}  // namespace vernier
