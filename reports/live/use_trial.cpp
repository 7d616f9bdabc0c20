#include "reports/live/use_trial.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>

#include <fmt/core.h>

#include "numerics/cases/leading_dimensions.hpp"
#include "numerics/implementations/length_anchor.hpp"
#include "numerics/implementations/rows.hpp"
#include "reports/live/held_rows.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

bool is_about_vectors(const Request& request) {
  return request.input.has_value();
}

std::size_t copies_of(const Shape& leading) {
  return std::accumulate(leading.begin(), leading.end(), std::size_t{1}, std::multiplies{});
}

/// Whether all positions of a question, or of each batch, follow one another.
bool is_contiguous(const Use& use) {
  for (std::size_t i = 1; i < use.positions.size(); ++i) {
    if (i % use.rows() != 0 && use.positions[i] != use.positions[i - 1] + 1) {
      return false;
    }
  }
  return true;
}

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::int64_t> block_of(std::int64_t first, std::size_t count) {
  std::vector<std::int64_t> positions(count);
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

UseTrial::UseTrial(LiveSession& session, std::string_view id, std::string_view required)
    : session_(session),
      generator_(session.options().seed),
      check_{std::string(id), Status::skipped, "nothing was answered that can be asked in this way",
             std::string(required)} {
  reach_ = session.reach();
  if (!reach_) {
    return;
  }
  for (const auto& asked : session.asked()) {
    if (asked.answered() && rows_stand_alone(asked.request)) {
      subjects_.push_back(
          {&asked, std::vector<std::vector<std::byte>>(asked.request.wanted.size()), {}, {}, {}});
    }
  }
}

std::vector<std::int64_t> UseTrial::block(std::int64_t first, std::size_t count) const {
  if (!reach_ || first < reach_->least || first > reach_->greatest) {
    return {};
  }
  return block_of(first, std::min(count, static_cast<std::size_t>(reach_->greatest - first) + 1));
}

std::vector<std::int64_t> UseTrial::long_block() const {
  const auto limit = session_.extent_of_long_question();
  const auto first =
      std::max(reach_->least, limit.greatest_position - static_cast<std::int64_t>(limit.most_rows) + 1);
  return block_of(first, static_cast<std::size_t>(limit.greatest_position - first) + 1);
}

Use UseTrial::use_of(const std::vector<std::int64_t>& block, Shape leading) const {
  return {"the block [" + position_text(block.front()) + ", " + position_text(block.back() + 1) + ")", block,
          std::move(leading)};
}

void UseTrial::ask(const Use& use) {
  if (use.positions.empty()) {
    return;
  }
  for (auto& subject : subjects_) {
    const bool fits = use.leading.empty() || is_about_vectors(subject.whole->request);
    if (fits && !is_over_) {
      ask(subject, use);
    }
  }
}

void UseTrial::leave_out(const std::string& words, std::string_view why) {
  notes_.push_back(fmt::format("not asked: {}, as {}", words, why));
}

/// Why a question cannot be asked, if it cannot.
std::optional<std::string> UseTrial::obstacle(const Subject& subject, const Use& use) const {
  const auto takes = session_.implementation().takes();
  if (takes.contiguous_only && !is_contiguous(use)) {
    return "the implementation takes consecutive positions only";
  }
  if (use.by_batch && !takes.batched_positions) {
    return "the implementation does not say that it takes positions of each batch";
  }
  if (use.by_batch && session_.encoding().sequence_length()) {
    return "its frequencies depend on the length, which batches would have of their own";
  }
  if (use.padding > 0 && !takes.strides) {
    return "the implementation does not say that it takes strides";
  }
  const auto tables = session_.encoding().all<ExactTable>();
  const auto is_defined = [&](std::int64_t position) {
    return std::ranges::all_of(tables, [&](const ExactTable& table) { return table.defined(position); });
  };
  if (!is_about_vectors(subject.whole->request) && !std::ranges::all_of(use.positions, is_defined)) {
    return "the encoding has no rows at some of the positions";
  }
  return std::nullopt;
}

/// \param twins receives the rows of the main answer that rows of this one should equal
Request UseTrial::request_for(const Subject& subject, const Use& use, Twins& twins) {
  const auto& main = subject.whole->request;
  auto shape = use.leading;
  shape.insert(shape.end(), {use.rows(), main.wanted.front().shape.back()});
  Request request{main.spec,
                  integer_tensor(use.by_batch ? Shape{use.leading.front(), use.rows()} : Shape{use.rows()},
                                 use.positions),
                  std::nullopt, main.wanted, use.padding};
  for (auto& wanted : request.wanted) {
    shape.back() = wanted.shape.back();
    wanted.shape = shape;
  }
  for (const auto position : use.positions) {
    twins.push_back(row_at(main, position));
  }
  if (!is_about_vectors(main)) {
    return request;
  }
  const auto rows = copies_of(use.leading) * use.rows();
  std::vector<std::byte> input;
  twins.resize(use.rows());
  twins.resize(rows);
  for (const auto twin : twins) {
    append(input, row_bytes(*main.input, twin.value_or(generator_() % rows_of(main))));
  }
  request.input = Tensor(main.input->type(), shape, std::move(input));
  return request;
}

void UseTrial::ask(Subject& subject, const Use& use) {
  if (const auto why = obstacle(subject, use)) {
    leave_out(use.words, *why);
    return;
  }
  Twins twins;
  const auto request = request_for(subject, use, twins);
  const auto response = session_.ask(request);
  if (response.status == ResponseStatus::answered) {
    take(subject, use, request, twins, response);
  } else {
    tell_no_answer(use, response);
  }
}

void UseTrial::take(Subject& subject, const Use& use, const Request& request, const Twins& twins,
                    const Response& response) {
  const auto& wanted = request.wanted;
  std::vector<std::pair<const Tensor*, const Tensor*>> answers;  // in the main answer, and now
  for (const auto& tensor : wanted) {
    answers.emplace_back(&subject.whole->response.tensors.find(tensor.role)->second,
                         &response.tensors.find(tensor.role)->second);
  }
  const bool is_wrong_anyway =
      std::ranges::any_of(wanted, [&](const WantedTensor& tensor) { return session_.is_wrong(tensor.role); });
  const auto rows_in_batch = twins.size() / (use.by_batch ? use.leading.front() : 1);
  uses_.push_back({use.words, std::vector<std::int64_t>(use.rows()), use.leading, use.by_batch});
  const auto other_before = other_;
  for (std::size_t row = 0; row < twins.size(); ++row) {
    const auto twin = twins[row];
    const bool is_same =
        twin && std::ranges::all_of(answers, [&](const auto& answer) {
          return std::ranges::equal(row_bytes(*answer.first, *twin), row_bytes(*answer.second, row));
        });
    const bool is_untold = !twin && is_wrong_anyway;
    (is_same ? same_ : twin ? other_ : is_untold ? untold_ : new_) += 1;
    if (is_same || is_untold) {
      continue;
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
      append(subject.answers[i], row_bytes(*answers[i].second, row));
    }
    if (request.input) {
      append(subject.inputs, row_bytes(*request.input, row));
    }
    const auto batch = row / rows_in_batch;
    subject.positions.push_back(use.positions[batch * use.rows() + row % use.rows()]);
    subject.origins.push_back({uses_.size() - 1, row, twin.has_value()});
  }
  if (check_.finding.empty() && other_ > other_before) {
    check_.finding = rule_of_held_rows(subject.whole->request, subject.whole->response, request, response);
  }
}

void UseTrial::tell_no_answer(const Use& use, const Response& response) {
  // No implementation has to take heads and batches: a command refuses them by ending without an answer.
  const bool declines =
      response.status == ResponseStatus::unsupported ||
      (!use.leading.empty() &&
       (response.status == ResponseStatus::rejected ||
        (response.status == ResponseStatus::crashed && session_.implementation().costs_a_process())));
  if (declines) {
    notes_.push_back(std::string("declined: ") + use.words + " (" + response.reason + ")");
    return;
  }
  is_over_ = response.status != ResponseStatus::rejected;
  if (response.status == ResponseStatus::malformed) {
    check_.status = Status::fail;
    check_.counts.failing = 1;
    check_.reason = use.words + " was answered by something else than was asked for: " + response.reason;
    check_.finding = "a question in another shape is answered by something else than it asks for";
  } else if (check_.status == Status::skipped) {
    tell_missing_answer(check_, use.words, response);
  }
}

/// Fails the check by a row. \param what is wrong with it
void UseTrial::tell_row(const Subject& subject, std::size_t row, const std::string& what) {
  const auto& origin = subject.origins[row];
  const auto& use = uses_[origin.use];
  check_.status = Status::fail;
  check_.counts.failing = 1;
  check_.reason = use.words + ": " + what;
  check_.counterexample = {{"question", use.words},
                           {"position", position_text(subject.positions[row])},
                           {"row", std::to_string(origin.row % use.rows())}};
  if (!use.leading.empty()) {
    std::string index;
    for (const auto of : leading_index(use.leading, origin.row / use.rows())) {
      index += (index.empty() ? "" : ", ") + std::to_string(of);
    }
    check_.counterexample.emplace_back("batch and head", index);
  }
}

void UseTrial::tell_wrong(const Subject& subject, const WrongElement& wrong) {
  tell_row(
      subject, wrong.row,
      fmt::format(
          "{} of position {}, column {}, {}{}", wrong.role, position_text(subject.positions[wrong.row]),
          wrong.column, usage_text(wrong.budget_ratio),
          subject.origins[wrong.row].has_other_bits ? ", and has other bits than in the main answer" : ""));
  check_.counterexample.emplace_back("tensor", wrong.role);
  check_.counterexample.emplace_back("column", std::to_string(wrong.column));
}

void UseTrial::judge(const Subject& subject) {
  const auto rows = subject.positions.size();
  if (rows == 0) {
    return;
  }
  AnsweredRows answered{subject.positions, {}};
  const auto& wanted = subject.whole->request.wanted;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    answered.tensors.emplace(wanted[i].role,
                             Tensor(wanted[i].type, {rows, wanted[i].shape.back()}, subject.answers[i]));
  }
  if (const auto& input = subject.whole->request.input) {
    answered.input = Tensor(input->type(), {rows, input->shape().back()}, subject.inputs);
  }
  const auto found = judge_rows(*session_.judged_case(), answered);
  check_.counts.inconclusive += found.judged == 0 ? rows : 0;
  check_.greatest_budget_ratio =
      std::max(check_.greatest_budget_ratio.value_or(0), found.greatest_budget_ratio);
  if (check_.status == Status::fail) {
    return;
  }
  const auto other = std::ranges::find_if(subject.origins, &Origin::has_other_bits);
  if (found.wrong) {
    tell_wrong(subject, *found.wrong);
  } else if (session_.requires_bits() && other != subject.origins.end()) {
    const auto row = static_cast<std::size_t>(other - subject.origins.begin());
    tell_row(subject, row,
             fmt::format("position {} has other bits than in the main answer",
                         position_text(subject.positions[row])));
  }
}

