#include <algorithm>

#include <fmt/core.h>

#include "reference/support/word_list.hpp"
#include "reports/verdict/live/live_check.hpp"
#include "reports/verdict/live/validate_live.hpp"
#include "reports/words/specs/sequence_length.hpp"

namespace vernier {
namespace {

constexpr std::int64_t rows_of_a_length = 64;

/// On both sides of each threshold, ascending: dynamic NTK grows with the longest sequence so far.
std::vector<std::int64_t> other_lengths(const LiveSession& session) {
  const auto spec = session.encoding().spec();
  const auto length = session.encoding().sequence_length();
  const auto scaling = spec.value("rope_scaling", OrderedJson::object());
  if (!length || spec.contains("sequence_length") || !scaling.contains("original_max_position_embeddings") ||
      session.options().positions || session.implementation().takes().contiguous_only) {
    return {};
  }
  const auto original = scaling["original_max_position_embeddings"].get<std::int64_t>();
  const auto longest = scaling.contains("long_factor") ? *length : largest_position;
  std::vector<std::int64_t> lengths{original - 1, original, original + 1, 2 * original, 2 * original + 1};
  std::erase_if(lengths, [&](std::int64_t at) { return at < 1 || at > longest || at == *length; });
  return lengths;
}

/// What positions spread over a sequence of another length are answered.
Verdict verdict_at(LiveSession& session, std::int64_t length) {
  const Contract* contract = nullptr;
  session.judged_case()->tensors.for_each_of_sines(
      [&](const auto& tensor) { contract = contract == nullptr ? tensor.contract : contract; });
  auto encoding = at_sequence_length(session.encoding(), length, "the spec", "the spec");
  LiveOptions options{.name = "length", .source = "the spec", .questions = session.options()};
  options.contract = std::string(contract->id);
  options.details.error_splits = false;
  const auto step = std::max<std::int64_t>(1, length / rows_of_a_length);
  options.questions.positions = PositionRange{0, step, (length - 1) / step + 1};
  auto at_length = session.about(*encoding, options.questions);
  at_length.ask_main_questions({});
  return validate_answers(at_length.asked(), std::move(encoding), options, "");
}

}  // namespace

void judge_thresholds(LiveSession& session, std::vector<Check>& out) {
  const auto lengths = other_lengths(session);
  if (lengths.empty() || session.judged_case() == nullptr) {
    return;
  }
  auto& check = out.emplace_back(live_check("use/thresholds", ""));
  if (session.implementation().can_start_afresh()) {
    session.start_afresh();
  }
  std::vector<std::int64_t> judged{*session.encoding().sequence_length()};
  for (const auto length : lengths) {
    const auto verdict = verdict_at(session, length);
    const auto found = sentence_of(verdict);
    if (const auto code = exit_code(verdict); code == 1 || code == 3) {
      check.status = code == 1 ? Status::fail : Status::error;
      check.reason = fmt::format("a sequence of {}: {}", length,
                                 found.empty() ? ids_of(verdict, {Status::fail, Status::error}) : found);
      check.finding = check.reason;
      return;
    }
    if (outcome(verdict) == Conclusion::conforms) {
      judged.push_back(length);
    }
  }
  std::ranges::sort(judged);
  check.status = judged.size() == 1 ? Status::skipped : Status::pass;
  check.reason = "lengths judged: " + joined(judged, std::identity(), " and ");
}

}  // namespace vernier
