#include "reports/live/validate_live.hpp"

#include <algorithm>
#include <iterator>

#include "numerics/cases/case.hpp"
#include "reference/input_error.hpp"
#include "reports/live/live_check.hpp"
#include "reports/validate.hpp"

namespace vernier {
namespace {

/// The answers as the parts of a case.
CaseInput parts_of(std::span<const Asked> asked, const LiveOptions& options, const std::string& producer) {
  CaseInput parts{options.source, options.name, producer, {}, options.contract};
  for (const auto& one : asked) {
    if (!one.answered()) {
      continue;
    }
    const auto add = [&](const std::string& role, const Tensor& tensor) {
      parts.tensors.insert_or_assign(role, NamedTensor{"the implementation's " + role, tensor});
    };
    for (const auto& [role, tensor] : one.response.tensors) {
      add(role, tensor);
    }
    std::size_t vectors = 0;
    for (const auto& [role, input, is_of_keys, is_gradient] : vector_roles()) {
      if (one.request.input && one.response.tensors.contains(role)) {
        add(std::string(input), *one.request.input);
        parts.positions_of_vectors.insert_or_assign(
            std::string(role),
            NamedTensor{std::string("the implementation's ") + std::string(role), one.request.positions});
        ++vectors;
      }
    }
    if (one.response.tensors.size() > vectors) {
      const bool relative = one.response.tensors.contains("buckets");
      add(relative ? "relative_positions" : "positions", one.request.positions);
    }
  }
  return parts;
}

/// What was answered, judged; a verdict without checks if nothing was.
struct JudgedAnswers {
  std::unique_ptr<Encoding> encoding;  ///< null once the case has it
  std::optional<Case> judged;
  Verdict verdict;
};

JudgedAnswers judge_answers(std::span<const Asked> asked, std::unique_ptr<Encoding> encoding,
                            const LiveOptions& options, const std::string& producer) {
  JudgedAnswers result{std::move(encoding), std::nullopt, {}};
  const auto parts = parts_of(asked, options, producer);
  if (parts.tensors.empty()) {
    result.verdict.name = options.name;
    result.verdict.producer = producer;
    result.verdict.encoding = result.encoding->summary();
    result.verdict.spec = result.encoding->spec();
    result.verdict.reproduce = options.reproduce;
    return result;
  }
  result.judged = assemble_case(parts, std::move(result.encoding));
  result.verdict = validate(*result.judged, options.reproduce, options.details);
  return result;
}

/// The roles of which a check fails: what stands at the end of its id.
std::vector<std::string> wrong_roles(const Verdict& verdict) {
  std::vector<std::string> roles;
  for (const auto& check : verdict.checks) {
    if (check.status == Status::fail) {
      roles.push_back(check.id.substr(check.id.rfind('/') + 1));
    }
  }
  return roles;
}

/// What was asked, and how.
void tell_asking(Verdict& verdict, std::span<const Asked> asked) {
  for (const auto& one : asked) {
    if (one.answered() && one.coverage.of > 0) {
      verdict.asking.coverage.push_back({one.roles, one.coverage});
    }
  }
}

void tell_ways(Verdict& verdict, const LiveSession& session) {
  auto& notes = verdict.asking.notes;
  const auto takes = session.implementation().takes();
  if (session.found_contiguous_only()) {
    notes.emplace_back(
        "It does not say so, but takes contiguous blocks of positions only: it refused two positions "
        "together "
        "that it answers apart. Other positions were asked for in blocks.");
  } else if (takes.contiguous_only) {
    notes.emplace_back("It takes contiguous blocks of positions only: others were asked for in blocks.");
  }
  if (!session.implementation().can_start_afresh()) {
    notes.emplace_back(
        "It was asked in the caller's own process: what only a new process shows was not judged, nor what it "
        "does "
        "to memory (--serve starts processes, --plugin watches memory).");
  }
  if (takes.one_length) {
    notes.emplace_back("It takes one length a process: it was started anew for every other length.");
  }
  if (session.requires_bits()) {
    notes.emplace_back("Every difference of bits between two answers to the same is a failure (--bitwise).");
  }
  if (takes.in_place) {
    notes.emplace_back("It rotates vectors in place: each was lent in the memory of its answer.");
  }
  if (const auto length = session.encoding().sequence_length()) {
    notes.emplace_back("Its frequencies depend on the length of the sequence: every question had position " +
                       std::to_string(*length - 1) + " as its greatest, for the length " +
                       std::to_string(*length) + ".");
  }
}

}  // namespace

Verdict validate_live(LiveImplementation& implementation, std::unique_ptr<Encoding> encoding,
                      const LiveOptions& options) {
  const auto of_axes = encoding->all<MultiAxisTable>();
  const bool keeps_integers =
      encoding->positions().keeps_integers() && std::ranges::all_of(of_axes, [](const MultiAxisTable& table) {
        return std::ranges::all_of(table.positions.maps, &PositionMap::keeps_integers);
      });
  if (!keeps_integers) {
    throw InputError(
        "spec: found position_offset or position_unit, expected neither where an implementation is asked, as "
        "it "
        "is asked for integers: store its tensors, and validate them as a case");
  }
  LiveSession session(implementation, *encoding, options.questions, options.cases, options.pause);
  if (options.bitwise) {
    session.require_bits();
  }
  session.ask_main_questions(options.progress);
  options.progress.begin("judging the answers", 1);
  auto answers = judge_answers(session.asked(), std::move(encoding), options, implementation.description());
  if (answers.judged) {
    session.set_case(*answers.judged, wrong_roles(answers.verdict));
  }
  std::vector<Check> checks;
  options.progress.begin("asking how it behaves", live_check_kinds().size());
  for (const auto& kind : live_check_kinds()) {
    kind.judge(session, checks);
    options.progress.advance(1);
  }
  // Whether there are answers comes before what they are; laws and behaviour after.
  auto& all = answers.verdict.checks;
  const auto is_answer = [](const Check& check) { return check.id.starts_with("implementation/"); };
  const auto effects = std::ranges::stable_partition(checks, is_answer).begin();
  all.insert(all.begin(), std::move_iterator(checks.begin()), std::move_iterator(effects));
  all.insert(all.end(), std::move_iterator(effects), std::move_iterator(checks.end()));
  answers.verdict.seed = options.questions.seed;
  answers.verdict.asking.quick = options.questions.quick;
  tell_asking(answers.verdict, session.asked());
  tell_ways(answers.verdict, session);
  return std::move(answers.verdict);
}

Verdict validate_answers(std::span<const Asked> asked, std::unique_ptr<Encoding> encoding,
                         const LiveOptions& options, const std::string& producer) {
  auto answers = judge_answers(asked, std::move(encoding), options, producer);
  auto checks = answer_checks(asked);
  answers.verdict.checks.insert(answers.verdict.checks.begin(), checks.begin(), checks.end());
  tell_asking(answers.verdict, asked);
  return std::move(answers.verdict);
}

}  // namespace vernier
