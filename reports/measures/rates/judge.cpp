#include "reports/measures/rates/judge.hpp"

#include <algorithm>
#include <sstream>

#include "props/judging/specs.hpp"
#include "reports/measures/rates/model.hpp"
#include "reports/verdict/live/validate_live.hpp"

namespace vernier::rates {
namespace {

LiveOptions options_of(const Design& design, std::uint64_t seed, int cases) {
  // A spec that states its context is asked for it by default.
  const bool is_stated = design.encoding->spec().contains("max_position_embeddings");
  return {.name = "drawn",
          .source = "spec",
          .questions = {.type = design.type,
                        .positions = is_stated ? std::nullopt : std::optional(design.positions),
                        .quantization = design.quantization,
                        .seed = seed},
          .contract = design.contract,
          .cases = cases,
          .all = true};
}

}  // namespace

std::vector<Asked> answers_of(const Design& design, std::vector<std::string> roles, std::uint64_t seed) {
  Model model(design);
  std::vector<Asked> asked;
  const QuestionOptions whole{.type = design.type,
                              .positions = design.positions,
                              .quantization = design.quantization,
                              .seed = seed,
                              .roles = std::move(roles)};
  for (const auto& question : questions_of(*design.encoding, whole)) {
    for (const auto& request : question.ways) {
      auto response = model.ask(request);
      if (response.status == ResponseStatus::answered) {
        asked.push_back({roles_of(request), request, std::move(response)});
        break;
      }
    }
  }
  return asked;
}

Verdict judge_tensors(const Design& design, std::vector<std::string> roles, std::uint64_t seed) {
  return validate_answers(answers_of(design, std::move(roles), seed), encoding_of(design.spec),
                          options_of(design, seed, 1), "drawn");
}

Verdict judge_live(const Design& design, std::uint64_t seed, int cases) {
  Model model(design);
  return validate_live(model, encoding_of(design.spec), options_of(design, seed, cases));
}

std::string finding_of(const Verdict& verdict) {
  for (const auto status : {Status::fail, Status::error, Status::inconclusive}) {
    const auto found = std::ranges::find(verdict.checks, status, &Check::status);
    if (found != verdict.checks.end()) {
      return found->id + ": " + found->reason;
    }
  }
  return {};
}

std::string checks_of(const Verdict& verdict) {
  std::ostringstream text;
  for (const auto& check : verdict.checks) {
    text << "  " << check.id << ": " << to_string(check.status) << ": " << check.finding
         << (check.finding.empty() ? "" : ": ") << check.reason << "\n";
    for (const auto& [name, value] : check.counterexample) {
      text << "    " << name << ": " << value << "\n";
    }
  }
  return text.str();
}

}  // namespace vernier::rates
