#include "reports/verdict/live/validate_live.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "numerics/asking/questions.hpp"
#include "numerics/tensors/case.hpp"
#include "reports/verdict/live/case_of_answers.hpp"
#include "reports/verdict/live/live_check.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

/// What was answered, judged; a verdict without checks if nothing was.
struct JudgedAnswers {
  std::unique_ptr<Encoding> encoding;  ///< null once the case has it
  std::unique_ptr<const Case> judged;
  std::optional<AuditedCase> audits;
  Verdict verdict;

  void add_reasons_if(bool wanted) {
    if (wanted && audits) {
      add_reasons(verdict, *audits);
    }
  }
};

JudgedAnswers judged_answers(std::span<const Asked> asked, std::unique_ptr<Encoding> encoding,
                             const LiveOptions& options, const std::string& producer) {
  JudgedAnswers result{std::move(encoding), nullptr, std::nullopt, {}};
  auto parts = parts_of(asked, options.questions.quantization, options.contract);
  parts.source = options.source;
  parts.name = options.name;
  parts.producer = producer;
  if (parts.tensors.empty()) {
    result.verdict = unjudged(options.name, producer, *result.encoding, options.reproduce);
    return result;
  }
  result.judged = std::make_unique<const Case>(assemble_case(parts, std::move(result.encoding)));
  result.audits.emplace(audited_case(*result.judged, options.details.error_splits));
  result.verdict = judge_audited(*result.audits, options.reproduce);
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
  for (const auto& question : asked) {
    if (question.answered() && question.coverage.of > 0) {
      verdict.asking.coverage.push_back({question.roles, question.coverage});
    }
  }
}

/// Whether its positions are scaled, or counted in a fraction: such encodings are of real numbers.
bool is_of_real_positions(const Encoding& encoding) {
  const auto* axes = encoding.axes();
  return !encoding.positions().is_plain() ||
         (axes != nullptr && !std::ranges::all_of(axes->maps, &PositionMap::is_plain));
}

void tell_positions(std::vector<std::string>& notes, const LiveSession& session) {
  const auto type = session.implementation().takes().position_type();
  if (type != ElementType::int64) {
    const auto step = session.position_text(1);
    notes.push_back(fmt::format("It takes real positions: it was asked for them in {}{}.", traits(type).name,
                                step == "1" ? ", and for integers only" : ", in steps of " + step));
  } else if (is_of_real_positions(session.encoding())) {
    notes.emplace_back(
        "It does not declare real positions, and only integers were judged. To judge fractions, declare "
        "VERNIER_TAKES_FLOAT32_POSITIONS (plug-in), `takes` float32-positions (command) or --takes "
        "float32-positions.");
  }
}

void tell_ways(Verdict& verdict, const LiveSession& session) {
  auto& notes = verdict.asking.notes;
  const auto takes = session.implementation().takes();
  const auto note_if = [&](bool holds, const char* sentence) {
    if (holds) {
      notes.emplace_back(sentence);
    }
  };
  const bool is_found_out = session.found_contiguous_only();
  tell_positions(notes, session);
  note_if(is_found_out,
          "It takes only contiguous blocks of positions, without declaring it: it refused two positions "
          "together that it answers separately. Other positions were asked for in blocks.");
  note_if(takes.contiguous_only && !is_found_out,
          "It takes only contiguous blocks of positions: others were asked for in blocks.");
  note_if(!session.implementation().can_start_afresh(),
          "It was asked in the caller's own process. Faults that only a new process shows, and memory "
          "accesses, were not judged (use --serve or --plugin).");
  notes.insert(notes.end(), session.notes().begin(), session.notes().end());
  note_if(takes.one_length, "It takes one length per process: it was restarted for every different length.");
  note_if(session.requires_bits(),
          "Every difference of bits between two answers to the same is a failure (--bitwise).");
  note_if(takes.in_place, "It rotates vectors in place: each was lent in the memory of its answer.");
  const auto is_set = [](const WitnessedEffect& seen) {
    return seen.effect.kind == SideEffectKind::set_floating_point_environment_when_loaded;
  };
  if (const auto set = std::ranges::find_if(session.effects(), is_set); set != session.effects().end()) {
    notes.push_back("It changes the floating-point environment when it is loaded (" + set->effect.evidence +
                    "): link without -Ofast and -ffast-math. Vernier resets it before every call.");
  }
  if (const auto length = session.encoding().sequence_length()) {
    const bool has_thresholds =
        std::ranges::find(verdict.checks, "use/thresholds", &Check::id) != verdict.checks.end();
    notes.push_back(fmt::format(
        "Its frequencies depend on the length of the sequence: every question had position {} as its "
        "greatest, for the length {}{}.",
        *length - 1, *length, has_thresholds ? ", but for those of use/thresholds" : ""));
  }
}

/// A session that has asked its main questions.
struct Conversation {
  std::unique_ptr<Encoding> in_fractions;  ///< that it is about; null: about the one that was given
  std::unique_ptr<LiveSession> session;
};

