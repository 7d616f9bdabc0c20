#include "reports/verdict/live/live_session.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include <fmt/core.h>

#include "numerics/processes/rows.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t few_rows = 8;

/// A part of a question with one of its tensors.
Question with_role(const Question& question, std::size_t index) {
  auto result = question;
  for (auto& way : result.ways) {
    way.wanted = {way.wanted[index]};
  }
  for (auto& smaller : result.smaller) {
    smaller = [whole = std::move(smaller), index] { return with_role(whole(), index); };
  }
  return result;
}

/// Whether another shape or another sample may be answered where this one is not.
bool may_go_on(const Response& response) {
  return response.status == ResponseStatus::unsupported || response.status == ResponseStatus::malformed ||
         response.status == ResponseStatus::rejected;
}

/// Whether the answer holds rows of a table, which all belong to the same positions in a case.
bool is_table(const Asked& asked) {
  return asked.answered() && !asked.request.input && rows_stand_alone(asked.request);
}

/// Leaves each table the rows at whose positions all were answered: who is asked role by role may answer one
/// further than another.
void keep_common_positions(std::vector<Asked>& questions) {
  std::optional<std::vector<std::int64_t>> common;  // ascending
  for (const auto* asked : pointers_to(questions, is_table)) {
    auto positions = integers_of(asked->request.positions);
    std::ranges::sort(positions);
    std::vector<std::int64_t> shared;
    std::ranges::set_intersection(common.value_or(positions), positions, std::back_inserter(shared));
    common = std::move(shared);
  }
  for (auto& asked : questions) {
    if (!is_table(asked) || rows_of(asked.request) == common->size()) {
      continue;
    }
    auto rows = consecutive_rows(rows_of(asked.request));
    std::erase_if(rows, [&](std::size_t row) {
      return !std::ranges::binary_search(*common, *asked.request.positions.integer(row));
    });
    for (auto& [role, tensor] : asked.response.tensors) {
      tensor = with_places(tensor, 0, rows);
    }
    asked.request = with_rows(asked.request, rows);
  }
}

}  // namespace

LiveSession::LiveSession(LiveImplementation& implementation, const Encoding& encoding,
                         const QuestionOptions& options, int law_cases, std::function<void()> pause)
    : paced_(implementation, std::move(pause)),
      retold_(paced_, options.quantization),
      multiples_(retold_),
      one_length_(multiples_),
      contiguous_(one_length_),
      anchored_(contiguous_, encoding.sequence_length()),
      in_blocks_(anchored_),
      overheard_(in_blocks_),
      encoding_(encoding),
      unit_(approximately(encoding.positions().unit())),
      options_(options),
      law_cases_(law_cases) {}

void LiveSession::start_afresh() {
  assert(implementation().can_start_afresh());
  overheard_.start_afresh();
}

std::optional<ClosedRange> LiveSession::reach() const {
  if (case_ == nullptr || case_->positions.empty()) {
    return std::nullopt;
  }
  const auto [least, greatest] = std::ranges::minmax(case_->positions);
  const auto& map = encoding_.positions();
  return ClosedRange{map.number(least), map.number(greatest)};
}

bool LiveSession::can_ask_for(std::int64_t position) const {
  try {
    encoding_.positions().place(position);
  } catch (const InputError&) {
    return false;
  }
  return holds_position(implementation().takes().position_type(), position, unit_);
}

Response Overheard::noted(Response response, const Request& request) {
  ++questions_;
  for (const auto& effect : response.side_effects) {
    effects_.push_back({effect, roles_of(request)});
  }
  return response;
}

Asked LiveSession::ask_way(const Question& question, const Request& way) {
  Asked asked{roles_of(way), way, {}};
  if (!implementation().costs_a_process()) {
    asked.first_rows = ask(with_rows(way, first_rows_of(way)));
    if (!asked.first_rows->is_answered()) {
      asked.response = *asked.first_rows;
      return asked;
    }
  }
  auto answer = in_blocks_.ask_for_most(way);
  asked.response = overheard_.noted(std::move(answer.response), way);
  if (!answer.refusal.is_answered()) {
    asked.refusal = std::move(answer.refusal);
  }
  if (asked.answered() && asked.refusal) {
    asked.request = with_rows(way, consecutive_rows(answer.rows));
  }
  const auto rows = asked.refusal ? std::min(answer.rows, question.rows.size()) : question.rows.size();
  asked.coverage =
      coverage_of(std::span(question.rows).first(rows), static_cast<std::uint64_t>(question.range.count));
  return asked;
}

