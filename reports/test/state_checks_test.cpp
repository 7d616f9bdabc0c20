// What is kept from one call to the next: each way in which it spoils an answer is found by the check that
// asks for it, with the shortest sequence of questions that shows it.

#include <bit>
#include <map>
#include <memory>

#include "reports/test/engine.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<std::string> states(const Verdict& verdict, Status status) {
  auto found = ids(verdict.checks, status);
  std::erase_if(found, [](const std::string& id) { return !id.starts_with("state/"); });
  return found;
}

std::int64_t greatest_position(const Request& request) {
  return std::ranges::max(integers_of(request.positions));
}

const Check& failing(const Verdict& verdict, std::string_view id) {
  const auto& check = check_named(verdict.checks, id);
  EXPECT_EQ(check.status, Status::fail) << told(verdict);
  return check;
}

/// Makes the engine keep a table that every longer question makes again, in its own type.
/// \param is_rounded whether that is bfloat16; outlives the engine's questions
void regrow_in_type_of_question(Engine& engine, bool& is_rounded) {
  const auto known = std::make_shared<std::int64_t>(0);
  engine.begin = [known, &is_rounded] {
    *known = 0;
    is_rounded = false;
  };
  engine.begin_question = [known, &is_rounded](const Request& request) {
    if (greatest_position(request) >= *known) {
      *known = greatest_position(request) + 1;
      is_rounded = request.wanted.front().type == ElementType::bfloat16;
    }
  };
}

/// Keeps whole answers, and finds them by less than makes them.
class Remembering : public Engine {
 public:
  using Key = std::vector<std::int64_t>;

  Response ask(const Request& request) override {
    auto of_shape = key(request);
    for (const auto& wanted : request.wanted) {
      of_shape.insert(of_shape.end(), wanted.shape.begin(), wanted.shape.end());
      of_shape.push_back(static_cast<std::int64_t>(wanted.type));
    }
    if (const auto found = known_.find(of_shape); found != known_.end()) {
      return found->second;
    }
    if (keeps_latest_only) {
      known_.clear();
    }
    return known_.emplace(std::move(of_shape), Engine::ask(request)).first->second;
  }
  void start_afresh() override { known_.clear(); }

  std::function<Key(const Request&)> key;
  bool keeps_latest_only = false;

 private:
  std::map<Key, Response> known_;
};

Remembering::Key ends(const Request& request) {
  const auto positions = integers_of(request.positions);
  return {static_cast<std::int64_t>(positions.size()), positions.front(), positions.back()};
}

/// \return what is in a question's vectors, for a key
Remembering::Key vectors(const Request& request) {
  Remembering::Key key;
  for (std::size_t i = 0; request.input && i < request.input->elements(); ++i) {
    key.push_back(std::bit_cast<std::int64_t>(request.input->number(i)));
  }
  return key;
}

TEST(StateChecks, AnAnswerKeptForThePositionsWhateverTheVectors) {
  for (const bool latest : {false, true}) {
    Remembering engine;
    engine.key = [](const Request& request) { return integers_of(request.positions); };
    engine.keeps_latest_only = latest;
    const auto check = failing(judge_vectors(engine), "state/streams");
    EXPECT_THAT(check.reason, HasSubstr("after one other question, and had other bits before"));
  }
}

TEST(StateChecks, AnAnswerKeptForALengthAndItsEnds) {
  for (const bool latest : {false, true}) {
    Remembering engine;
    engine.key = ends;
    engine.keeps_latest_only = latest;
    failing(judge(engine, {"cos"}), "state/streams");
  }
}

TEST(StateChecks, AnHonestCachePasses) {
  Remembering engine;
  engine.key = [](const Request& request) {
    auto key = integers_of(request.positions);
    std::ranges::move(vectors(request), std::back_inserter(key));
    return key;
  };
  EXPECT_EQ(exit_code(judge(engine, {"cos", "sin"})), 0);
  EXPECT_EQ(exit_code(judge_vectors(engine)), 0);
}

/// Where there is the caller's process only, what changes is told with all that was asked.
class InCallersProcess : public Engine {
 public:
  bool can_start_afresh() const override { return false; }
  void start_afresh() override { FAIL() << "there is no other process"; }
};

