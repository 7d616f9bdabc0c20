// Every law on every subject, searched by RapidCheck, one test each:
//   law.rope/constant-norm.float32-pow.float32        the law holds
//   law.rope/constant-norm.broken:shear               the law fails on this fault
//   law.rope/constant-norm.broken:reflection.escapes  the law is blind to this fault
// and the cases worth replaying: regression.<number>.<law>.<subject>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/tolerances/frequency_order.hpp"
#include "props/broken/broken.hpp"
#include "props/laws/run_law.hpp"
#include "props/test/rapidcheck_search.hpp"
#include "props/test/regressions.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

using Body = std::function<void()>;

class LawTest final : public testing::Test {
 public:
  explicit LawTest(Body body) : body_(std::move(body)) {}
  void TestBody() override { body_(); }

 private:
  Body body_;
};

void add_test(const std::string& suite, const std::string& name, Body body) {
  testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [body = std::move(body)]() -> testing::Test* { return new LawTest(body); });
}

/// What a search found, for the log.
void print(const LawResult& result) {
  std::cout << result.law << " on " << result.subject << ": " << result.conclusive << " of " << result.cases
            << " cases conclusive, base seed " << result.seed << " " << result.reason << "\n";
  for (const auto& judged : {result.worst, result.counterexample}) {
    std::cout << (judged ? "  " + to_string(*judged) + "\n" : "");
  }
}

void expect(CheckStatus expected, const Law& law, const LawTarget& subject, const CheckOptions& options) {
  const auto result = run_law(
      law, subject, options, [&](const LawCase& instance) { return judge_case(law, subject, instance); },
      rapidcheck_search<LawCase>);
  print(result);
  EXPECT_EQ(result.status, expected);
}

/// Those of reports, and recipes that nobody named, stored in the format that they compute in.
std::vector<LawTarget> all_subjects() {
  auto result = subjects();
  for (const auto& recipe : every_recipe().subspan(recipes().size())) {
    result.push_back(subjects_of(recipe).front());
  }
  return result;
}

void add_law_tests(const CheckOptions& options) {
  for (const auto& subject : all_subjects()) {
    for (const auto& law : laws()) {
      if (applies(law, subject)) {
        add_test("law", law.id + "." + subject.id,
                 [&law, subject, options] { expect(CheckStatus::holds, law, subject, options); });
      }
    }
  }
}

void add_broken_tests(const CheckOptions& options) {
  const auto add = [&](std::string_view id, const Broken& broken, CheckStatus expected, const char* ending) {
    add_test("law", std::string(id) + "." + broken.target.id + ending, [id, &broken, expected, options] {
      const Law* law = law_named(id);
      ASSERT_NE(law, nullptr) << "no law has the id " << id;
      ASSERT_TRUE(applies(*law, broken.target));
      // A fault may show at a few positions only; the search ends with the first one it finds.
      auto patient = options;
      patient.cases = expected == CheckStatus::fails ? 10 * options.cases : options.cases;
      expect(expected, *law, broken.target, patient);
    });
  };
  for (const auto& broken : broken_implementations()) {
    for (const auto id : broken.caught_by) {
      add(id, broken, CheckStatus::fails, "");
    }
    for (const auto id : broken.escapes) {
      add(id, broken, CheckStatus::holds, ".escapes");
    }
  }
}

void add_regression_tests() {
  for (std::size_t i = 0; i < regressions().size(); ++i) {
    const auto& regression = regressions()[i];
    const std::string id =
        std::to_string(i) + "." + std::string(regression.law) + "." + std::string(regression.subject);
    add_test("regression", id, [&regression] {
      const Law* law = law_named(regression.law);
      const auto subject = subject_named(regression.subject);
      ASSERT_TRUE(law != nullptr && subject);
      const auto judgement = judge_case(*law, *subject, regression.instance);
      EXPECT_EQ(judgement.failed(), !regression.holds) << to_string(regression.instance) << "\n"
                                                       << regression.reason;
      EXPECT_FALSE(judgement.outside());
    });
  }
}

