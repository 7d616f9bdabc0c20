#include "reports/verdict/live/checks/laws.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include <fmt/core.h>

#include "numerics/asking/live_subjects.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/views/case_views.hpp"
#include "props/laws/law.hpp"
#include "props/laws/run_law.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/verdict/checks/properties.hpp"
#include "reports/verdict/live/live_check.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Requests that shrinking may cost where each costs a process.
constexpr int most_costly_requests = 8;
/// Requests of one row that shrinking one law may cost otherwise.
constexpr int most_cheap_requests = 20000;

/// The laws of one encoding, the implementation as their subject, and what it is asked.
struct Trial {
  std::vector<const Law*> laws;
  LawTarget subject;
  std::shared_ptr<LiveAnswers> answers;
  double unit = 1;  ///< that positions count in
};

/// \throws InputError for a contract that says nothing of sines
const Contract& contract_of(ElementType type, const LivePropertyOptions& options) {
  const auto& contract =
      options.contract != nullptr ? *options.contract : default_contract(*traits(type).format);
  refuse_if(contract.of_sines == nullptr, "the contract {} does not cover sines and cosines", contract.id);
  return contract;
}

LawTarget subject_of(const TrigTable& table, ElementType type, const LivePropertyOptions& options) {
  const auto stored = *traits(type).format;
  const auto& contract = contract_of(type, options);
  LawTarget subject{.id = "implementation",
                    .description = "",
                    .contract = contract.id,
                    .positions = contract.bind(table, stored).parameters().compute,
                    .stored = stored};
  subject.domain.lowest_position = options.lowest_position;
  subject.domain.highest_position = options.highest_position;
  subject.truth = std::make_shared<CertifiedPhases>(
      table.frequencies,
      CertifiedPhases::fine_rows_for(options.highest_position - options.lowest_position + 1));
  subject.coverage = {{"", 0.25}};
  return subject;
}

/// Laws of tables, or of rotations, or of rotations and what turns back.
std::vector<const Law*> laws_of(bool about_rotations, std::optional<RotationOperation> back = std::nullopt) {
  return pointers_to(
      laws(), [&](const Law& law) { return law.about_rotations() == about_rotations && law.back == back; });
}

Trial trial_of(LiveImplementation& implementation, const SinusoidalEncoding& encoding, ElementType type,
               const LivePropertyOptions& options) {
  const auto table = encoding.parameters().table();
  Trial trial{laws_of(false), subject_of(table, type, options), nullptr,
              approximately(encoding.positions().unit())};
  trial.answers = std::make_shared<LiveAnswers>(implementation, encoding.spec(), type,
                                                std::vector{AskedRole{"encoding", table.columns.size()}});
  // The row of padding is no row of the encoding: laws are tried on the encoding without it, and LiveTable
  // does not ask for it.
  auto unpadded = encoding.parameters();
  unpadded.padding_idx.reset();
  trial.subject.domain.sinusoidal = unpadded;
  trial.subject.models = {contract_of(type, options).bind(unpadded.table(), *traits(type).format)};
  trial.subject.table = [answers = trial.answers, table](const SinusoidalSpec&) {
    return std::make_unique<LiveTable>(answers, table);
  };
  return trial;
}

Trial trial_of(LiveImplementation& implementation, const RopeEncoding& encoding, ElementType type,
               const LivePropertyOptions& options, LiveRotation::Means means) {
  auto spec = encoding.parameters();
  if (means == LiveRotation::Means::tables) {
    spec.operation = RotationOperation::forward;  // the turning is done here
  }
  const auto width = options.table_width > 0 ? options.table_width : static_cast<std::size_t>(spec.pairs());
  const bool has_gradients = means == LiveRotation::Means::both;
  Trial trial{laws_of(true, has_gradients ? std::optional(RotationOperation::transpose) : std::nullopt),
              subject_of(spec.table_of_vectors(Component::cosine), type, options), nullptr,
              approximately(encoding.positions().unit())};
  trial.answers = std::make_shared<LiveAnswers>(implementation, encoding.spec(), type,
                                                LiveRotation::roles(spec, means, width));
  trial.subject.domain.rope = spec;
  for (const auto component : {Component::cosine, Component::sine}) {
    trial.subject.models.push_back(
        contract_of(type, options).bind(spec.table_of_vectors(component), *traits(type).format));
  }
  trial.subject.rotation = [answers = trial.answers, means](const RopeSpec& wanted) {
    return std::make_unique<LiveRotation>(answers, wanted, means);
  };
  if (has_gradients) {
    trial.subject.gradient = [answers = trial.answers](const RopeSpec& wanted) {
      return std::make_unique<LiveRotation>(answers, *wanted.transposed(), LiveRotation::Means::gradient);
    };
  }
  return trial;
}

CheckOptions check_options(const LivePropertyOptions& options) {
  return {.seed = options.seed, .cases = options.cases};
}

