#include "props/laws/run_law.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "props/laws/case_generator.hpp"

namespace vernier {
namespace {

/// Bits of every interval: 31 of a position, and 2^-160 remains of anything of size one.
constexpr unsigned law_precision = 192;

constexpr std::int64_t far_position = 1 << 16;

Outcome outcome_of(const Judgement& judgement) {
  if (judgement.outside()) {
    return Outcome::discarded;
  }
  if (judgement.failed()) {
    return Outcome::fails;
  }
  return judgement.conclusive() ? Outcome::holds : Outcome::inconclusive;
}

}  // namespace

std::string to_string(const JudgedCase& judged) {
  return to_string(judged.instance) + (judged.residual ? ": " + to_string(*judged.residual) : "");
}

std::vector<std::string> classes_of(const Law& law, const LawCase& instance) {
  const auto rows = law.rows(instance);
  std::vector<std::string> classes;
  const auto add_if = [&](bool member, const char* name) {
    if (member) {
      classes.emplace_back(name);
    }
  };
  add_if(std::ranges::any_of(rows, [](std::int64_t p) { return std::abs(p) > far_position; }), "beyond 2^16");
  add_if(std::ranges::any_of(rows, [](std::int64_t p) { return p < 0; }), "negative position");
  add_if(instance.dimension() % 2 != 0, "odd dimension");
  add_if(instance.dimension() > 64, "dimension above 64");
  add_if(!as_integer(instance.base()), "decimal base");
  return classes;
}

Judgement judge_case(const Law& law, const LawTarget& subject, const LawCase& instance) {
  const WorkingPrecision precision(law_precision);
  Judgement judgement;
  if (const auto* judge_table = std::get_if<Law::JudgeTable>(&law.judge)) {
    const auto view = view_table(subject, std::get<SinusoidalSpec>(instance.spec), judgement);
    (*judge_table)(instance, *view, judgement);
  } else {
    const auto view = view_rotation(subject, std::get<RopeSpec>(instance.spec), judgement);
    std::get<Law::JudgeRotation>(law.judge)(instance, *view, judgement);
  }
  return judgement;
}

LawResult run_law(const Law& law, const LawTarget& subject, const CheckOptions& options) {
  return run_law(law, subject, options,
                 [&](const LawCase& instance) { return judge_case(law, subject, instance); });
}

LawResult run_law(const Law& law, const LawTarget& subject, const CheckOptions& options,
                  const JudgeCase& judge_one, const Search<LawCase>& search) {
  assert(applies(law, subject));
  const LawDomain domain = domain_of(law, subject);
  LawResult result;
  result.law = law.id;
  result.subject = subject.id;
  result.domain = std::string(law.domain) + "; " + to_string(domain);
  const auto judge = [&](const LawCase& instance) -> Judged {
    const auto judgement = judge_one(instance);
    if (!judgement) {
      return {Outcome::inconclusive, {}};
    }
    const Outcome outcome = outcome_of(*judgement);
    const auto& worst = judgement->worst();
    if (outcome == Outcome::holds && worst &&
        (!result.worst || worst->budget_ratio > result.worst->residual->budget_ratio)) {
      result.worst = JudgedCase{instance, worst};
    }
    return {outcome, classes_of(law, instance)};
  };
  const auto checked = check<LawCase>(case_generator(law, domain, subject.stored), judge,
                                      seed_of(result.law + " on " + subject.id, options.seed), options.cases,
                                      subject.coverage, search);
  static_cast<CheckCounts&>(result) = checked;
  result.seed = options.seed;
  if (checked.counterexample) {
    result.reason.clear();
    const auto judgement = judge_one(*checked.counterexample);
    result.counterexample =
        JudgedCase{*checked.counterexample, judgement ? judgement->worst() : std::nullopt};
  }
  return result;
}

}  // namespace vernier