TEST(Laws, AreEachSeenToFail) {
  for (const auto& law : laws()) {
    const auto catches = [&](const Broken& broken) {
      return std::ranges::count(broken.caught_by, law.id) > 0;
    };
    EXPECT_GE(std::ranges::count_if(broken_implementations(), catches), 2) << law.id;
  }
}

TEST(Laws, NameFaultsThatThereAre) {
  for (const auto& law : laws()) {
    for (const auto id : law.catches) {
      EXPECT_TRUE(subject_named("broken:" + std::string(id))) << law.id << " names " << id;
    }
  }
}

TEST(Laws, CatchEveryBrokenImplementation) {
  for (const auto& broken : broken_implementations()) {
    EXPECT_FALSE(broken.caught_by.empty()) << broken.id;
  }
}

TEST(Laws, SayWhereTheyHold) {
  for (const auto& law : laws()) {
    EXPECT_FALSE(law.domain.empty()) << law.id;
    EXPECT_EQ(law_named(law.id), &law) << law.id << " is the id of another law";
  }
}

/// The rows of the counterexample, by magnitude, when rows are claimed to differ beyond what the format of
/// the position holds.
std::vector<std::int64_t> first_equal_rows(std::string_view subject_id, int precision) {
  Law law = *law_named("sinusoidal/unique");
  auto subject = *subject_named(subject_id);
  law.narrow = nullptr;
  subject.domain.highest_position = std::int64_t{4} << precision;
  subject.domain.lowest_position = 0;
  subject.domain.smallest_dimension = 10;
  subject.domain.largest_dimension = 12;
  auto options = options_from_environment();
  options.cases = std::max(options.cases, 10'000);
  const auto result = run_law(
      law, subject, options, [&](const LawCase& instance) { return judge_case(law, subject, instance); },
      rapidcheck_search<LawCase>);
  print(result);
  if (!result.counterexample) {
    return {};
  }
  auto rows = law.rows(result.counterexample->instance);
  std::ranges::sort(rows);
  return rows;
}

TEST(KnownLimits, RowsRepeatFromTheFirstIntegerTheFormatCannotHold) {
  for (const auto& recipe : recipes()) {
    if (recipe.compute() == Format::binary64 || recipe.narrowed()) {
      continue;  // 2^53 lies beyond every position; narrowed recipes are no subjects of the laws
    }
    const auto name = std::string(recipe.id) + "." + std::string(traits(recipe.compute()).name);
    const int precision = traits(recipe.compute()).precision;
    const std::int64_t last = std::int64_t{1} << precision;
    EXPECT_THAT(first_equal_rows(name, precision), testing::ElementsAre(last, last + 1)) << name;
  }
}

/// GoogleTest's filters give a meaning to the '-' and ':' that names of tests here contain; '?' stands for
/// any character.
void protect_filter(int count, char** arguments) {
  constexpr std::string_view option = "--gtest_filter=";
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument.starts_with(option) &&
        argument.find(".sinusoidal/") + argument.find(".rope/") != 2 * argument.npos) {
      std::replace_if(
          arguments[i] + option.size(), arguments[i] + argument.size(),
          [](char c) { return c == '-' || c == ':'; }, '?');
    }
  }
}

}  // namespace
}  // namespace vernier

int main(int count, char** arguments) {
  // Fewer cases than a report has: every law still fails on every broken implementation that it is to catch.
  setenv("VERNIER_CASES", "40", /*overwrite=*/0);
  try {
    const auto options = vernier::options_from_environment();
    vernier::add_law_tests(options);
    vernier::add_broken_tests(options);
    vernier::add_regression_tests();
  } catch (const vernier::InputError& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
  vernier::protect_filter(count, arguments);
  testing::InitGoogleMock(&count, arguments);
  const int status = RUN_ALL_TESTS();
  // A filter that selects nothing would otherwise look like success.
  return testing::UnitTest::GetInstance()->test_to_run_count() == 0 ? 1 : status;
}
