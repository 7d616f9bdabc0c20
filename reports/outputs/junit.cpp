#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "reports/html/markup.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/told.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/words/value_text.hpp"

// JUnit's XML has no standard; what is written here is what Jenkins' and GitLab's readers and pytest's writer
// have in common. A reader takes a suite without failures for a success, so a suite ends with a case
// "verdict" that fails whenever the exit code is not 0: nothing checked is then no success either.

namespace vernier {
namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, as_markup(value));
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("<property{}{}/>\n", attribute("name", name), attribute("value", value));
}

/// What became of a case, in JUnit's terms.
enum class TestOutcome { success, failure, error, skipped };

struct TestCase {
  std::string name;
  TestOutcome outcome = TestOutcome::success;
  std::string kind = {};        ///< of failure or error
  std::string message = {};     ///< one sentence
  std::string details = {};     ///< more of it; may be empty
  std::string properties = {};  ///< elements
};

TestOutcome outcome_of(Status status) {
  using enum TestOutcome;
  // pass, fail, waived, inconclusive, skipped, error
  static constexpr std::array outcomes{success, failure, skipped, error, skipped, error};
  return outcomes[static_cast<std::size_t>(status)];
}

/// Begins with what was found in the tensors of the check.
TestCase test_case(const Verdict& verdict, const Check& check) {
  TestCase result{check.id, outcome_of(check.status), std::string(to_string(check.status)),
                  with_finding(verdict, check, check.reason)};
  if (result.outcome == TestOutcome::failure) {
    result.details = explanation(check);
  }
  for (const auto& [name, value] : measurements(check)) {
    result.properties += property(name, value);
  }
  return result;
}

TestCase test_case(const StaleWaiver& waiver) {
  return {std::string("waivers/") + waiver.check, TestOutcome::failure, "stale waiver",
          waiver.issue + ": " + waiver.problem};
}

/// The verdict as a whole.
TestCase verdict_case(const Verdict& verdict) {
  const auto conclusion = outcome(verdict);
  const auto told = exit_code(verdict) == 0                      ? TestOutcome::success
                    : conclusion == Conclusion::does_not_conform ? TestOutcome::failure
                                                                 : TestOutcome::error;
  return {"verdict", told, std::string(in_words(conclusion)), summary(verdict),
          verdict.reproduce.empty() ? "" : fmt::format("reproduce: {}\n", verdict.reproduce)};
}

std::string outcome_element(const TestCase& test) {
  static constexpr std::array<std::string_view, 4> names{"", "failure", "error", "skipped"};
  const std::string name(names[static_cast<std::size_t>(test.outcome)]);
  if (name.empty()) {
    return {};
  }
  const auto type = test.outcome == TestOutcome::skipped ? "" : attribute("type", test.kind);
  return fmt::format("<{}{}{}>{}</{}>\n", name, attribute("message", test.message), type,
                     as_markup(test.details), name);
}

std::string element(const TestCase& test, std::string_view suite) {
  const auto properties =
      test.properties.empty() ? "" : fmt::format("<properties>\n{}</properties>\n", test.properties);
  return fmt::format("<testcase{}{}>\n{}{}</testcase>\n", attribute("classname", suite),
                     attribute("name", test.name), properties, outcome_element(test));
}

std::string suite_properties(const Verdict& verdict) {
  auto text = property("producer", verdict.producer) + property("encoding", verdict.encoding) +
              property("spec", verdict.spec.dump()) + property("verdict", to_string(outcome(verdict))) +
              property("exit code", std::to_string(exit_code(verdict))) +
              property("reproduce", verdict.reproduce);
  for (const auto& use : verdict.contracts) {
    text += property(std::string("contract of ") + use.role, use.id);
  }
  return fmt::format("<properties>\n{}</properties>\n", text);
}

std::string counts(const std::vector<TestCase>& tests) {
  const auto count = [&](TestOutcome outcome) {
    return std::to_string(std::ranges::count(tests, outcome, &TestCase::outcome));
  };
  return attribute("tests", std::to_string(tests.size())) +
         attribute("failures", count(TestOutcome::failure)) + attribute("errors", count(TestOutcome::error)) +
         attribute("skipped", count(TestOutcome::skipped));
}

std::string render_junit(const Verdict& original) {
  const auto verdict = visible(original);
  std::vector<TestCase> tests;
  for (const auto& check : verdict.checks) {
    tests.push_back(test_case(verdict, check));
  }
  for (const auto& waiver : verdict.stale_waivers) {
    tests.push_back(test_case(waiver));
  }
  tests.push_back(verdict_case(verdict));
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"vernier\"{}>\n"
      "<testsuite{}{}>\n"
      "{}",
      counts(tests), attribute("name", verdict.name), counts(tests), suite_properties(verdict));
  for (const auto& test : tests) {
    text += element(test, verdict.name);
  }
  return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace

Output junit_output() {
  return {"junit", render_junit};
}

}  // namespace vernier
