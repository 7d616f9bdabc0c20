#include <algorithm>
#include <array>

#include "numerics/implementations/number_tensor.hpp"
#include "numerics/implementations/rows.hpp"
#include "reports/live/answered_again.hpp"
#include "reports/live/history_trial.hpp"
#include "reports/live/live_check.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t few_history_rows = 64;
/// Longer than the tables that engines start with, and quickly asked.
constexpr std::size_t many_history_rows = 2048;
/// Of a question that is asked again and again: what threads of one process race for shows in some.
constexpr int usual_repetitions = 100;
/// Of a look: they show a path that is compiled anew, and no rare race.
constexpr int repetitions_of_a_look = 10;
/// Frameworks give elements to several threads from some tens of thousands on.
constexpr std::size_t raced_elements = std::size_t{1} << 16;
/// Of positions that nobody else asks for: a prime, and at least two between the ends.
constexpr std::size_t unusual_count = 41;
constexpr std::array state_types{ElementType::bfloat16, ElementType::float16, ElementType::float32};

/// The rows [first, first + count) of a question, as far as there are any.
std::vector<std::size_t> rows_between(const Request& main, std::size_t first, std::size_t count) {
  std::vector<std::size_t> rows;
  for (auto row = first; row < std::min(first + count, rows_of(main)); ++row) {
    rows.push_back(row);
  }
  return rows;
}

Request part_of(const Request& main, std::size_t first, std::size_t count) {
  return with_rows(main, rows_between(main, first, count));
}

Request first_rows(const Request& main, std::size_t count) {
  return part_of(main, 0, count);
}

Request last_rows(const Request& main, std::size_t count) {
  return part_of(main, rows_of(main) - std::min(count, rows_of(main)), count);
}

/// The same in another type.
Request in_type(Request request, ElementType type) {
  for (auto& wanted : request.wanted) {
    wanted.type = type;
  }
  if (request.input) {
    std::vector<double> values(request.input->elements());
    request.input->numbers(0, values);
    std::ranges::transform(values, values.begin(),
                           [&](double value) { return round_to(*traits(type).format, value); });
    request.input = number_tensor(type, request.input->shape(), values);
  }
  return request;
}

/// The same vectors for each of 2 batches of 3 heads.
Request in_heads(Request request) {
  const Shape leading{2, 3};
  const auto& one = *request.input;
  std::vector<std::byte> bytes;
  for (std::size_t copy = 0; copy < 2 * 3; ++copy) {
    bytes.insert(bytes.end(), one.bytes().begin(), one.bytes().end());
  }
  auto shape = leading;
  shape.insert(shape.end(), one.shape().begin(), one.shape().end());
  request.input = Tensor(one.type(), shape, std::move(bytes));
  request.wanted.front().shape = shape;
  return request;
}

/// A position beyond all that were asked, where an implementation may be asked for one and must answer those
/// below as before. Not where a table ends, nor where a rule makes what was asked before part of its
/// definition: the frequencies of dynamic NTK grow with the longest sequence so far, by Hugging Face's rule.
std::optional<std::int64_t> position_beyond(const LiveSession& session) {
  const auto& encoding = session.encoding();
  const auto tables = encoding.all<ExactTable>();
  const bool ends =
      std::ranges::any_of(tables, [](const ExactTable& table) { return table.last_position.has_value(); });
  if (ends || encoding.has_scaled_tables()) {
    return std::nullopt;
  }
  if (const auto length = encoding.sequence_length()) {
    const auto spec = encoding.spec();
    const auto context = spec.value("max_position_embeddings", *length);
    const bool has_two_lists = spec.contains("rope_scaling") && spec["rope_scaling"].contains("long_factor");
    return has_two_lists && context > *length ? std::optional(context - 1) : std::nullopt;
  }
  const auto beyond = 2 * last_probed_position(encoding) + 1;
  return session.can_ask_for(beyond) ? std::optional(beyond) : std::nullopt;
}

/// Rows of the main question with the answer that it got.
Known known_part(const Asked& main, std::size_t first, std::size_t count) {
  const auto rows = rows_between(main.request, first, count);
  Known known{with_rows(main.request, rows), {}};
  for (const auto& [role, tensor] : main.response.tensors) {
    known.response.tensors.emplace(role, with_places(tensor, 0, rows));
  }
  return known;
}

/// What may have grown with a question is asked for at its other end, and in the middle.
std::vector<Known> known_parts(const Asked& main) {
  const auto rows = rows_of(main.request);
  return {known_part(main, rows - std::min(many_history_rows, rows), many_history_rows),
          known_part(main, rows / 2, few_history_rows)};
}

std::vector<History> after_longer(const LiveSession& session, const Asked& main) {
  History history{{first_rows(main.request, few_history_rows)}, {last_rows(main.request, many_history_rows)}};
  if (const auto beyond = position_beyond(session)) {
    history.between.push_back(at_positions(main.request, std::span(&*beyond, 1)));
  }
  history.later = known_parts(main);
  return {history};
}

