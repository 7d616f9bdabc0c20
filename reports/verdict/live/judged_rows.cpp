#include "reports/verdict/live/judged_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/core.h>

#include "numerics/processes/rows.hpp"

namespace vernier {
namespace {

void tell(JudgedRows& told, WrongElement wrong) {
  if (!told.wrong) {
    told.wrong = std::move(wrong);
  }
}

/// \param width of the rows of the elements that the report is about
void tell(JudgedRows& told, const ElementwiseReport& report, const std::string& role, std::size_t width) {
  told.judged += report.judged;
  if (report.worst) {
    told.greatest_budget_ratio = std::max(told.greatest_budget_ratio, report.worst->budget_ratio);
  }
  if (const auto& first = report.first_failing) {
    tell(told, {role, first->index / width, first->index % width, first->budget_ratio});
  }
}

/// The same rows at the places of their positions (position_map.hpp).
AnsweredRows at_places(const Case& judged, AnsweredRows rows) {
  const auto make = [&](std::vector<std::int64_t>& positions, std::size_t axis) {
    const auto& map = judged.encoding->positions_along(axis);
    if (!map.is_plain()) {
      std::ranges::transform(positions, positions.begin(),
                             [&](auto position) { return map.place(position); });
    }
  };
  make(rows.positions, 0);
  for (std::size_t axis = 0; axis < rows.positions_by_axis.size(); ++axis) {
    make(rows.positions_by_axis[axis], axis);
  }
  return rows;
}

/// Rows that are judged, as they were asked for and at their places.
struct PlacedRows {
  const AnsweredRows& asked;
  AnsweredRows placed;
};

void judge_answered(const TableTensor& table, const PlacedRows& rows, const Tensor& answer,
                    JudgedRows& told) {
  const TableTensor tensor{table.table, answer, table.contract};
  const auto report = audit_tensor(tensor, tensor.table, rows.placed.positions);
  told.judged += report.judged;
  if (report.worst) {
    told.greatest_budget_ratio = std::max(told.greatest_budget_ratio, report.worst->budget_ratio);
  }
  if (const auto& first = report.first_failing) {
    tell(told, {table.role(), static_cast<std::size_t>(first->place.row), first->place.column,
                first->budget_ratio});
  }
}

void judge_answered(const ExactTensor& values, const PlacedRows& rows, const Tensor& answer,
                    JudgedRows& told) {
  const ExactTensor tensor{values.table, answer, values.contract};
  tell(told, audit_elements(tensor, {.positions = rows.placed.positions}), tensor.role(), tensor.columns());
}

void judge_answered(const TurnedTensor& turned, const PlacedRows& rows, const Tensor& answer,
                    JudgedRows& told) {
  SourceRows of_table{.positions = rows.placed.positions, .by_axis = rows.placed.positions_by_axis};
  if (const auto& axes = turned.table.axes) {
    of_table.zero_rows = axes->positions.zero_rows(rows.asked.positions_by_axis);
  }
  const TurnedTensor tensor{turned.table, answer, turned.contract};
  tell(told, audit_elements(tensor, of_table), tensor.role(), tensor.columns());
}

void judge_answered(const BiasTensor& bias, const PlacedRows& rows, const Tensor& answer, JudgedRows& told) {
  const BiasTensor tensor{{bias.table, answer, bias.contract}};
  const auto report = audit_elements(tensor, rows.placed.positions);
  tell(told, report, bias.role(), tensor.keys());
  if (report.first_failing && told.wrong->role == bias.role()) {
    std::swap(told.wrong->row, told.wrong->column);
  }
}

void judge_answered(const RotatedTensor& main, const PlacedRows& rows, const Tensor& answer,
                    JudgedRows& told) {
  const auto& placed = rows.placed;
  if (!placed.input || main.positions_by_axis.size() != placed.positions_by_axis.size()) {
    return;
  }
  const RotatedTensor tensor{
      main.rotation,    *placed.input, answer, main.contract, placed.positions, {}, placed.positions_by_axis,
      main.quantization};
  const auto report = audit_rotated(tensor);
  const auto width = tensor.head_dim();
  tell(told, report.elements, tensor.role(), width);
  if (const auto& first = report.changed.first) {
    tell(told, {tensor.role(), *first / width, *first % width, std::numeric_limits<double>::infinity()});
  }
  const auto& pairs = tensor.rotation.pairs;
  if (const auto& first = report.norms.first_failing) {
    tell(told, {tensor.role(), first->index / pairs.size(), pairs[first->index % pairs.size()].first,
                first->budget_ratio});
  }
}

/// Of counts bits are required, which are not judged here.
void judge_answered(const BucketTensor& /*buckets*/, const PlacedRows& /*rows*/, const Tensor& /*answer*/,
                    JudgedRows& /*told*/) {}

/// Of fewer rows, as use/lengths asks for them, several rules hold at once.
constexpr std::size_t least_rows_of_rule = 4;

struct Rule {
  std::string words;
  std::int64_t first;  ///< the position of row 0
  std::int64_t step;   ///< from row to row

