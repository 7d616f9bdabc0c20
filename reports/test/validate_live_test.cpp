// The verdict on implementations that are asked: honest ones, and ones broken in just the way that one check
// is for. They live in this process; crashes are played.

#include <chrono>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/json/json.hpp"
#include "reference/support/input_error.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/test/fake.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/verdict/live/live_check.hpp"

namespace vernier {

/// live_checks.json as it stands.
std::string live_checks_text();

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::UnorderedElementsAre;

TEST(ValidateLive, HonestOnesConform) {
  Fake fake;
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(verdict.producer, "a fake");
  EXPECT_EQ(verdict.rows, all_rows);
  for (const auto id :
       {"implementation/answers/cos", "implementation/answers/sin", "implementation/answers/rotated",
        "accuracy/cos", "accuracy/sin", "effects/determinism", "use/order", "use/lengths", "state/history",
        "effects/out-of-range", "effects/input", "effects/memory", "effects/output", "effects/environment"}) {
    EXPECT_EQ(check_named(verdict.checks, id).status, Status::pass)
        << id << ": " << check_named(verdict.checks, id).reason;
  }
}

TEST(ValidateLive, EveryCheckHasAnIdOfItsOwnAndAMeaning) {
  Fake fake;
  std::set<std::string> seen;
  for (const auto& check : judge(fake).checks) {
    EXPECT_TRUE(seen.insert(check.id).second) << check.id;
    EXPECT_TRUE(check_meaning_of(check.id)) << check.id;
  }
}

TEST(ValidateLive, CommandsAreAskedFewTimesAndTheirMemoryIsNotJudged) {
  Fake fake;
  fake.process = true;
  fake.watched = false;
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_THAT(fake.asked, Le(25));
  EXPECT_THAT(
      ids(verdict.checks, Status::skipped),
      ::testing::IsSupersetOf({"effects/input", "effects/memory", "effects/output", "effects/environment"}));
}

/// Changes an element of an answer.
using ElementChange = void (*)(Response& response, std::size_t index);

/// A change from call to call, in the way that one check is for.
struct Changing {
  std::string_view id;
  /// Of the answers from then on. \return the element that is changed, if one is
  std::function<std::optional<std::size_t>(const Request& request)> element;
  std::string_view reason;
};

std::vector<Changing> ways_to_change() {
  const auto is_second_call = [calls = 0](const Request& request) mutable {
    const bool is_whole = request.wanted.front().role == "cos" && rows_of(request) == all_rows;
    return is_whole && ++calls == 2 ? std::optional<std::size_t>(8 * 100 + 3) : std::nullopt;
  };
  return {{"effects/determinism", is_second_call, "a further call with the same question"}};
}

Verdict judge_changing(const Changing& changing, ElementChange change, bool bitwise = false) {
  Fake fake([&, element = changing.element](const Request& request, Response honest) mutable {
    if (const auto index = element(request)) {
      change(honest, *index);
    }
    return honest;
  });
  return judge(fake, fake_rope, bitwise);
}

TEST(ValidateLive, AnswersThatChangeBeyondTheBudgetFail) {
  for (const auto& changing : ways_to_change()) {
    const auto verdict = judge_changing(changing, spoil_first_tensor);
    const auto& check = check_named(verdict.checks, changing.id);
    EXPECT_EQ(check.status, Status::fail) << changing.id << ": " << check.reason;
    EXPECT_THAT(check.reason, AllOf(::testing::StartsWith(changing.reason), HasSubstr(" gave other bits: "),
                                    HasSubstr("times its budget")));
    EXPECT_GT(check.greatest_budget_ratio, 1) << changing.id;
    EXPECT_EQ(exit_code(verdict), 1);
  }
  const auto verdict = judge_changing(ways_to_change().front(), spoil_first_tensor);
  EXPECT_THAT(check_named(verdict.checks, "effects/determinism").counterexample,
              ::testing::IsSupersetOf({std::pair<std::string, std::string>("position", "100"),
                                       std::pair<std::string, std::string>("column", "3")}));
  EXPECT_THAT(ids(verdict.checks, Status::fail), UnorderedElementsAre("effects/determinism"));
}

TEST(ValidateLive, AnEarlierAnswerBeyondTheBudgetFails) {
  Fake fake([is_first = true](const Request&, Response honest) mutable {
    if (std::exchange(is_first, false)) {
      spoil_first_tensor(honest, 17);
    }
    return honest;
  });
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 1);
  const auto failed = ids(verdict.checks, Status::fail);
  EXPECT_TRUE(std::ranges::any_of(failed, [](const auto& id) {
    return id.starts_with("use/") || id.starts_with("state/");
  })) << ::testing::PrintToString(failed);
}