std::vector<History> after_shorter(const LiveSession& /*session*/, const Asked& main) {
  return {History{{last_rows(main.request, few_history_rows)}, {first_rows(main.request, 1)}}};
}

/// The same rows are then asked for in the main type: what is kept may be kept without its type.
std::vector<History> after_other_types(const LiveSession& session, const Asked& main) {
  History history{{first_rows(main.request, few_history_rows)}, {}};
  for (const auto type : state_types) {
    if (type == main.request.wanted.front().type) {
      continue;
    }
    history.between.push_back(in_type(last_rows(main.request, many_history_rows), type));
    if (const auto beyond = position_beyond(session)) {
      history.between.push_back(in_type(at_positions(main.request, std::span(&*beyond, 1)), type));
    }
  }
  history.later = known_parts(main);
  return {history};
}

std::vector<History> after_other_shapes(const LiveSession& /*session*/, const Asked& asked) {
  const auto& main = asked.request;
  History history{{first_rows(main, few_history_rows)},
                  {first_rows(main, 1), first_rows(main, few_history_rows / 2 + 1)}};
  if (main.input) {
    history.between.push_back(in_heads(first_rows(main, few_history_rows / 2 + 1)));
  }
  return {history};
}

/// Two sequences, token by token: first one after the other, then in turns.
History in_turns(const LiveSession& /*session*/, const Asked& asked) {
  const auto& main = asked.request;
  constexpr std::size_t tokens = 8;
  const auto rows = rows_of(main);
  History history;
  for (const auto start : {std::size_t{0}, rows - std::min(rows, tokens)}) {
    for (std::size_t token = 0; token < std::min(rows, tokens); ++token) {
      history.first.push_back(part_of(main, start + token, 1));
    }
  }
  const auto of_each = history.first.size() / 2;
  for (std::size_t token = 0; token < of_each; ++token) {
    history.again.push_back(token);
    history.again.push_back(token + of_each);
  }
  return history;
}

/// Another sequence at the same positions: what is kept by positions alone is of other vectors.
History after_other_vectors(const Asked& main) {
  auto rows = rows_between(main.request, rows_of(main.request) / 3, unusual_count);
  auto other = with_rows(main.request, rows);
  std::ranges::rotate(rows, rows.begin() + 1);
  other.input = with_places(*main.request.input, 0, rows);
  return {{}, {std::move(other)}, {}, {known_part(main, rows_of(main.request) / 3, rows.size())}};
}

/// Another sequence of as many positions, with the same ends: what is kept by these is of other ones.
History after_same_ends(const Asked& main) {
  const auto first = rows_of(main.request) / 4;
  auto rows = rows_between(main.request, first, unusual_count);
  if (rows.size() > 2) {
    std::reverse(rows.begin() + 1, rows.end() - 1);
  }
  return {{}, {with_rows(main.request, rows)}, {}, {known_part(main, first, rows.size())}};
}

/// Sequences that have something in common with another one.
std::vector<History> in_streams(const LiveSession& session, const Asked& main) {
  std::vector<History> result{in_turns(session, main)};
  if (main.request.input) {
    result.push_back(after_other_vectors(main));
  }
  if (!session.implementation().takes().contiguous_only) {
    result.push_back(after_same_ends(main));
  }
  return result;
}

/// A kind of history: a check of its own.
struct StateKind {
  std::string_view id;
  std::string_view required;
  std::string_view what;  ///< "after questions in other types"
  std::vector<History> (*of)(const LiveSession& session, const Asked& main);
};

/// Other types come before longer questions: what grows with the length has not grown yet.
constexpr std::array state_kinds{
    StateKind{"state/types", "the same question has the same answer after questions in other types",
              "after longer questions in other types", after_other_types},
    StateKind{"state/longer", "the same question has the same answer after longer ones",
              "after longer questions", after_longer},
    StateKind{"state/shorter", "the same question has the same answer after shorter ones",
              "after a shorter question", after_shorter},
    StateKind{"state/shapes", "the same question has the same answer after questions of other shapes",
              "after questions of other shapes", after_other_shapes},
    StateKind{
        "state/streams",
        "two sequences have the answers of each alone: asked for in turns, at the same positions, with the "
        "same ends",
        "two sequences in turns and alike", in_streams},
};

/// Why no history says anything, if it does not.
std::string obstacle(const LiveSession& session) {
  if (session.judged_case() == nullptr) {
    return "nothing was answered that could be asked again";
  }
  if (session.implementation().costs_a_process()) {
    return "each question has a process of its own; --serve keeps one";
  }
  return session.implementation().takes().one_length ? "it takes one length a process" : "";
}

/// The questions that can be asked in parts.
std::vector<const Asked*> subjects_of(const LiveSession& session) {
  std::vector<const Asked*> result;
  for (const auto& asked : session.asked()) {
    if (asked.answered() && rows_stand_alone(asked.request)) {
      result.push_back(&asked);
    }
  }
  return result;
}