TEST(StateChecks, InTheCallersProcess) {
  InCallersProcess honest;
  for (const auto& roles : {std::vector<std::string>{"cos", "sin"}, {"rotated"}}) {
    const auto verdict = judge(honest, roles);
    EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
    EXPECT_THAT(states(verdict, Status::pass), SizeIs(6));
    EXPECT_EQ(check_named(verdict.checks, "use/longest").status, Status::skipped);
    EXPECT_THAT(check_named(verdict.checks, "use/longest").reason, HasSubstr("needs a new process"));
    EXPECT_THAT(verdict.asking.notes.front(), StartsWith("It was asked in the caller's own process: "));
  }
  EXPECT_THAT(check_named(judge(honest, {"rotated"}).checks, "use/heads").reason,
              AllOf(HasSubstr("not asked: vectors [2, 6, 19, head_dim]"), HasSubstr("needs a new process")));

  InCallersProcess keeps;
  bool is_stretched = false;
  keeps.begin_question = [&](const Request& request) {
    is_stretched = is_stretched || greatest_position(request) >= 2 * context - 1;
  };
  keeps.scale_of_phase = [&](const EngineRow&) { return is_stretched ? 0.5 : 1.0; };
  const auto verdict = judge(keeps, {"cos", "sin"});
  const auto failed = states(verdict, Status::fail);
  ASSERT_THAT(failed, SizeIs(1)) << told(verdict);
  const auto& check = check_named(verdict.checks, failed.front());
  EXPECT_THAT(check.reason,
              HasSubstr("which of them matter, or others before, only new processes would tell"));
  EXPECT_THAT(check_named(verdict.checks, "state/streams").reason, HasSubstr("needs a new process"));
}

TEST(StateChecks, AnHonestEnginePassesAll) {
  Engine engine;
  EXPECT_THAT(states(judge(engine, {}), Status::pass),
              ElementsAre("state/types", "state/longer", "state/shorter", "state/shapes", "state/streams",
                          "state/repeated"));
}

/// A prompt beyond the context changes the frequencies, for all that comes after.
TEST(StateChecks, ATableKeptAfterALongPrompt) {
  Engine engine;
  bool is_stretched = false;
  engine.begin = [&] { is_stretched = false; };
  engine.begin_question = [&](const Request& request) {
    is_stretched = is_stretched || greatest_position(request) >= context;
  };
  engine.scale_of_phase = [&](const EngineRow&) { return is_stretched ? 0.5 : 1.0; };
  const auto check = failing(judge(engine, {"cos", "sin"}), "state/longer");
  EXPECT_THAT(check.reason, StartsWith("cos of position "));
  EXPECT_THAT(check.reason, HasSubstr("after one other question, and had other bits before"));
  ASSERT_THAT(check.counterexample, SizeIs(7)) << check.reason;
  EXPECT_THAT(check.counterexample[0], Pair("question 1", "cos, sin in float32 at position 9999"));
  EXPECT_THAT(check.counterexample[1], Pair("question 2", StartsWith("cos, sin in float32 at position ")));
}

/// A longer question in bfloat16 rebuilds the table in that type; a later one in float32 finds it so.
TEST(StateChecks, ATableRegrownInBfloat16) {
  Engine engine;
  bool is_rounded = false;
  regrow_in_type_of_question(engine, is_rounded);
  engine.finish = [&](std::vector<double>& values) {
    for (auto& value : values) {
      value = is_rounded ? round_to(Format::bfloat16, value) : value;
    }
  };
  const auto check = failing(judge(engine, {"cos", "sin"}), "state/types");
  ASSERT_THAT(check.counterexample, SizeIs(7)) << check.reason;
  EXPECT_THAT(check.counterexample[0], Pair("question 1", "cos, sin in bfloat16 at position 9999"));
}

/// The cache belongs to the longest question, and a shorter one cuts it off.
TEST(StateChecks, ATableCutByAShortQuestion) {
  Engine engine;
  std::int64_t known = context;
  engine.begin = [&] { known = context; };
  engine.position = [&](const EngineRow& row) { return std::min(row.position(), known - 1); };
  engine.begin_question = [&](const Request& request) {
    const bool is_first_row = rows_of(request) == 1 && greatest_position(request) == 0;
    known = is_first_row ? 32 : known;
  };
  const auto verdict = judge(engine, {"cos", "sin"});
  EXPECT_THAT(states(verdict, Status::fail), ::testing::Contains("state/shorter")) << told(verdict);
}

/// Heads of another question are left in what is kept.
TEST(StateChecks, AShapeThatIsKept) {
  Engine engine;
  bool has_heads = false;
  engine.begin = [&] { has_heads = false; };
  engine.begin_question = [&](const Request& request) {
    has_heads = has_heads || request.wanted.front().shape.size() > 2;
  };
  engine.position = [&](const EngineRow& row) {
    return row.position() + (has_heads && row.request.wanted.front().shape.size() == 2 ? 1 : 0);
  };
  const auto check = failing(judge_vectors(engine), "state/shapes");
  EXPECT_THAT(check.counterexample.at(0), Pair("question 1", AllOf(StartsWith("rotated in float32, [2, 3, "),
                                                                   HasSubstr("positions from 0"))));
}