/// Arithmetic in bfloat16 knows nothing of a phase of 300.
TEST(ValidateLive, OtherBitsThatNothingIsKnownOfAreInconclusive) {
  Fake fake([calls = 0](const Request&, Response honest) mutable {
    if (++calls % 2 == 0) {
      nudge_first_tensor(honest, 3);
    }
    return honest;
  });
  LiveOptions options{.name = "fake", .source = "spec", .contract = "bfloat16", .cases = 2};
  options.questions.positions = PositionRange{300, 1, 99};
  options.questions.roles = {"cos"};
  const auto verdict = validate_live(fake, parsed(R"({"scheme": "rope", "head_dim": 2})"), options);
  const auto& check = check_named(verdict.checks, "effects/determinism");
  EXPECT_EQ(check.status, Status::inconclusive) << check.reason;
  EXPECT_THAT(check.reason, HasSubstr("too coarse to judge them"));
}

/// As an engine does that compiles a faster path, or has another one for one token or for a tail of rows.
TEST(ValidateLive, OtherBitsWithinTheBudgetAreToldAndNoFailure) {
  for (const auto& changing : ways_to_change()) {
    const auto verdict = judge_changing(changing, nudge_first_tensor);
    EXPECT_EQ(exit_code(verdict), 0) << changing.id;
    EXPECT_THAT(ids(verdict.checks, Status::fail), IsEmpty()) << changing.id;
    const auto& check = check_named(verdict.checks, changing.id);
    EXPECT_EQ(check.status, Status::pass) << changing.id;
    EXPECT_THAT(check.reason,
                AllOf(HasSubstr(": bits differ from call to call in "), HasSubstr("they use at most ")));
    EXPECT_THAT(check.greatest_budget_ratio, ::testing::Optional(AllOf(::testing::Gt(0.0), Le(1.0))));
  }
}

TEST(ValidateLive, OtherBitsAreAFailureWhereBitsAreRequired) {
  for (const auto& changing : ways_to_change()) {
    const auto verdict = judge_changing(changing, nudge_first_tensor, true);
    const auto& check = check_named(verdict.checks, changing.id);
    EXPECT_EQ(check.status, Status::fail) << changing.id << ": " << check.reason;
    EXPECT_THAT(check.reason, HasSubstr(" gave other bits"));
    EXPECT_EQ(exit_code(verdict), 1);
  }
  Fake honest;
  EXPECT_EQ(exit_code(judge(honest, fake_rope, true)), 0);
}

/// An answer that is no number is within no budget, and one that is beyond its budget at first neither.
TEST(ValidateLive, WhatIsWrongInEitherAnswerFails) {
  const auto not_a_number = [](Response& response, std::size_t index) {
    auto& tensor = response.tensors.begin()->second;
    std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
    bytes[index * 4 + 3] = std::byte{0x7f};
    bytes[index * 4 + 2] = std::byte{0xff};
    tensor = {tensor.type(), tensor.shape(), std::move(bytes)};
  };
  for (const auto& changing : ways_to_change()) {
    EXPECT_EQ(check_named(judge_changing(changing, not_a_number).checks, changing.id).status, Status::fail);
  }
  int calls = 0;
  Fake fake([&](const Request& request, Response honest) {
    if (request.wanted.front().role == "cos" && rows_of(request) == all_rows && ++calls == 1) {
      spoil_first_tensor(honest, 8 * 100 + 3);
    }
    return honest;
  });
  EXPECT_THAT(check_named(judge(fake).checks, "effects/determinism").reason,
              AllOf(HasSubstr("cos of position 100 "), ::testing::EndsWith(" at first")));
}

/// Rows of a learned table are copies, and have no budget that other bits could be within.
TEST(ValidateLive, CopiesKeepTheirBits) {
  constexpr std::string_view learned =
      R"({"scheme": "learned", "values": [[0, 1, 2, 3, 4, 5, 6, 7], [10, 11, 12, 13, 14, 15, 16, 17]]})";
  int calls = 0;
  Fake fake([&](const Request& request, Response honest) {
    if (rows_of(request) == 2 && ++calls == 3) {
      nudge_first_tensor(honest, 3);
    }
    return honest;
  });
  const auto verdict = judge(fake, learned);
  EXPECT_THAT(ids(verdict.checks, Status::fail), ::testing::Contains("effects/determinism"));
}

