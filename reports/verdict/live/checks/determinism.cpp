#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include <fmt/core.h>

#include "reports/verdict/live/judged_rows.hpp"
#include "reports/verdict/live/live_check.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// As often as a path that is compiled anew shows, and a race that is not rare.
constexpr int most_repetitions = 10;
/// Frameworks give elements to several threads from some tens of thousands on.
constexpr std::size_t raced_rows = 2048;

/// What became of rows that were answered twice, where none is wrong.
struct RowsAgain {
  std::uint64_t same = 0;            ///< have the bits that they had
  std::uint64_t other = 0;           ///< have other bits, and none of both answers is beyond its budget
  double greatest_budget_ratio = 0;  ///< of both answers of rows that have other bits
  bool is_conclusive = true;         ///< whether the format is fine enough to judge any of these
};

/// Where two answers about the same rows differ.
struct Difference {
  std::string role;
  std::size_t row;
  std::size_t index;  ///< of the element within the later answer
};

const Tensor& tensor_of(const Response& response, const WantedTensor& wanted) {
  return response.tensors.find(wanted.role)->second;
}

/// The part of the first answer that one about its first rows should equal.
Tensor expected_part(const WantedTensor& wanted, const Response& before, std::size_t rows) {
  const auto& tensor = tensor_of(before, wanted);
  const auto dimension = row_dimension(wanted);
  return dimension && rows != tensor.shape()[*dimension]
             ? with_places(tensor, *dimension, consecutive_rows(rows))
             : tensor;
}

/// The row that an element of a wanted tensor belongs to.
std::size_t row_of_element(const WantedTensor& wanted, const Shape& shape, std::size_t index) {
  const auto dimension = *row_dimension(wanted);
  const auto inner = std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, shape.end(),
                                     std::size_t{1}, std::multiplies{});
  return index / inner % shape[dimension];
}

/// The first element that has other bits than it had.
std::optional<Difference> first_difference(const Asked& asked, std::size_t rows, const Response& again) {
  for (const auto& wanted : asked.request.wanted) {
    const auto expected = expected_part(wanted, asked.response, rows);
    const auto& got = tensor_of(again, wanted);
    if (std::memcmp(expected.bytes().data(), got.bytes().data(), got.bytes().size()) == 0) {
      continue;
    }
    const auto first = std::ranges::mismatch(expected.bytes(), got.bytes()).in1;
    const auto byte = static_cast<std::size_t>(first - expected.bytes().begin());
    const auto index = byte / traits(got.type()).bytes;
    return Difference{wanted.role, row_dimension(wanted) ? row_of_element(wanted, got.shape(), index) : 0,
                      index};
  }
  return std::nullopt;
}

/// Rows that differ; of biases all, as where a key stands among others is a part of what its bias is.
std::vector<std::size_t> changed_rows(const Asked& asked, std::size_t rows, const Response& again) {
  auto changed = consecutive_rows(rows);
  std::erase_if(changed, [&](std::size_t row) {
    return std::ranges::all_of(asked.request.wanted, [&](const WantedTensor& wanted) {
      return wanted.role != "bias" && std::ranges::equal(row_bytes(tensor_of(asked.response, wanted), row),
                                                         row_bytes(tensor_of(again, wanted), row));
    });
  });
  return changed;
}

std::string element_text(const Tensor& tensor, std::size_t index) {
  if (!tensor.format()) {
    return std::to_string(tensor.integer(index).value_or(0));
  }
  const auto value = tensor.number(index);
  return shortest_text(*tensor.format(), value) + " = " + bits_text(*tensor.format(), value);
}

/// A counterexample: role, position, column, both values in decimal and bits.
void tell_difference(Check& check, const Asked& asked, std::size_t rows, const Response& again,
                     const Difference& difference) {
  const auto wanted = std::ranges::find(asked.request.wanted, difference.role, &WantedTensor::role);
  const auto& got = tensor_of(again, *wanted);
  check.counterexample.emplace_back("tensor", difference.role);
  if (row_dimension(*wanted)) {
    check.counterexample.emplace_back("position", position_text_of_row(asked.request, difference.row));
  }
  check.counterexample.emplace_back("column", std::to_string(difference.index % got.shape().back()));
  check.counterexample.emplace_back(
      "at first", element_text(expected_part(*wanted, asked.response, rows), difference.index));
  check.counterexample.emplace_back("then", element_text(got, difference.index));
}