/// Runs a law on what is known so far; cases that ask for more are passed over.
LawResult run_on_answers(const Law& law, const Trial& trial, const LivePropertyOptions& options) {
  return run_law(law, trial.subject, check_options(options),
                 [&](const LawCase& instance) -> std::optional<Judgement> {
                   const auto before = trial.answers->unanswered();
                   auto judgement = judge_case(law, trial.subject, instance);
                   return trial.answers->unanswered() == before ? std::optional(judgement) : std::nullopt;
                 });
}

/// A law, what became of it, and whether that hangs on answers that are not known.
struct Attempt {
  const Law* law;
  LawResult result;
  bool complete = false;
};

/// Whether the law is stated for encodings of this width.
bool is_stated_for(const Law& law, const LawTarget& subject) {
  const auto& domain = subject.domain;
  const auto width = domain.sinusoidal ? domain.sinusoidal->d_model : domain.rope->head_dim;
  return domain_of(law, subject).smallest_dimension <= width;
}

void attempt(Attempt& law, const Trial& trial, const LivePropertyOptions& options) {
  const auto before = trial.answers->unanswered();
  law.result = run_on_answers(*law.law, trial, options);
  law.complete = trial.answers->unanswered() == before;
}

/// Runs the laws until their cases, shrunk ones too, ask for nothing that is not known, or the requests are
/// spent.
std::vector<Attempt> attempts_at(const Trial& trial, bool is_costly, const LivePropertyOptions& options) {
  auto attempts = mapped(trial.laws, [&](const auto* law) -> Attempt {
    return {law, {}, !is_stated_for(*law, trial.subject)};
  });
  const auto fails = [](const Attempt& law) { return law.result.status == CheckStatus::fails; };
  int shrinking_requests = 0;
  for (;;) {
    for (auto& law : attempts) {
      if (!law.complete) {
        attempt(law, trial, options);
      }
    }
    const bool only_shrinking =
        std::ranges::all_of(attempts, [&](const Attempt& law) { return law.complete || fails(law); });
    const bool is_spent = only_shrinking && (!is_costly || shrinking_requests == most_costly_requests);
    if (is_spent || !trial.answers->ask_collected() || trial.answers->failure()) {
      break;
    }
    shrinking_requests += only_shrinking ? 1 : 0;
  }
  if (!is_costly && !trial.answers->failure()) {
    for (auto& law : attempts) {
      if (!law.complete) {
        trial.answers->ask_at_once(most_cheap_requests);
        attempt(law, trial, options);
      }
    }
  }
  return attempts;
}

Check check_of(const Law& law) {
  Check check{"law/" + law.id};
  check.required = requirement_of(*law.property);
  return check;
}

/// Names and values of a case, for machines. \param unit that positions count in
void tell(const JudgedCase& judged, std::uint64_t seed, double unit, Check& check) {
  for (const auto& [name, value] : judged.instance.positions) {
    check.counterexample.emplace_back(name, position_text(value, unit));
  }
  for (const auto& vector : judged.instance.vectors) {
    check.counterexample.emplace_back(vector.name, to_string(vector));
  }
  if (judged.residual) {
    check.counterexample.emplace_back("residual", to_string(*judged.residual));
  }
  check.counterexample.emplace_back("seed", std::to_string(seed));
}

std::string counted_cases_text(const LawResult& result) {
  std::string text = counted(static_cast<std::uint64_t>(result.cases), "case", "cases") + ", " +
                     std::to_string(result.conclusive) + " conclusive";
  for (const auto& [name, count] : result.classes) {
    text += ", " + std::to_string(count) + " " + name;
  }
  return text;
}

/// What positions in the text of a case count in, where that is not 1.
std::string unit_text(double unit) {
  return unit == 1 ? "" : ", positions in steps of " + position_text(1, unit);
}

Check conclude(const Attempt& law, double unit) {
  auto check = check_of(*law.law);
  const auto& result = law.result;
  check.counts.elements = static_cast<std::uint64_t>(result.cases);
  check.counts.judged = static_cast<std::uint64_t>(result.conclusive);
  if (result.worst) {
    check.greatest_budget_ratio = result.worst->residual->budget_ratio;
  }
  if (result.status == CheckStatus::fails) {
    check.status = Status::fail;
    check.counts.judged += 1;
    check.counts.failing = 1;
    check.greatest_budget_ratio = result.counterexample->residual
                                      ? std::optional(result.counterexample->residual->budget_ratio)
                                      : std::nullopt;
    check.reason = fmt::format("{}; shrunk to {}{}", law.law->property->counterexample,
                               to_string(*result.counterexample), unit_text(unit));
    tell(*result.counterexample, result.seed, unit, check);
  } else if (result.cases == 0) {
    check.status = Status::skipped;
    check.reason = "the law does not apply to this encoding: it is for " + std::string(law.law->domain);
  } else if (!law.complete) {
    check.status = Status::inconclusive;
    check.reason = "not every case could be asked";
  } else if (result.status == CheckStatus::inconclusive) {
    check.status = Status::inconclusive;
    check.reason = result.reason;
  } else {
    check.status = Status::pass;
    check.reason = fmt::format("holds in all cases drawn from {}{}: {}", result.domain, unit_text(unit),
                               counted_cases_text(result));
  }
  return check;
}