TEST(ValidateLive, SideEffects) {
  for (const auto& [kind, id] :
       {std::pair(SideEffectKind::wrote_outside_output, "effects/memory"),
        std::pair(SideEffectKind::changed_input, "effects/input"),
        std::pair(SideEffectKind::left_output_unwritten, "effects/output"),
        std::pair(SideEffectKind::changed_floating_point_environment, "effects/environment")}) {
    int calls = 0;
    Fake fake([&, kind = kind](const Request&, Response honest) {
      if (++calls == 5) {
        honest.side_effects = {{kind, "what was seen"}};
      }
      return honest;
    });
    const auto verdict = judge(fake);
    EXPECT_THAT(ids(verdict.checks, Status::fail), UnorderedElementsAre(id));
    EXPECT_EQ(check_named(verdict.checks, id).reason, "what was seen");
  }
}

TEST(ValidateLive, ACrashEndsOnlyTheCheckThatAsked) {
  int calls = 0;
  Fake fake([&](const Request& request, Response honest) {
    const bool again = request.wanted.front().role == "cos" && rows_of(request) == all_rows && ++calls == 2;
    return again ? failed(ResponseStatus::crashed, "killed by signal 11") : std::move(honest);
  });
  const auto verdict = judge(fake);
  EXPECT_THAT(ids(verdict.checks, Status::error), UnorderedElementsAre("effects/determinism"));
  EXPECT_THAT(check_named(verdict.checks, "effects/determinism").reason, HasSubstr("killed by signal 11"));
  EXPECT_EQ(check_named(verdict.checks, "use/lengths").status, Status::pass);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/sin").status, Status::pass);
  EXPECT_EQ(exit_code(verdict), 3);
}

TEST(ValidateLive, NoAnswerAtAll) {
  const auto exit_code_of = [](ResponseStatus status) {
    Fake fake([&](const Request&, const Response&) { return failed(status, "the reason"); });
    const auto verdict = judge(fake);
    EXPECT_THAT(ids(verdict.checks, Status::pass), IsEmpty());
    EXPECT_THAT(check_named(verdict.checks, "implementation/answers/cos").reason, HasSubstr("the reason"));
    return exit_code(verdict);
  };
  EXPECT_EQ(exit_code_of(ResponseStatus::crashed), 3);
  EXPECT_EQ(exit_code_of(ResponseStatus::timed_out), 3);
  EXPECT_EQ(exit_code_of(ResponseStatus::malformed), 1);
  EXPECT_EQ(exit_code_of(ResponseStatus::rejected), 1);
  EXPECT_EQ(exit_code_of(ResponseStatus::unsupported), 4);
}

