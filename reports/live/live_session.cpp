#include "reports/live/live_session.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "numerics/live/rows.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t few_rows = 8;

/// A part of a question with one of its tensors.
Question with_role(const Question& question, std::size_t index) {
  Question result;
  for (auto way : question.ways) {
    way.wanted = {way.wanted[index]};
    result.ways.push_back(std::move(way));
  }
  return result;
}

std::string element_text(const Tensor& tensor, std::size_t index) {
  if (!tensor.format()) {
    return std::to_string(tensor.integer(index).value_or(0));
  }
  const auto value = tensor.number(index);
  return shortest_text(*tensor.format(), value) + " = " + bits_text(*tensor.format(), value);
}

/// The row that an element of a wanted tensor belongs to.
std::size_t row_of_element(const WantedTensor& wanted, const Shape& shape, std::size_t index) {
  const auto dimension = *row_dimension(wanted);
  const auto inner = std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, shape.end(),
                                     std::size_t{1}, std::multiplies{});
  return index / inner % shape[dimension];
}

/// The part of the whole answer that another answer should equal.
Tensor expected_part(const WantedTensor& wanted, const Response& whole, std::span<const std::size_t> rows) {
  const auto& tensor = whole.tensors.find(wanted.role)->second;
  const auto dimension = row_dimension(wanted);
  return dimension ? with_places(tensor, *dimension, rows) : tensor;
}

}  // namespace

LiveSession::LiveSession(LiveImplementation& implementation, const Encoding& encoding,
                         const QuestionOptions& options, int law_cases, std::function<void()> pause)
    : implementation_(implementation),
      encoding_(encoding),
      options_(options),
      law_cases_(law_cases),
      pause_(std::move(pause)) {}

Response LiveSession::ask(const Request& request) {
  pause_();
  ++questions_asked_;
  auto response = implementation_.ask(request);
  for (const auto& effect : response.side_effects) {
    effects_.push_back({effect, roles_of(request)});
  }
  return response;
}

Asked LiveSession::ask_in_any_way(const Question& question) {
  std::optional<Asked> best;
  for (const auto& request : question.ways) {
    Asked asked{roles_of(request), request, {}};
    if (!implementation_.costs_a_process()) {
      asked.first_rows = ask(with_rows(request, first_rows_of(request)));
    }
    const bool goes_on = !asked.first_rows || asked.first_rows->status == ResponseStatus::answered;
    asked.response = goes_on ? ask(request) : *asked.first_rows;
    if (asked.response.status != ResponseStatus::unsupported) {
      return asked;
    }
    best = best ? std::move(best) : std::optional(std::move(asked));
  }
  return *std::move(best);
}

void LiveSession::ask_one(const Question& question) {
  auto asked = ask_in_any_way(question);
  const auto roles = question.ways.front().wanted.size();
  if (asked.response.status != ResponseStatus::unsupported || roles == 1) {
    asked_.push_back(std::move(asked));
    return;
  }
  for (std::size_t i = 0; i < roles; ++i) {
    asked_.push_back(ask_in_any_way(with_role(question, i)));
  }
}

void LiveSession::ask_main_questions() {
  for (const auto& question : questions_of(encoding_, options_)) {
    ask_one(question);
  }
}

std::vector<std::size_t> first_rows_of(const Request& request) {
  std::vector<std::size_t> rows(std::min(few_rows, rows_of(request)));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::string roles_of(const Request& request) {
  std::string text;
  for (const auto& wanted : request.wanted) {
    text += (text.empty() ? "" : ", ") + wanted.role;
  }
  return text;
}

std::optional<Difference> first_difference(const Request& request, const Response& whole,
                                           std::span<const std::size_t> rows, const Response& part) {
  for (const auto& wanted : request.wanted) {
    const auto expected = expected_part(wanted, whole, rows);
    const auto& got = part.tensors.find(wanted.role)->second;
    assert(expected.bytes().size() == got.bytes().size());
    const auto [first, second] = std::ranges::mismatch(expected.bytes(), got.bytes());
    if (first == expected.bytes().end()) {
      continue;
    }
    const auto byte = static_cast<std::size_t>(first - expected.bytes().begin());
    const auto index = byte / traits(got.type()).bytes;
    return Difference{wanted.role, row_dimension(wanted) ? row_of_element(wanted, got.shape(), index) : 0,
                      index};
  }
  return std::nullopt;
}

void tell_difference(Check& check, const Request& request, const Response& whole,
                     std::span<const std::size_t> rows, const Response& part, const Difference& difference) {
  const auto wanted = std::ranges::find(request.wanted, difference.role, &WantedTensor::role);
  const auto expected = expected_part(*wanted, whole, rows);
  const auto& got = part.tensors.find(difference.role)->second;
  check.counterexample.emplace_back("tensor", difference.role);
  if (row_dimension(*wanted)) {
    check.counterexample.emplace_back("position", position_text(request, rows[difference.row]));
  }
  check.counterexample.emplace_back("column", std::to_string(difference.index % got.shape().back()));
  check.counterexample.emplace_back("at first", element_text(expected, difference.index));
  check.counterexample.emplace_back("then", element_text(got, difference.index));
}

void tell_missing_answer(Check& check, const std::string& what, const Response& response) {
  const bool died =
      response.status == ResponseStatus::crashed || response.status == ResponseStatus::timed_out;
  check.status = died ? Status::error : Status::inconclusive;
  check.reason = what + " got no answer: " + response.reason;
}

}  // namespace vernier
