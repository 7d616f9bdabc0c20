#include "reports/live/answered_again.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "numerics/implementations/rows.hpp"
#include "reports/live/judged_rows.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// Where a key stands among others is a part of what its bias is: whole answers are judged.
bool is_bias(const WantedTensor& wanted) {
  return wanted.role == "bias";
}

/// Rows of two answers that are judged: their index in each.
struct ChangedRows {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
};

/// Rows that differ; of biases all.
ChangedRows changed_rows(const Request& request, const Response& before, std::span<const std::size_t> rows,
                         const Response& after) {
  ChangedRows changed;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_same = std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
      return !is_bias(wanted) &&
             std::ranges::equal(row_bytes(before.tensors.find(wanted.role)->second, rows[i]),
                                row_bytes(after.tensors.find(wanted.role)->second, i));
    });
    if (!is_same) {
      changed.before.push_back(rows[i]);
      changed.after.push_back(i);
    }
  }
  return changed;
}

/// \param asked those of the request that the rows answer \param of where they are in the answer
JudgedRows judge(const Case& judged, const Request& request, std::span<const std::size_t> asked,
                 const Response& answer, std::span<const std::size_t> of) {
  const auto part = with_rows(request, asked);
  const auto positions = integers_of(part.positions);
  AnsweredRows rows{
      {positions.begin(), positions.begin() + static_cast<std::ptrdiff_t>(asked.size())}, {}, part.input};
  if (part.positions.shape().size() > 1) {
    for (auto axis = positions.begin(); axis != positions.end();
         axis += static_cast<std::ptrdiff_t>(asked.size())) {
      rows.positions_by_axis.emplace_back(axis, axis + static_cast<std::ptrdiff_t>(asked.size()));
    }
  }
  for (const auto& wanted : request.wanted) {
    rows.tensors.emplace(wanted.role,
                         with_places(answer.tensors.find(wanted.role)->second, *row_dimension(wanted), of));
  }
  return judge_rows(judged, rows);
}

}  // namespace

bool have_budgets(const Case& judged, const Request& request) {
  const bool has_axes = request.positions.shape().size() > 1;
  const auto& tensors = judged.tensors;
  return std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
    const auto is_wanted = [&](const auto& tensor) { return tensor.role() == wanted.role; };
    if (is_bias(wanted)) {
      return std::ranges::any_of(tensors.all<BiasTensor>(), is_wanted);
    }
    const bool of_axes = has_axes ? std::ranges::any_of(tensors.of_axes(), is_wanted)
                                  : std::ranges::any_of(tensors.all<TableTensor>(), is_wanted) ||
                                        std::ranges::any_of(tensors.scaled(), is_wanted);
    return wanted.shape.size() == 2 &&
           (of_axes || std::ranges::any_of(tensors.all<RotatedTensor>(), [&](const RotatedTensor& vectors) {
              return is_wanted(vectors) && vectors.positions_by_axis.empty() != has_axes;
            }));
  });
}

void RowsAgain::add(const RowsAgain& more) {
  is_conclusive = (is_conclusive || other == 0) && (more.is_conclusive || more.other == 0);
  same += more.same;
  other += more.other;
  greatest_budget_ratio = std::max(greatest_budget_ratio, more.greatest_budget_ratio);
}

RowsAgain answered_again(const LiveSession& session, const Request& request, const Response& before,
                         std::span<const std::size_t> rows, const Response& after) {
  RowsAgain told;
  const auto difference = first_difference(request, before, rows, after);
  if (!difference) {
    told.same = rows.size();
    return told;
  }
  const auto* judged = session.judged_case();
  if (session.requires_bits() || judged == nullptr || !have_budgets(*judged, request)) {
    told.wrong = WrongAgain{*difference};
    return told;
  }
  const auto changed = changed_rows(request, before, rows, after);
  told.other = changed.after.size();
  told.same = rows.size() - told.other;
  const auto then = judge(*judged, request, changed.before, after, changed.after);
  const auto at_first = judge(*judged, request, changed.before, before, changed.before);
  told.greatest_budget_ratio = std::max(then.greatest_budget_ratio, at_first.greatest_budget_ratio);
  told.is_conclusive = then.judged > 0;
  if (const auto& wrong = then.wrong ? then.wrong : at_first.wrong) {
    const auto row = changed.after[wrong->row];
    const auto width = after.tensors.find(wrong->role)->second.shape().back();
    const auto index = wrong->role == "bias" ? wrong->column * width + row : row * width + wrong->column;
    told.wrong = {{wrong->role, row, index}, wrong->budget_ratio, !then.wrong};
  }
  return told;
}

std::string told(const RowsAgain& rows) {
  if (rows.other == 0) {
    return "the same bits in " + counted(rows.same, "row", "rows");
  }
  return fmt::format(
      "bits differ from call to call in {} of {}, within the budget, of which they use at most {}",
      rows.other, counted(rows.rows(), "row", "rows"), percent_text(rows.greatest_budget_ratio));
}

void tell_wrong_again(Check& check, const std::string& what, const Request& request, const Response& before,
                      std::span<const std::size_t> rows, const Response& after, const RowsAgain& again) {
  const auto& wrong = *again.wrong;
  check.status = Status::fail;
  check.counts.failing = 1;
  check.reason = what + " gave other bits";
  if (wrong.budget_ratio > 0) {
    check.greatest_budget_ratio = again.greatest_budget_ratio;
    check.reason += fmt::format(": {} of position {} {}{}", wrong.place.role,
                                position_text_of_row(request, rows[wrong.place.row]),
                                usage_text(wrong.budget_ratio), wrong.was_wrong_at_first ? " at first" : "");
  }
  tell_difference(check, request, before, rows, after, wrong.place);
}

void tell_rows_again(Check& check, const std::string& what, const RowsAgain& rows) {
  check.status = rows.is_conclusive ? Status::pass : Status::inconclusive;
  check.reason = what + ": " + told(rows);
  if (rows.other > 0) {
    check.greatest_budget_ratio = rows.greatest_budget_ratio;
    check.reason = rows.is_conclusive ? check.reason
                                      : what + " gave other bits, and the format is too coarse to judge them";
  }
}

}  // namespace vernier