/// \return whether the check goes on with another subject
bool add_history(Check& check, RowsAgain& all, HistoryOutcome outcome, const Asked& asked) {
  if (outcome.missing) {
    tell_missing_answer(check, std::string("a question for ") + asked.roles, *outcome.missing);
    return false;
  }
  check.counts.elements += outcome.rows.rows();
  check.counts.judged += outcome.rows.rows();
  all.add(outcome.rows);
  if (outcome.failed()) {
    check.status = Status::fail;
    check.counts.failing = 1;
    check.reason = std::move(outcome.reason);
    check.counterexample = std::move(outcome.counterexample);
    return false;
  }
  check.status = Status::pass;
  return true;
}

Check judge_kind(LiveSession& session, HistoryTrial& trial, const StateKind& kind,
                 const std::vector<const Asked*>& subjects) {
  Check check{std::string(kind.id), Status::skipped, "nothing was answered that could be asked again",
              std::string(kind.required)};
  RowsAgain all;
  std::uint64_t declined = 0;
  for (const auto* asked : subjects) {
    for (const auto& history : kind.of(session, *asked)) {
      auto outcome = trial.run(history);
      declined += outcome.declined;
      if (!add_history(check, all, std::move(outcome), *asked)) {
        return check;
      }
    }
  }
  if (check.status == Status::pass) {
    tell_rows_again(check, std::string(kind.what), all);
    check.reason += declined > 0 ? "; " + counted(declined, "question between was declined",
                                                  "questions between were declined")
                                 : "";
  }
  return check;
}

/// The same question again and again, as often as a race needs to show.
Check judge_repetitions(LiveSession& session, const std::vector<const Asked*>& subjects) {
  const auto most = session.options().quick ? repetitions_of_a_look : usual_repetitions;
  const auto times = std::to_string(most);
  Check check{"state/repeated", Status::skipped, "nothing was answered that could be asked again",
              "a question that is asked " + times + " times has the same answer each time"};
  RowsAgain all;
  for (const auto* asked : subjects) {
    const auto width = asked->request.wanted.front().shape.back();
    const auto question =
        first_rows(asked->request, std::clamp(raced_elements / width, few_history_rows, many_history_rows));
    const auto rows = rows_between(question, 0, rows_of(question));
    const auto first = session.ask(question);
    for (int i = 1; i <= most; ++i) {
      const auto again = i == 1 ? first : session.ask(question);
      const auto number = "question " + std::to_string(i) + " of " + times;
      if (again.status != ResponseStatus::answered) {
        tell_missing_answer(check, number, again);
        const bool changed = i > 1 && check.status != Status::error;
        check.status = changed ? Status::fail : check.status;
        check.counts.failing = changed ? 1 : 0;
        return check;
      }
      check.counts.elements += rows.size();
      check.counts.judged += rows.size();
      const auto compared = answered_again(session, question, first, rows, again);
      if (compared.wrong) {
        check.counterexample.emplace_back("asked", std::to_string(i) + " times: " + words_of(question));
        tell_wrong_again(check, number + " equal ones (" + asked->roles + ")", question, first, rows, again,
                         compared);
        return check;
      }
      all.add(compared);
    }
  }
  if (all.rows() > 0) {
    tell_rows_again(check, times + " equal questions", all);
  }
  return check;
}

void judge_state(LiveSession& session, std::vector<Check>& out) {
  const auto reason = obstacle(session);
  const auto subjects = reason.empty() ? subjects_of(session) : std::vector<const Asked*>();
  HistoryTrial trial(session);
  if (session.reach() && !subjects.empty()) {
    // What grows with the length, or takes the type of a question, must still be able to.
    session.start_afresh_beyond(session.extent_of_long_question());
  }
  bool goes_on = true;
  for (const auto& kind : state_kinds) {
    if (!goes_on && !subjects.empty()) {
      if (!session.implementation().can_start_afresh()) {
        // What is spoilt stays so, and is nobody else's fault.
        out.push_back(
            {std::string(kind.id), Status::skipped, std::string(no_new_process), std::string(kind.required)});
        continue;
      }
      trial.start_afresh();
    }
    out.push_back(judge_kind(session, trial, kind, subjects));
    goes_on = out.back().status == Status::pass;
    out.back().reason = reason.empty() ? out.back().reason : reason;
  }
  out.push_back(judge_repetitions(session, subjects));
  out.back().reason = reason.empty() ? out.back().reason : reason;
}

}  // namespace

LiveCheckKind state_check() {
  return {
      "state/<history>",
      "In a process that stays, a question has the same answer whatever was asked before: questions in "
      "other types, longer and shorter ones, ones of other shapes, another sequence in turns with it, of "
      "other vectors at its positions, with its length and ends, itself a hundred times. If this fails, "
      "something is kept from one call to the next that a later one changes or should not have found: a "
      "table that a long prompt or a call in bfloat16 rebuilt, the position or the vectors of another "
      "sequence, memory that threads share. The counterexample is the shortest sequence of questions that "
      "shows it.",
      "a table is a function of spec and positions, and of nothing that came before",
      "what was asked before changes the answer", judge_state};
}

}  // namespace vernier
