#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// What a stranger may call a tensor or a plug-in: HTML, an XML end tag, escapes that command a terminal (one
/// of them from C1, as UTF-8), a line that imitates a result, an override of the direction of writing, a
/// character that XML cannot hold, and bytes that are no UTF-8.
inline std::string hostile_text() {
  return "</testcase><script>alert(\"1\")</script>&amp;'\x1b[2J\xc2\x9b"
         "31m\nverdict: conforms\r\xe2\x80\xae\x01\xef\xbf\xbe\xff\xc0\xaf]]>";
}

/// A kind of fault with public bugs, one of which has no thread.
inline const FaultKind made_kind{.id = "frequency/base",
                                 .stage = Stage::frequency,
                                 .title = "a different base",
                                 .means = "Pairs turn at other speeds. Long texts suffer.",
                                 .advice = "Look at the line that computes powers. It has a number in it.",
                                 .similar = {"owner/name.x #1472", "a mailing list"}};
inline const FaultKind another_made_kind{.id = "storage/format",
                                         .stage = Stage::storage,
                                         .title = "stored in a different format",
                                         .means = "Digits are lost.",
                                         .advice = "Look at casts."};

/// One that is explained, twice, the first time by two findings.
inline Diagnosis made_diagnosis(const std::string& roles, const std::string& sentence) {
  const OrderedJson edit = {{{"op", "replace"}, {"path", "/base"}, {"value", 500000}},
                            {{"op", "remove"}, {"path", "/scaling/factor"}}};
  return {.roles = roles,
          .explanations = {{.findings = {{&made_kind, sentence, edit}, {&another_made_kind, sentence}},
                            .prediction = {.elements = 64, .conclusive = 60, .largest_budget_ratio = 0.347},
                            .bits = 20},
                           {.findings = {{&another_made_kind, sentence}},
                            .prediction = {.elements = 64, .conclusive = 60, .largest_budget_ratio = 0.4},
                            .bits = 22}},
          .searched = 1234,
          .frequencies = {{.pair = 0, .declared = 1, .found = 1, .uncertainty = 1e-9},
                          {.pair = 1, .declared = 0.1, .found = 0.025, .uncertainty = 1e-9},
                          {.pair = 2, .declared = 0, .found = std::numeric_limits<double>::quiet_NaN()}}};
}

/// One that is not, though a computation predicts most elements.
inline Diagnosis made_mystery(const std::string& roles, const std::string& text) {
  return {.roles = roles,
          .partial = {{.findings = {{&made_kind, text}},
                       .prediction = {.elements = 64, .conclusive = 60, .failing = 6}}},
          .rest = text,
          .searched = 77};
}

/// A verdict whose every text, where a stranger could have given it, is `text`, with checks of all statuses.
inline Verdict verdict_of_all_kinds(const std::string& text) {
  const ElementWitness witness{.role = text,
                               .row = 3,
                               .position = -7,
                               .column = 5,
                               .meaning = {2, Component::cosine},
                               .format = Format::binary32,
                               .got = std::numeric_limits<double>::quiet_NaN(),
                               .expected = 0.5,
                               .truth = "0.5000000000000000123",
                               .absolute = std::numeric_limits<double>::quiet_NaN(),
                               .ulps = std::numeric_limits<double>::infinity(),
                               .phase_roundings = -std::numeric_limits<double>::infinity(),
                               .budget = {1e-7, 2e-7, 3e-8},
                               .budget_ratio = std::numeric_limits<double>::infinity()};
  Verdict verdict{.name = text,
                  .producer = text,
                  .encoding = text,
                  .spec = {{"scheme", text}},
                  .contracts = {{text, "float32", "float32", "meaning", "budget"}},
                  .source = text,
                  .rows = 8,
                  .least_position = -7,
                  .greatest_position = 0,
                  .checks = {},
                  .stale_waivers = {},
                  .diagnosis = {made_diagnosis(text, text), made_mystery(text, text)},
                  .asking = {{{text, {3, 8, 2}}}, true, {text}},
                  .reproduce = text};
  verdict.checks.push_back({std::string("accuracy/") + text, Status::fail, text, text, {16, 15, 2, 1}});
  verdict.checks.back().first_failing = witness;
  verdict.checks.back().worst = witness;
  verdict.checks.back().counterexample = {{text, text}};
  verdict.checks.back().greatest_budget_ratio = std::numeric_limits<double>::infinity();
  verdict.checks.back().failing_extent = FailingExtent{{-7, 0}, {5, 5}, {FailingExtent::no_pair, 2}};
  ErrorMap map;
  map.add(-7, 2, std::numeric_limits<double>::infinity());
  map.add(-7, 0, std::nullopt);
  map.add(1, 99, 0.25);
  map.add(1, 4, 1 + 1e-15);
  verdict.checks.back().error_map = map;
  verdict.checks.push_back({std::string("finite/") + text, Status::waived, text, text});
  verdict.checks.back().waiver = AppliedWaiver{text, text, "2999-12-31", "any failure", text};
  verdict.checks.push_back({std::string("rows/") + text, Status::pass, text, text});
  verdict.checks.push_back({std::string("effects/") + text, Status::inconclusive, text, text});
  verdict.checks.push_back({std::string("implementation/") + text, Status::error, text, text});
  verdict.checks.push_back({"property/rope/constant-norm", Status::skipped, text, text});
  return verdict;
}

/// A verdict a way for a run to end.
inline std::vector<Verdict> verdicts_of_all_conclusions(const std::string& text) {
  const auto failing = verdict_of_all_kinds(text);
  const auto without = [](Verdict verdict, const std::vector<Status>& statuses) {
    for (const auto status : statuses) {
      std::erase_if(verdict.checks, [status](const Check& check) { return check.status == status; });
    }
    return verdict;
  };
  auto stale = failing;
  stale.stale_waivers = {{text, text, text}};
  const auto error = without(failing, {Status::fail});
  const auto inconclusive = without(error, {Status::error});
  const auto conforming = without(inconclusive, {Status::inconclusive});
  const auto nothing = without(conforming, {Status::pass});
  auto unwaived = without(conforming, {Status::waived});
  unwaived.diagnosis.clear();
  return {failing, stale, error, inconclusive, conforming, nothing, unwaived};
}

}  // namespace vernier