  std::int64_t held(std::size_t row) const { return first + static_cast<std::int64_t>(row) * step; }
};

}  // namespace

AnsweredRows answered_rows(const Request& request, const Response& answer,
                           std::span<const std::size_t> rows) {
  const auto part = with_rows(request, rows);
  const auto positions = integers_of(part.positions);
  const auto count = static_cast<std::ptrdiff_t>(rows.size());
  AnsweredRows result{{positions.begin(), positions.begin() + count}, {}, part.input};
  if (part.positions.shape().size() > 1) {
    for (auto axis = positions.begin(); axis != positions.end(); axis += count) {
      result.positions_by_axis.emplace_back(axis, axis + count);
    }
  }
  for (const auto& wanted : request.wanted) {
    result.tensors.emplace(
        wanted.role, with_places(answer.tensors.find(wanted.role)->second, *row_dimension(wanted), rows));
  }
  return result;
}

JudgedRows judge_rows(const Case& judged, const AnsweredRows& answered) {
  const PlacedRows rows{answered, at_places(judged, answered)};
  JudgedRows told;
  judged.tensors.for_each([&](const auto& tensor) {
    if (const auto answer = answered.tensors.find(tensor.role()); answer != answered.tensors.end()) {
      judge_answered(tensor, rows, answer->second, told);
    }
  });
  return told;
}

const RotatedTensor* rotated_vectors(const Case& judged, const Request& request) {
  const auto& all = judged.tensors.all<RotatedTensor>();
  const auto found = std::ranges::find_if(all, [&](const RotatedTensor& vectors) {
    return vectors.role() == request.wanted.front().role && vectors.positions_by_axis.empty();
  });
  return found == all.end() ? nullptr : &*found;
}

bool have_budgets(const Case& judged, const Request& request) {
  const bool has_axes = request.positions.shape().size() > 1;
  const auto& tensors = judged.tensors;
  return std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
    const auto is_wanted = [&](const auto& tensor) { return tensor.role() == wanted.role; };
    if (wanted.role == "bias") {
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

std::string rule_of_held_rows(const Request& whole, const Response& whole_answer, const Request& request,
                              const Response& answer) {
  if (request.input || !rows_stand_alone(request) || rows_of(request) < least_rows_of_rule) {
    return "";
  }
  const auto asked = integers_of(request.positions);
  const auto first = *whole.positions.integer(0);
  const auto one = static_cast<std::int64_t>(1 / position_unit_of(request));
  const std::vector<Rule> rules{
      {fmt::format("row r holds position {}, not the one asked for",
                   first == 0 ? "r" : position_text(request, first) + " + r"),
       first, one},
      {"rows count on from the first position and ignore the others", asked.front(), one},
      {"all rows hold the first position that is asked for", asked.front(), 0},
      {"all rows hold the last position that is asked for", asked.back(), 0}};
  const auto has_row_of = [&](std::size_t row, std::size_t place) {
    return std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
      return std::ranges::equal(row_bytes(answer.tensors.find(wanted.role)->second, row),
                                row_bytes(whole_answer.tensors.find(wanted.role)->second, place));
    });
  };
  const auto is_obeyed = [&](const Rule& rule) {
    std::size_t told_apart = 0;
    for (std::size_t row = 0; row < asked.size(); ++row) {
      const auto place = row_at(whole, rule.held(row));
      if (!place) {
        continue;
      }
      if (!has_row_of(row, *place)) {
        return false;
      }
      const auto own = row_at(whole, asked[row]);
      told_apart += own && has_row_of(row, *own) ? 0 : 1;
    }
    return told_apart >= least_rows_of_rule;
  };
  const auto obeyed = std::ranges::find_if(rules, is_obeyed);
  return obeyed == rules.end() ? "" : obeyed->words;
}

}  // namespace vernier