/// What it says or dies of is the finding, of some roles too.
TEST(ValidateLive, AnExceptionAtEveryQuestionIsTheFinding) {
  const auto finding_of = [](ResponseStatus status, const std::string& role) {
    Fake fake([&](const Request& request, const Response& honest) {
      const bool throws = role.empty() || request.wanted.front().role == role;
      return throws ? failed(status, "CUDA error: invalid configuration argument") : honest;
    });
    const auto text = render_text(judge(fake));
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(finding_of(ResponseStatus::rejected, ""),
            "fake: does not conform: no question is answered: CUDA error: invalid configuration argument");
  EXPECT_EQ(
      finding_of(ResponseStatus::rejected, "rotated"),
      "fake: does not conform: no question about rotated is answered: CUDA error: invalid configuration "
      "argument");
  EXPECT_THAT(finding_of(ResponseStatus::crashed, ""),
              HasSubstr("no question is answered: CUDA error: invalid configuration argument"));
}

/// Refused are only positions that other answers show to be beyond what the implementation takes.
TEST(ValidateLive, PositionsBeyondWhatAnImplementationTakesMayBeRefused) {
  const auto verdict_of = [](std::int64_t last) {
    Fake fake([&](const Request& request, const Response& honest) {
      const bool beyond = std::ranges::max(integers_of(request.positions)) > last;
      return beyond ? failed(ResponseStatus::rejected, "IndexError") : honest;
    });
    LiveOptions options{.name = "fake", .source = "spec", .cases = 2};
    options.questions.positions = PositionRange{500, 1, 100};
    return validate_live(fake, parsed(fake_rope), options);
  };
  EXPECT_EQ(exit_code(verdict_of(400)), 4);
  EXPECT_EQ(exit_code(verdict_of(-1)), 1);
  EXPECT_THAT(check_named(verdict_of(-1).checks, "implementation/answers/cos").reason,
              HasSubstr("the first positions too: IndexError"));
}

/// Relative positions begin far below 0.
TEST(ValidateLive, BucketsOfFarPositionsMayBeRefused) {
  const auto exit_code_of = [](std::int64_t furthest) {
    Fake fake([&](const Request& request, Response) {
      const auto positions = integers_of(request.positions);
      if (std::ranges::any_of(positions, [&](std::int64_t p) { return std::abs(p) > furthest; })) {
        return failed(ResponseStatus::rejected, "too far");
      }
      return Response{.tensors = {{"buckets", integer_tensor({positions.size()}, positions)}}};
    });
    LiveOptions options{.name = "fake", .source = "spec", .cases = 1};
    return exit_code(validate_live(fake, parsed(R"({"scheme": "t5_bucket"})"), options));
  };
  EXPECT_EQ(exit_code_of(7), 4);
  EXPECT_EQ(exit_code_of(-1), 1);
}

TEST(ValidateLive, WhatALibrarySetsWhenItIsLoadedIsANote) {
  Fake fake([](const Request&, Response honest) {
    honest.side_effects = {{SideEffectKind::set_floating_point_environment_when_loaded, "flush to zero"}};
    return honest;
  });
  const auto verdict = judge(fake);
  EXPECT_EQ(exit_code(verdict), 0) << summary(verdict);
  EXPECT_THAT(verdict.asking.notes,
              testing::Contains(testing::AllOf(HasSubstr("(flush to zero)"), HasSubstr("without -Ofast"))));
}

/// Judged by a clock that counts questions, 100 s each.
struct Timed {
  int asked = 0;  ///< questions in all
  Verdict verdict;
  std::vector<int> asked_when_told;  ///< how many questions had been asked
  std::vector<Verdict> told;
};

Timed judge_by_questions(bool all, bool counts = true) {
  Timed result;
  Fake fake;
  fake.position = [](std::int64_t p) { return p == 7 ? 8 : p; };
  LiveOptions options{.name = "fake", .source = "spec", .cases = 2, .all = all};
  options.on_failure = [&](const Verdict& so_far) {
    result.asked_when_told.push_back(fake.asked);
    result.told.push_back(so_far);
    return counts;
  };
  options.now = [&] { return std::chrono::steady_clock::time_point(std::chrono::seconds(fake.asked * 100)); };
  result.verdict = validate_live(fake, parsed(fake_rope), options);
  result.asked = fake.asked;
  return result;
}

std::vector<std::string> ids_left_out(const Verdict& verdict) {
  std::vector<std::string> result;
  for (const auto& check : verdict.checks) {
    if (check.reason == "not asked after the failure: --all asks everything") {
      EXPECT_EQ(check.status, Status::skipped) << check.id;
      EXPECT_TRUE(check_meaning_of(check.id)) << check.id;
      result.push_back(check.id);
    }
  }
  return result;
}

TEST(ValidateLive, TellsAFailureBeforeItAsksOn) {
  const auto run = judge_by_questions(true);
  ASSERT_THAT(run.told, ::testing::SizeIs(1));
  EXPECT_LT(run.asked_when_told.front() * 10, run.asked);
  EXPECT_EQ(outcome(run.told.front()), Conclusion::does_not_conform);
  EXPECT_THAT(run.told.front().diagnosis, IsEmpty());
  EXPECT_THAT(render_failure(run.told.front()),
              AllOf(HasSubstr("fake: does not conform: "), HasSubstr("budget")));
  EXPECT_FALSE(run.verdict.diagnosis.empty());
  EXPECT_THAT(ids_left_out(run.verdict), IsEmpty());
}

TEST(ValidateLive, AsksOnAsLongAsAFailureTook) {
  const auto run = judge_by_questions(false);
  EXPECT_LT(run.asked, judge_by_questions(true).asked / 2);
  EXPECT_THAT(ids_left_out(run.verdict),
              AllOf(::testing::Contains("law/rope/property"), ::testing::Contains("use/coordinate"),
                    ::testing::Not(::testing::Contains("effects/memory"))));
  EXPECT_FALSE(run.verdict.diagnosis.empty());
}

/// Else a waiver of one failure would hide the others.
TEST(ValidateLive, AsksEverythingAfterAFailureThatIsPutUpWith) {
  const auto run = judge_by_questions(false, false);
  EXPECT_THAT(run.told, ::testing::Not(IsEmpty()));
  EXPECT_THAT(ids_left_out(run.verdict), IsEmpty());
}

TEST(ValidateLive, CanBeInterrupted) {
  Fake fake;
  EXPECT_THROW(validate_live(fake, parsed(fake_rope),
                             {.name = "fake", .source = "spec", .pause = [] { throw InputError("stop"); }}),
               InputError);
}

TEST(LiveChecks, EachHasTextsAndEachTextACheck) {
  std::vector<std::string> ids;
  for (const auto& kind : live_check_kinds()) {
    ids.emplace_back(kind.id);
    EXPECT_FALSE(kind.meaning.empty() || kind.source.empty()) << kind.id;
  }
  const auto texts = OrderedJson::parse(live_checks_text());
  std::vector<std::string> told;
  for (const auto& [id, text] : texts.items()) {
    told.push_back(id);
  }
  EXPECT_THAT(told, testing::UnorderedElementsAreArray(ids));
}

}  // namespace
}  // namespace vernier