/// Who only tells with the first answer that real positions are taken is asked anew.
Conversation converse(LiveImplementation& implementation, const Encoding& encoding,
                      const LiveOptions& options) {
  Conversation result;
  for (;;) {
    const auto takes = implementation.takes();
    if (const auto type = takes.position_type(); type != ElementType::int64 && !takes.contiguous_only) {
      result.in_fractions = in_fractions(encoding, type, options.questions.positions, options.source);
    }
    result.session =
        std::make_unique<LiveSession>(implementation, result.in_fractions ? *result.in_fractions : encoding,
                                      options.questions, options.cases, options.pause);
    if (options.bitwise) {
      result.session->require_bits();
    }
    if (result.session->ask_main_questions(options.progress)) {
      return result;
    }
    if (implementation.can_start_afresh()) {
      implementation.start_afresh();
    }
  }
}

/// How long checks are asked after a failure, if it was found sooner: what most implementations take in all.
constexpr std::chrono::seconds least_rest{10};

/// The first failure that counts, and until when others are asked after it.
class FirstFailure {
 public:
  explicit FirstFailure(const LiveOptions& options) : options_(options), start_(options.now()) {}

  void note(const Verdict& so_far) {
    if (!until_ && outcome(so_far) == Conclusion::does_not_conform && options_.on_failure(so_far)) {
      const auto now = options_.now();
      until_ = now + std::max<std::chrono::steady_clock::duration>(now - start_, least_rest);
    }
  }
  bool may_ask() const { return options_.all || !until_ || options_.now() < *until_; }

 private:
  const LiveOptions& options_;
  std::chrono::steady_clock::time_point start_;
  std::optional<std::chrono::steady_clock::time_point> until_ = std::nullopt;
};

/// A check of a kind that is left out: "law/<scheme>/<property>" is "law/rope/property".
Check not_asked(const LiveCheckKind& kind, const Encoding& encoding) {
  std::string id(kind.id);
  if (const auto scheme = id.find("<scheme>"); scheme != std::string::npos) {
    id.replace(scheme, std::string_view("<scheme>").size(), encoding.scheme());
  }
  std::erase_if(id, [](char c) { return c == '<' || c == '>'; });
  return {std::move(id), Status::skipped, "not asked after the failure: --all asks everything"};
}

/// Whether there are answers comes before what they are; laws and behaviour after.
void add_behaviour(Verdict& verdict, std::vector<Check> checks) {
  auto& judged = verdict.checks;
  const auto is_answer = [](const Check& check) { return check.id.starts_with("implementation/"); };
  const auto effects = std::ranges::stable_partition(checks, is_answer).begin();
  judged.insert(judged.begin(), std::move_iterator(checks.begin()), std::move_iterator(effects));
  judged.insert(judged.end(), std::move_iterator(effects), std::move_iterator(checks.end()));
}

/// Judges by all kinds, as far as there is time. \param answers what the checks come beside
std::vector<Check> judge_behaviour(LiveSession& session, const Verdict& answers, FirstFailure& failure,
                                   const PhaseListener& progress) {
  std::vector<Check> checks;
  progress.begin("asking how it behaves", live_check_kinds().size());
  for (const auto& kind : live_check_kinds()) {
    const auto before = static_cast<std::ptrdiff_t>(checks.size());
    if (kind.asks && !failure.may_ask()) {
      checks.push_back(not_asked(kind, session.encoding()));
    } else if (kind.judge != nullptr) {
      kind.judge(session, checks);
    }
    const std::span added(checks.begin() + before, checks.end());
    for (auto& check : added) {
      if (check.status == Status::fail && check.finding.empty()) {
        check.finding = kind.finding;
      }
    }
    if (std::ranges::find(added, Status::fail, &Check::status) != added.end()) {
      auto so_far = answers;
      add_behaviour(so_far, checks);
      failure.note(so_far);
    }
    progress.advance(1);
  }
  return checks;
}

}  // namespace

Verdict validate_live(LiveImplementation& implementation, std::unique_ptr<Encoding> encoding,
                      const LiveOptions& options) {
  FirstFailure failure(options);
  auto conversation = converse(implementation, *encoding, options);
  auto& session = *conversation.session;
  auto asked = conversation.in_fractions ? std::move(conversation.in_fractions) : std::move(encoding);
  options.progress.begin("judging the answers", 1);
  auto answers = judged_answers(session.asked(), std::move(asked), options, implementation.description());
  auto& verdict = answers.verdict;
  verdict.seed = options.questions.seed;
  verdict.asking.quick = options.questions.quick;
  tell_asking(verdict, session.asked());
  if (answers.judged) {
    session.set_case(*answers.judged, wrong_roles(verdict));
  }
  failure.note(verdict);
  auto behaviour = judge_behaviour(session, verdict, failure, options.progress);
  options.progress.begin("looking for the cause", 1);
  answers.add_reasons_if(options.details.reasons);
  add_behaviour(verdict, std::move(behaviour));
  if (options.details.arithmetic && answers.judged) {
    add_arithmetic(verdict, *answers.judged);
  }
  tell_ways(verdict, session);
  return std::move(verdict);
}

Verdict validate_answers(std::span<const Asked> asked, std::unique_ptr<Encoding> encoding,
                         const LiveOptions& options, const std::string& producer) {
  auto answers = judged_answers(asked, std::move(encoding), options, producer);
  answers.add_reasons_if(options.details.reasons);
  auto checks = answer_checks(asked);
  answers.verdict.checks.insert(answers.verdict.checks.begin(), checks.begin(), checks.end());
  tell_asking(answers.verdict, asked);
  return std::move(answers.verdict);
}

}  // namespace vernier