std::string UseTrial::reason(std::string_view what) const {
  std::string text = std::string(what) + ": ";
  std::string_view separator;
  const auto add = [&](std::uint64_t rows, std::string_view one, std::string_view many) {
    if (rows > 0) {
      text += std::string(separator) + counted(rows, one, many);
      separator = ", ";
    }
  };
  add(same_, "row has the bits of the main answer", "rows have the bits of the main answer");
  add(other_, "has other bits and is within its budget", "have other bits and are within their budget");
  add(new_, "that it does not hold is within its budget", "that it does not hold are within their budget");
  return text + (notes_.empty() ? "" : "; " + notes_.front());
}

Check UseTrial::conclude(std::string_view what) {
  for (const auto& subject : subjects_) {
    judge(subject);
  }
  const auto rows = same_ + other_ + new_;
  check_.counts.elements = rows;
  check_.counts.judged = rows - check_.counts.inconclusive;
  if (check_.status != Status::skipped) {
    return check_;
  }
  if (check_.counts.judged > 0) {
    check_.status = Status::pass;
    check_.reason = reason(what);
  } else if (rows > 0) {
    check_.status = Status::inconclusive;
    check_.reason = "the format is too coarse to judge any of " + counted(rows, "row", "rows");
  } else if (untold_ > 0) {
    check_.reason = "the main answer breaks its contract, and holds none of these rows";
  } else if (!notes_.empty()) {
    check_.reason = notes_.front();
  }
  return check_;
}

}  // namespace vernier