/// A decoder that counts tokens itself, and takes any single row for the next one.
TEST(StateChecks, ASequenceThatIsTakenForAnother) {
  Engine engine;
  std::optional<std::int64_t> next;
  engine.begin = [&] { next.reset(); };
  engine.begin_question = [&](const Request& request) {
    const auto first = *request.positions.integer(0);
    // It trusts the position only where a sequence starts, or jumps back.
    const bool goes_on = next && rows_of(request) == 1 && first > *next && first > 4000;
    next = goes_on ? *next + 1 : first + static_cast<std::int64_t>(rows_of(request));
  };
  engine.position = [&](const EngineRow& row) {
    return row.rows == 1 && row.request.wanted.front().shape.size() == 2 ? *next - 1 : row.position();
  };
  const auto verdict = judge(engine, {"cos", "sin"});
  EXPECT_THAT(states(verdict, Status::fail), ::testing::Contains("state/streams")) << told(verdict);
}

/// Threads that share memory spoil one answer in many.
TEST(StateChecks, ARaceThatOneQuestionInManyLoses) {
  Engine engine;
  int small_questions = 0;
  engine.begin_question = [&](const Request& request) {
    small_questions += rows_of(request) == 2048 ? 1 : 0;
  };
  engine.finish = [&](std::vector<double>& values) {
    if (small_questions == 70) {
      values.back() += 1e-6;
      ++small_questions;
    }
  };
  const auto check = failing(judge(engine, {"cos"}), "state/repeated");
  EXPECT_THAT(check.reason, AllOf(StartsWith("question "),
                                  HasSubstr(" of 100 equal ones (cos) gave other bits: cos of position ")));
}

/// An engine may compile a faster path once it has seen heads: other bits, within their budget.
TEST(StateChecks, OtherBitsWithinTheBudgetAreHonest) {
  Engine engine;
  bool is_compiled = false;
  engine.begin = [&] { is_compiled = false; };
  engine.begin_question = [&](const Request& request) {
    is_compiled = is_compiled || request.wanted.front().type != ElementType::float32;
  };
  engine.finish = [&](std::vector<double>& values) {
    for (auto& value : values) {
      value *= is_compiled ? 1 + 0x1p-25 : 1;
    }
  };
  const auto verdict = judge(engine, {"cos", "sin"});
  const auto& check = check_named(verdict.checks, "state/types");
  EXPECT_EQ(check.status, Status::pass) << check.reason;
  EXPECT_THAT(check.reason, HasSubstr("bits differ from call to call in "));
  const auto strict = judge(engine, {"cos", "sin"}, true);
  EXPECT_THAT(failing(strict, "state/types").reason, HasSubstr(", and had other bits before"));
}

/// It compiles its first question anew meanwhile: bits change in one and the same process.
TEST(StateChecks, EqualQuestionsMayHaveOtherBitsWithinTheBudget) {
  Engine engine;
  int questions = 0;
  engine.begin_question = [&](const Request& request) { questions += rows_of(request) == 2048 ? 1 : 0; };
  engine.finish = [&](std::vector<double>& values) {
    for (auto& value : values) {
      value *= questions > 40 ? 1 + 0x1p-25 : 1;
    }
  };
  const auto verdict = judge(engine, {"cos"});
  EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
  EXPECT_THAT(check_named(verdict.checks, "state/repeated").reason,
              StartsWith("100 equal questions: bits differ from call to call in "));
  questions = 0;
  EXPECT_EQ(exit_code(judge(engine, {"cos"}, true)), 1);
}

/// The process was asked a long question by another check, but none so long that this table could not grow.
TEST(StateChecks, ATableRegrownWithinTheContext) {
  Engine engine;
  bool is_rounded = false;
  regrow_in_type_of_question(engine, is_rounded);
  engine.refuses = [](const Request& request) {
    return greatest_position(request) >= context ? ResponseStatus::rejected : ResponseStatus::answered;
  };
  engine.finish = [&](std::vector<double>& values) {
    for (auto& value : values) {
      value = is_rounded ? round_to(Format::bfloat16, value) : value;
    }
  };
  const auto check = failing(judge(engine, {"cos", "sin"}), "state/types");
  EXPECT_THAT(check.counterexample.at(0), Pair("question 1", "cos, sin in bfloat16 at position 4999"));
}

/// What cannot be asked again says so.
TEST(StateChecks, AreSkippedWithAReason) {
  Engine engine;
  engine.process = true;
  const auto verdict = judge(engine, {"cos", "sin"});
  EXPECT_THAT(states(verdict, Status::skipped), SizeIs(6));
  EXPECT_EQ(check_named(verdict.checks, "state/longer").reason,
            "each question has a process of its own; --serve keeps one");
  Engine one_length;
  one_length.says.one_length = true;
  EXPECT_EQ(check_named(judge(one_length, {"cos", "sin"}).checks, "state/longer").reason,
            "it takes one length a process");
}

