#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include <fmt/core.h>

#include "numerics/processes/rows.hpp"
#include "reports/verdict/live/live_check.hpp"
#include "reports/words/specs/sequence_length.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

struct AnswerWords {
  Status status;
  const char* reason;  ///< {0} the positions, {1} the reason of the answer
};

const AnswerWords& words_for(ResponseStatus status) {
  // answered, unsupported, rejected, malformed, crashed, timed out
  static constexpr std::array<AnswerWords, 6> words{
      {{Status::pass, "answered for {0}"},
       {Status::skipped, "declares this unsupported: {1}"},
       {Status::inconclusive, "rejected the {0} (--positions A:B asks for others): {1}"},
       {Status::fail, "gave something other than it was asked for: {1}"},
       {Status::error, "{1}"},
       {Status::error, "{1}"}}};
  return words[static_cast<std::size_t>(status)];
}

std::string reason_of(const Asked& asked) {
  return fmt::format(
      fmt::runtime(asked.was_asked ? words_for(asked.response.status).reason : "was not asked: {1}"),
      counted(rows_of(asked.request), "position", "positions"), asked.response.reason);
}

/// An answer without some of the positions, which the implementation refused.
void tell_refusal(const LiveSession& session, const Asked& asked, Check& check) {
  check.reason = fmt::format("answered for {} of {} positions, and refused the next: {}",
                             asked.coverage.asked, asked.coverage.of, asked.refusal->reason);
  const bool is_promised = session.options().positions || declares_context(session.encoding());
  if (is_promised) {
    check.status = Status::inconclusive;
    check.reason +=
        "; it is within " +
        std::string(session.options().positions ? "those asked for" : "the context that the spec states") +
        " (--positions A:B asks for others)";
  }
}

/// Whether the first positions, which are in every range, have no answer either. Where frequencies are those
/// of a length, each question has the last position of it: a short one is asked about.
bool is_silent_at_first_positions(LiveSession& session, const Asked& asked) {
  auto start = with_rows(asked.request, first_rows_of(asked.request));
  const auto rows = static_cast<std::int64_t>(rows_of(start));
  if (session.encoding().sequence_length()) {
    const auto encoding = at_sequence_length(session.encoding(), rows, "the spec", "the spec");
    auto options = session.options();
    options.positions = PositionRange{0, 1, rows};
    auto shorter = session.about(*encoding, options);
    shorter.ask_main_questions({});
    return std::ranges::none_of(shorter.asked(), &Asked::answered);
  }
  if (start.positions.shape().size() == 1) {
    std::vector<std::int64_t> first(rows_of(start));
    std::iota(first.begin(), first.end(), first_probed_position(session.encoding()));
    start = at_positions(start, first);
  }
  return session.ask(start).status != ResponseStatus::answered;
}

/// What gave no answer at all: what it said, or died of, is what was found. Refused are only positions beyond
/// those that are answered.
void tell_silence(LiveSession& session, const Asked& asked, std::span<Check> checks) {
  const auto& [status, reason, tensors, effects] = asked.response;
  // Who takes too long is not waited for again.
  const bool is_silent = (status == ResponseStatus::rejected || status == ResponseStatus::crashed) &&
                         is_silent_at_first_positions(session, asked);
  const bool is_refused = is_silent && status == ResponseStatus::rejected;
  const bool of_all = std::ranges::none_of(session.asked(), &Asked::answered);
  for (auto& check : checks) {
    if (is_refused) {
      check.status = Status::fail;
      check.reason = "refuses the first positions too: " + reason;
    }
    if (is_refused || check.status == Status::error) {
      check.finding = is_silent ? fmt::format("no question{} is answered: {}",
                                              of_all ? "" : " about " + asked.roles, reason)
                                : fmt::format("a question about {} is not answered: {}", asked.roles, reason);
    }
  }
}

}  // namespace

std::vector<Check> answer_checks(std::span<const Asked> asked) {
  std::vector<Check> checks;
  for (const auto& question : asked) {
    for (const auto& wanted : question.request.wanted) {
      auto& check = checks.emplace_back(live_check("implementation/answers/<role>", reason_of(question)));
      check.id = "implementation/answers/" + wanted.role;
      check.status = words_for(question.response.status).status;
    }
  }
  return checks;
}

void judge_answers(LiveSession& session, std::vector<Check>& out) {
  auto checks = answer_checks(session.asked());
  auto check = checks.begin();
  for (const auto& asked : session.asked()) {
    const std::span of_roles(check, asked.request.wanted.size());
    check += static_cast<std::ptrdiff_t>(of_roles.size());
    if (!asked.answered()) {
      tell_silence(session, asked, of_roles);
    } else if (asked.refusal) {
      std::ranges::for_each(of_roles,
                            [&](Check& check_of_role) { tell_refusal(session, asked, check_of_role); });
    }
  }
  if (checks.empty()) {
    checks.push_back(
        {"implementation/answers", Status::skipped,
         "nothing of this scheme can be asked for: files are judged (see vernier validate --help)"});
  }
  std::ranges::move(checks, std::back_inserter(out));
}

}  // namespace vernier