/// The rule on rows that are answered twice. Equal bits are right. So are others where the contract gives the
/// role a budget and both answers are within it: an honest engine may compile a faster path meanwhile, or
/// take another one for a single token. Of copies, counts and slopes bits are required; of everything, where
/// the session requires them.
/// \return whether all rows were answered as before, or others within their budget
bool ask_again(LiveSession& session, const Asked& asked, std::size_t rows, Check& check,
               RowsAgain& repeated) {
  const auto call = "a further call with the same question (" + asked.roles + ")";
  const auto request = with_rows(asked.request, consecutive_rows(rows));
  const auto again = session.ask(request);
  if (!again.is_answered()) {
    tell_missing_answer(check, call, again);
    return false;
  }
  check.counts.elements += rows;
  check.counts.judged += rows;
  const auto difference = first_difference(asked, rows, again);
  if (!difference) {
    repeated.same += rows;
    return true;
  }
  const auto fail = [&](const Difference& where, const std::string& how) {
    check.status = Status::fail;
    check.counts.failing = 1;
    check.reason = call + " gave other bits" + how;
    check.finding = rule_of_held_rows(asked.request, asked.response, request, again);
    tell_difference(check, asked, rows, again, where);
    return false;
  };
  const auto* judged = session.judged_case();
  if (session.requires_bits() || judged == nullptr || !have_budgets(*judged, asked.request)) {
    return fail(*difference, "");
  }
  const auto changed = changed_rows(asked, rows, again);
  const auto judge = [&](const Response& answer) {
    return judge_rows(*judged, answered_rows(asked.request, answer, changed));
  };
  const auto then = judge(again), at_first = judge(asked.response);
  const auto greatest = std::max(then.greatest_budget_ratio, at_first.greatest_budget_ratio);
  if (const auto& wrong = then.wrong ? then.wrong : at_first.wrong) {
    const auto row = changed[wrong->row];
    const auto width = again.tensors.find(wrong->role)->second.shape().back();
    const auto index = wrong->role == "bias" ? wrong->column * width + row : row * width + wrong->column;
    check.greatest_budget_ratio = greatest;
    return fail({wrong->role, row, index},
                fmt::format(": {} of position {} {}{}", wrong->role, position_text_of_row(asked.request, row),
                            usage_text(wrong->budget_ratio), then.wrong ? "" : " at first"));
  }
  repeated.same += rows - changed.size();
  repeated.other += changed.size();
  repeated.greatest_budget_ratio = std::max(repeated.greatest_budget_ratio, greatest);
  repeated.is_conclusive = repeated.is_conclusive && then.judged > 0;
  return true;
}

/// It passes, or is inconclusive where nothing of what changed could be judged.
void conclude(Check& check, const RowsAgain& repeated) {
  const std::string call = "the same question again";
  const auto rows = repeated.same + repeated.other;
  check.status = repeated.is_conclusive ? Status::pass : Status::inconclusive;
  if (repeated.other == 0) {
    check.reason = fmt::format("{}: the same bits in {}", call, counted(rows, "row", "rows"));
    return;
  }
  check.greatest_budget_ratio = repeated.greatest_budget_ratio;
  check.reason =
      repeated.is_conclusive
          ? fmt::format(
                "{}: bits differ from call to call in {} of {}, within the budget, of which they use "
                "at most {}",
                call, repeated.other, counted(rows, "row", "rows"),
                percent_text(repeated.greatest_budget_ratio))
          : call + " gave other bits, and the format is too coarse to judge them";
}

}  // namespace

void judge_determinism(LiveSession& session, std::vector<Check>& out) {
  auto& check =
      out.emplace_back(live_check("effects/determinism", "nothing was answered that could be compared"));
  RowsAgain rows_again;
  for (const auto& asked : session.asked()) {
    const auto rows = asked.answered() ? rows_of(asked.request) : 0;
    const auto repeated = rows_stand_alone(session, asked) ? std::min(rows, raced_rows) : rows;
    const bool is_costly = session.implementation().costs_a_process();
    const auto times = rows == 0 ? 0 : is_costly || repeated > raced_rows ? 1 : most_repetitions;
    for (int i = 0; i < times; ++i) {
      if (!ask_again(session, asked, i == 0 ? rows : repeated, check, rows_again)) {
        check.values_vary = check.status == Status::fail;
        return;
      }
    }
  }
  if (rows_again.same + rows_again.other > 0) {
    conclude(check, rows_again);
  }
}

}  // namespace vernier