/// Questions in types that an engine does not do say nothing against it.
TEST(StateChecks, DeclinedQuestionsAreNoFailures) {
  Engine engine;
  engine.refuses = [](const Request& request) {
    return request.wanted.front().type == ElementType::float32 ? ResponseStatus::answered
                                                               : ResponseStatus::rejected;
  };
  const auto verdict = judge(engine, {"cos", "sin"});
  EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
  EXPECT_THAT(check_named(verdict.checks, "state/types").reason,
              HasSubstr("4 questions between were declined"));
  engine.refuses = [](const Request& request) {
    return request.wanted.front().type == ElementType::float32 ? ResponseStatus::answered
                                                               : ResponseStatus::crashed;
  };
  EXPECT_EQ(check_named(judge(engine, {"cos", "sin"}).checks, "state/types").status, Status::error);
}

/// Positions in the type of a question that made the table grow: integers to 256 are exact in bfloat16, so
/// that its first rows show nothing.
TEST(StateChecks, PositionsOfARegrownTableInBfloat16) {
  Engine engine;
  bool is_rounded = false;
  regrow_in_type_of_question(engine, is_rounded);
  engine.position = [&](const EngineRow& row) {
    return is_rounded
               ? static_cast<std::int64_t>(round_to(Format::bfloat16, static_cast<double>(row.position())))
               : row.position();
  };
  const auto check = failing(judge(engine, {"cos", "sin"}), "state/types");
  EXPECT_THAT(check.counterexample.at(0),
              Pair("question 1", StartsWith("cos, sin in bfloat16 at position ")));
}

/// A table that was made for the whole context, and is made again beyond it in the type of that question.
TEST(StateChecks, ATableRegrownBeyondTheContext) {
  Engine engine;
  bool is_rounded = false;
  engine.begin = [&] { is_rounded = false; };
  engine.begin_question = [&](const Request& request) {
    is_rounded = is_rounded || (greatest_position(request) >= context &&
                                request.wanted.front().type == ElementType::bfloat16);
  };
  engine.finish = [&](std::vector<double>& values) {
    for (auto& value : values) {
      value = is_rounded ? round_to(Format::bfloat16, value) : value;
    }
  };
  const auto check = failing(judge(engine, {"cos", "sin"}), "state/types");
  EXPECT_THAT(check.counterexample.at(0), Pair("question 1", "cos, sin in bfloat16 at position 9999"));
}

/// What was made once for some positions is kept for them, whatever the type.
TEST(StateChecks, ACacheWithoutTheType) {
  Engine engine;
  std::map<std::vector<std::int64_t>, bool> is_rounded;
  bool now = false;
  engine.begin = [&] { is_rounded.clear(); };
  engine.begin_question = [&](const Request& request) {
    const bool is_coarse = request.wanted.front().type == ElementType::bfloat16;
    now = is_rounded.try_emplace(integers_of(request.positions), is_coarse).first->second;
  };
  engine.finish = [&](std::vector<double>& values) {
    for (auto& value : values) {
      value = now ? round_to(Format::bfloat16, value) : value;
    }
  };
  const auto check = failing(judge(engine, {"cos", "sin"}), "state/types");
  EXPECT_EQ(check.counterexample.at(1).first, "question 2");
}

/// A question that was answered, and is refused after another.
TEST(StateChecks, ARefusalOfWhatWasAnswered) {
  Engine engine;
  bool has_seen = false;
  engine.begin = [&] { has_seen = false; };
  engine.begin_question = [&](const Request& request) {
    has_seen = has_seen || request.wanted.front().type == ElementType::bfloat16;
  };
  engine.refuses = [&](const Request& request) {
    return has_seen && request.wanted.front().type == ElementType::float32 ? ResponseStatus::unsupported
                                                                           : ResponseStatus::answered;
  };
  const auto check = failing(judge(engine, {"cos", "sin"}), "state/types");
  EXPECT_THAT(check.reason, HasSubstr("got no answer after one other question, and had one before"));
}

/// A question that two others spoil together is told with both, and no more.
TEST(StateChecks, TwoQuestionsThatMatter) {
  Engine engine;
  bool has_coarse = false;
  bool is_spoilt = false;
  engine.begin = [&] { has_coarse = is_spoilt = false; };
  engine.begin_question = [&](const Request& request) {
    has_coarse = has_coarse || request.wanted.front().type == ElementType::bfloat16;
    is_spoilt = is_spoilt || (has_coarse && request.wanted.front().type == ElementType::float16);
  };
  engine.scale_of_phase = [&](const EngineRow&) { return is_spoilt ? 0.5 : 1.0; };
  const auto check = failing(judge(engine, {"cos", "sin"}), "state/types");
  EXPECT_THAT(check.reason, HasSubstr("after 2 other questions"));
}

}  // namespace
}  // namespace vernier