/// What a missing answer makes of a law.
Check without_answer(const Law& law, const Response& response, const LivePropertyOptions& options) {
  auto check = check_of(law);
  switch (response.status) {
    case ResponseStatus::unsupported:
      check.status = Status::skipped;
      check.reason = "the implementation does not support what the law asks for: " + response.reason;
      break;
    case ResponseStatus::rejected:
      if (options.first_position > 0) {
        check.reason = fmt::format(
            "laws ask from position {} on, and the implementation, whose first is {}, rejects that: {}",
            options.lowest_position, options.first_position, response.reason);
        break;
      }
      check.status = Status::inconclusive;
      check.reason = "the implementation rejects positions or vectors of its range: " + response.reason;
      break;
    default:
      check.status = Status::error;
      check.reason = "the implementation gave no answer: " + response.reason;
  }
  return check;
}

std::vector<Check> checks_of(const Trial& trial, bool is_costly, const LivePropertyOptions& options) {
  const auto attempts = attempts_at(trial, is_costly, options);
  const auto& failure = trial.answers->failure();
  std::vector<Check> checks;
  for (const auto& law : attempts) {
    const bool proved = law.complete || law.result.status == CheckStatus::fails;
    checks.push_back(failure && !proved ? without_answer(*law.law, *failure, options)
                                        : conclude(law, trial.unit));
  }
  return checks;
}

std::vector<Check> rope_checks(LiveImplementation& implementation, const RopeEncoding& encoding,
                               ElementType type, const LivePropertyOptions& options) {
  std::vector<Check> checks;
  for (const auto means : {LiveRotation::Means::rotated, LiveRotation::Means::tables}) {
    const auto trial = trial_of(implementation, encoding, type, options, means);
    checks = checks_of(trial, implementation.costs_a_process(), options);
    const auto& failure = trial.answers->failure();
    if (!failure || failure->status != ResponseStatus::unsupported) {
      break;
    }
  }
  if (options.has_gradients && encoding.parameters().operation == RotationOperation::forward) {
    const auto trial = trial_of(implementation, encoding, type, options, LiveRotation::Means::both);
    std::ranges::move(checks_of(trial, implementation.costs_a_process(), options),
                      std::back_inserter(checks));
  }
  return checks;
}

std::vector<Check> no_laws(const Encoding& encoding, std::string reason) {
  return {{"law/" + std::string(encoding.scheme()) + "/laws", Status::skipped, std::move(reason)}};
}

/// Positions as far as the answers to the main questions go, and what they are held to.
LivePropertyOptions options_of(const LiveSession& session, const Case& judged) {
  LivePropertyOptions options;
  options.seed = session.options().seed;
  options.cases = session.law_cases();
  const auto [least, greatest] = std::ranges::minmax(judged.positions);
  options.lowest_position = std::min<std::int64_t>(least, 0);
  options.first_position = least;
  options.highest_position = std::max<std::int64_t>(greatest, 1);
  judged.tensors.for_each([&](const auto& tensor) {
    const auto* vectors = vector_role_named(tensor.role());
    options.has_gradients = options.has_gradients || (vectors != nullptr && vectors->is_gradient);
  });
  judged.tensors.for_each_of_sines([&](const auto& tensor) {
    options.contract = options.contract == nullptr ? tensor.contract : options.contract;
  });
  for (const auto& viewed : views_of(judged)) {
    const auto& part = viewed.view.parts().front();
    options.table_width = part.sines != nullptr ? part.columns : options.table_width;
  }
  return options;
}

}  // namespace

std::vector<Check> live_property_checks(LiveImplementation& implementation, const Encoding& encoding,
                                        ElementType type, const LivePropertyOptions& options) {
  if (traits(*traits(type).format).is_storage_only()) {
    return no_laws(encoding,
                   "laws are stated for types that implementations compute in; the properties of what was "
                   "answered are judged");
  }
  if (const auto& map = encoding.positions(); map.stride() != 1 || map.shift() != 0) {
    return no_laws(encoding,
                   "laws at random positions need a spec without position_offset; the properties of the "
                   "answers are judged");
  }
  if (const auto* sinusoidal = dynamic_cast<const SinusoidalEncoding*>(&encoding)) {
    return checks_of(trial_of(implementation, *sinusoidal, type, options), implementation.costs_a_process(),
                     options);
  }
  if (const auto* rope = dynamic_cast<const RopeEncoding*>(&encoding)) {
    return rope->parameters().mrope
               ? no_laws(encoding,
                         "laws at drawn positions are stated for tokens with one position each; the "
                         "properties of what was answered are judged")
               : rope_checks(implementation, *rope, type, options);
  }
  return no_laws(encoding,
                 "no law of this scheme is stated at drawn positions; the properties of what was "
                 "answered are judged");
}

void judge_laws(LiveSession& session, std::vector<Check>& out) {
  const auto* judged = session.judged_case();
  if (judged == nullptr || judged->positions.empty()) {
    return;  // nothing was answered, which is a check of its own
  }
  auto checks = live_property_checks(session.implementation(), session.encoding(), session.options().type,
                                     options_of(session, *judged));
  std::ranges::move(checks, std::back_inserter(out));
}

}  // namespace vernier
