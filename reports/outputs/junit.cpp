#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "reference/support/mapped.hpp"
#include "reports/html/markup.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/told.hpp"

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

std::string in_properties(const std::string& elements) {
  return fmt::format("<properties>\n{}</properties>\n", elements);
}

/// What became of a case, in JUnit's terms.
enum class TestOutcome { success, failure, error, skipped };

struct TestCase : ToldCheck {
  TestOutcome outcome = TestOutcome::success;
};

TestOutcome outcome_of(const ToldCheck& check) {
  using enum TestOutcome;
  // pass, fail, waived, inconclusive, skipped, error
  static constexpr std::array outcomes{success, failure, skipped, error, skipped, error};
  return check.status ? outcomes[static_cast<std::size_t>(*check.status)] : failure;
}

/// The verdict as a whole.
TestCase verdict_case(const Verdict& verdict) {
  const auto conclusion = outcome(verdict);
  const auto told = exit_code(verdict) == 0                      ? TestOutcome::success
                    : conclusion == Conclusion::does_not_conform ? TestOutcome::failure
                                                                 : TestOutcome::error;
  return {{.id = "verdict",
           .kind = std::string(in_words(conclusion)),
           .message = summary(verdict),
           .details = verdict.reproduce.empty() ? "" : fmt::format("reproduce: {}\n", verdict.reproduce)},
          told};
}

std::string outcome_element(const TestCase& test) {
  static constexpr std::array<std::string_view, 4> names{"", "failure", "error", "skipped"};
  const std::string name(names[static_cast<std::size_t>(test.outcome)]);
  if (name.empty()) {
    return {};
  }
  const auto type = test.outcome == TestOutcome::skipped ? "" : attribute("type", test.kind);
  return fmt::format("<{}{}{}>{}</{}>\n", name, attribute("message", test.found + test.message), type,
                     as_markup(test.details), name);
}

std::string element(const TestCase& test, std::string_view suite) {
  std::string properties;
  for (const auto& [name, value] : test.measurements) {
    properties += property(name, value);
  }
  return fmt::format("<testcase{}{}>\n{}{}</testcase>\n", attribute("classname", suite),
                     attribute("name", test.id), properties.empty() ? "" : in_properties(properties),
                     outcome_element(test));
}

std::string suite_properties(const Verdict& verdict) {
  auto text = property("producer", verdict.producer) + property("encoding", verdict.encoding) +
              property("spec", verdict.spec.dump()) + property("verdict", to_string(outcome(verdict))) +
              property("exit code", std::to_string(exit_code(verdict))) +
              property("reproduce", verdict.reproduce);
  for (const auto& use : verdict.contracts) {
    text += property(std::string("contract of ") + use.role, use.id);
  }
  return in_properties(text);
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
  auto tests = mapped(told_checks(verdict), [&](const auto& check) -> TestCase {
    return {check, outcome_of(check)};
  });
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