Asked LiveSession::ask_in_any_way(const Question& question) {
  std::optional<Asked> best;
  for (const auto& way : question.ways) {
    auto asked = ask_way(question, way);
    if (asked.answered() || !may_go_on(asked.response)) {
      return asked;
    }
    if (!best || best->response.status == ResponseStatus::unsupported) {
      best = std::move(asked);
    }
  }
  return *std::move(best);
}

Asked LiveSession::ask_as_much_as_goes(const Question& question) {
  auto whole = ask_in_any_way(question);
  const auto& status = whole.refusal ? whole.refusal->status : whole.response.status;
  const bool starts = !whole.first_rows || whole.first_rows->is_answered();
  const bool is_too_much =
      starts && (status == ResponseStatus::timed_out || status == ResponseStatus::rejected ||
                 (status == ResponseStatus::unsupported && implementation().takes().contiguous_only));
  if (!is_too_much) {
    return whole;
  }
  for (const auto& smaller : question.smaller) {
    auto part = ask_in_any_way(smaller());
    if (part.answered() && !part.refusal) {
      return part;
    }
  }
  // Who refuses positions beyond some may; who no longer answers may not.
  if (whole.answered() && status == ResponseStatus::timed_out) {
    whole.response = *whole.refusal;
  }
  return whole;
}

/// Gradients are asked for only of whoever offers them: others may take them for vectors to rotate.
bool LiveSession::may_ask(const Question& question) const {
  const auto& role = question.ways.front().wanted.front().role;
  const auto* vectors = vector_role_named(role);
  return vectors == nullptr || !vectors->is_gradient || implementation().takes().gradients ||
         std::ranges::find(options_.roles, role) != options_.roles.end();
}

void LiveSession::ask_one(const Question& question) {
  if (!may_ask(question)) {
    const auto& way = question.ways.front();
    asked_.push_back(
        {.roles = roles_of(way),
         .request = way,
         .response = {ResponseStatus::unsupported,
                      "it does not say that it takes gradients: VERNIER_ROTATES_GRADIENTS of a "
                      "plug-in, the word gradients of a command's `takes`, or --takes gradients"},
         .was_asked = false});
    return;
  }
  auto asked = ask_as_much_as_goes(question);
  const auto roles = question.ways.front().wanted.size();
  if (asked.response.status != ResponseStatus::unsupported || roles == 1) {
    asked_.push_back(std::move(asked));
    return;
  }
  for (std::size_t i = 0; i < roles; ++i) {
    asked_.push_back(ask_as_much_as_goes(with_role(question, i)));
  }
}

bool LiveSession::ask_main_questions(const PhaseListener& progress) {
  const auto known_type = implementation().takes().position_type();
  auto options = options_;
  options.gradients = true;  // which are asked of whoever offers them
  const auto questions = questions_of(encoding_, options);
  progress.begin("asking for answers", std::max<std::size_t>(1, questions.size()));
  for (const auto& question : questions) {
    ask_one(question);
    progress.advance(1);
    if (known_type == ElementType::int64 && implementation().takes().position_type() != known_type) {
      return false;
    }
  }
  if (multiples_.are_asked()) {
    note(fmt::format("Rows were asked for in multiples of {}, as other numbers of them are refused.",
                     largest_tile));
  }
  keep_common_positions(asked_);
  return true;
}

std::vector<std::size_t> first_rows_of(const Request& request) {
  return consecutive_rows(std::min(few_rows, rows_of(request)));
}

bool rows_stand_alone(const LiveSession& session, const Asked& asked) {
  return std::ranges::none_of(session.encoding().tensors(), [&](const TensorDefinition& tensor) {
    return !tensor_form(tensor).stands_alone &&
           std::ranges::find(asked.request.wanted, role_of(tensor), &WantedTensor::role) !=
               asked.request.wanted.end();
  });
}

std::string roles_of(const Request& request) {
  return joined(request.wanted, &WantedTensor::role);
}

void tell_missing_answer(Check& check, const std::string& what, const Response& response) {
  const bool died =
      response.status == ResponseStatus::crashed || response.status == ResponseStatus::timed_out;
  check.status = died                                             ? Status::error
                 : response.status == ResponseStatus::unsupported ? Status::skipped
                                                                  : Status::inconclusive;
  check.reason = fmt::format("{} got no answer: {}", what, response.reason);
}

}  // namespace vernier
