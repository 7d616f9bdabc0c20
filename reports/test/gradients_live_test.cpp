// The backward pass of an engine, asked beside the forward one: one verdict is about both.

#include "reports/test/engine.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TwoPasses final : public Engine {
 public:
  TwoPasses() { says.gradients = true; }
};

Verdict judge_both(Engine& engine) {
  constexpr std::string_view spec = R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 5000})";
  LiveOptions options{.name = "engine", .source = "spec", .cases = 5};
  options.questions.quick = true;
  options.all = true;
  return validate_live(engine, parsed(spec), options);
}

Status status_of(const Verdict& verdict, const std::string& id) {
  return check_named(verdict.checks, id).status;
}

TEST(LiveGradients, ConformWithTheForwardPass) {
  TwoPasses engine;
  const auto verdict = judge_both(engine);
  EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
  for (const auto* id : {"implementation/answers/input_gradient", "accuracy/input_gradient",
                         "norm/input_gradient", "law/rope/adjoint", "law/rope/transpose-returns"}) {
    EXPECT_EQ(status_of(verdict, id), Status::pass) << id;
  }
}

TEST(LiveGradients, AreSkippedWhereNobodyOffersThem) {
  Engine engine;
  engine.begin_question = [](const Request& request) {
    EXPECT_EQ(vector_role_named(request.wanted.front().role) != nullptr, request.input.has_value());
    EXPECT_NE(request.wanted.front().role, "input_gradient");
  };
  const auto verdict = judge_both(engine);
  EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
  const auto& check = check_named(verdict.checks, "implementation/answers/input_gradient");
  EXPECT_EQ(check.status, Status::skipped);
  EXPECT_THAT(check.reason, HasSubstr("was not asked: it does not say that it takes gradients"));
  EXPECT_THAT(ids(verdict.checks, Status::pass), Not(::testing::Contains("law/rope/adjoint")));
}

TEST(LiveGradients, ThatRotateForwardAreNamed) {
  TwoPasses engine;
  engine.sense_of_gradients = 1;
  const auto verdict = judge_both(engine);
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(summary(verdict), HasSubstr("he gradient rotates in the declared forward direction"));
  EXPECT_EQ(status_of(verdict, "accuracy/rotated"), Status::pass);
  for (const auto* id : {"accuracy/input_gradient", "law/rope/adjoint", "law/rope/transpose-returns"}) {
    EXPECT_EQ(status_of(verdict, id), Status::fail) << id;
  }
}

/// A backward pass that takes the sines that the last forward pass left: right after each, and wrong
/// otherwise.
TEST(LiveGradients, OfTheLastForwardPassAreSeen) {
  TwoPasses engine;
  std::vector<std::int64_t> last;
  engine.begin_question = [&](const Request& request) {
    if (request.wanted.front().role == "rotated") {
      last = integers_of(request.positions);
    }
  };
  engine.position = [&](const EngineRow& row) {
    const bool is_back = row.request.wanted.front().role == "input_gradient" && row.index < last.size();
    return is_back ? last[row.index] : row.position();
  };
  const auto verdict = judge_both(engine);
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_EQ(status_of(verdict, "accuracy/rotated"), Status::pass);
  EXPECT_THAT(
      ids(verdict.checks, Status::fail),
      ::testing::Contains(::testing::AnyOf(HasSubstr("effects/"), HasSubstr("state/"), HasSubstr("use/"))));
}

}  // namespace
}  // namespace vernier
