#include "reports/measures/kill_matrix/kill_matrix.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "reference/support/input_error.hpp"
#include "reports/measures/kill_matrix/project.hpp"
#include "reports/measures/rates/judge.hpp"

namespace vernier::kill_matrix {
namespace {

/// "accuracy" of "accuracy/cos", "property/unique" of "property/rope/unique".
std::string check_family(std::string_view id) {
  const auto first = id.substr(0, id.find('/'));
  return first == "property" ? "property" + std::string(id.substr(id.rfind('/'))) : std::string(first);
}

Fate fate_of(const Verdict& verdict) {
  switch (exit_code(verdict)) {
    case 0:
      return Fate::conforms;
    case 4:
      return Fate::undecided;
    default:
      return Fate::refused;
  }
}

std::vector<std::string> failing_checks(const Verdict& verdict) {
  std::vector<std::string> families;
  for (const auto& check : verdict.checks) {
    auto family = check_family(check.id);
    if (check.status == Status::fail && std::ranges::find(families, family) == families.end()) {
      families.push_back(std::move(family));
    }
  }
  return families;
}

Outcome judge(const Specimen& specimen) {
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  try {
    outcome = outcome_of(specimen, rates::judge_tensors(specimen.design, {}, specimen.seed));
  } catch (const InputError& error) {
    outcome = {specimen.index, specimen.words, specimen.faults, Fate::refused, error.what()};
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const auto& test : project_tests()) {
    outcome.passes.push_back(test.passes(specimen));
  }
  return outcome;
}

}  // namespace

Outcome outcome_of(const Specimen& specimen, const Verdict& verdict) {
  Outcome outcome{
      specimen.index,         specimen.words, specimen.faults, fate_of(verdict), rates::finding_of(verdict),
      failing_checks(verdict)};
  outcome.naming = naming_of(verdict.diagnosis, specimen.faults);
  const auto told = told_ids(verdict.diagnosis);
  outcome.told.assign(told.begin(), told.end());
  const auto untrue = untrue_ids(told, specimen.faults);
  outcome.untrue.assign(untrue.begin(), untrue.end());
  return outcome;
}

KillMatrix measure_kills(const KillOptions& options, const std::function<void()>& progress) {
  KillMatrix matrix{options, {}, {}};
  const auto judge_all = [&](int count, Specimen (*draw)(const DrawOptions&, int),
                             std::vector<Outcome>& into) {
    into.resize(static_cast<std::size_t>(count));
    oneapi::tbb::parallel_for(0, count, [&](int index) {
      // Whoever waits within a verdict must not begin another: its seconds would be counted twice.
      oneapi::tbb::this_task_arena::isolate(
          [&] { into[static_cast<std::size_t>(index)] = judge(draw(options.drawn, index)); });
      progress();
    });
  };
  judge_all(options.mutants, draw_mutant, matrix.mutants);
  judge_all(options.honest, draw_honest_one, matrix.honest);
  return matrix;
}

std::string retell(const KillOptions& options, int index) {
  const auto one =
      index >= 0 ? draw_mutant(options.drawn, index) : draw_honest_one(options.drawn, -1 - index);
  std::ostringstream text;
  text << one.design.spec << "\n" << one.words << "\n";
  for (const auto& fault : one.faults) {
    text << fault.kind->id << ": " << fault.words << ", " << rates::number(fault.size)
         << " times its budget\n";
  }
  const auto verdict = rates::judge_tensors(one.design, {}, one.seed);
  text << rates::checks_of(verdict);
  for (const auto& diagnosis : verdict.diagnosis) {
    text << "diagnosis of " << diagnosis.roles << ", " << diagnosis.searched << " computations tried\n";
    for (const auto& explanation : diagnosis.explanations) {
      text << "  " << sentence_of(explanation) << " (" << rates::number(explanation.bits) << " bits)\n";
      for (const auto& finding : explanation.findings) {
        text << "    " << finding.kind->id << "\n";
      }
    }
    text << (diagnosis.rest.empty() ? "" : "  " + diagnosis.rest + "\n");
  }
  for (const auto& test : project_tests()) {
    const auto passes = test.passes(one);
    text << test.project << ": " << (!passes ? "no test" : *passes ? "passes" : "fails") << "\n";
  }
  return text.str();
}

}  // namespace vernier::kill_matrix
