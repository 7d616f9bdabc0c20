#include "reports/verdict/live/judged_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/core.h>

#include "numerics/processes/rows.hpp"
#include "numerics/views/case_views.hpp"
#include "numerics/views/view_audit.hpp"

namespace vernier {
namespace {

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

/// \name A tensor of a case with the answer in place of its own
/// Nothing of what rows do not say: of vectors by other axes, and of counts, of which bits are required.
/// @{
template <class Stored>
std::optional<Stored> with_answer(Stored tensor, const Tensor& answer, const AnsweredRows& /*placed*/) {
  if constexpr (requires { tensor.tensor; }) {
    tensor.tensor = answer;
    tensor.overflow = Overflow::undeclared;
    return tensor;
  }
  return std::nullopt;
}
std::optional<RotatedTensor> with_answer(const RotatedTensor& vectors, const Tensor& answer,
                                         const AnsweredRows& placed) {
  if (!placed.input || vectors.positions_by_axis.size() != placed.positions_by_axis.size()) {
    return std::nullopt;
  }
  return RotatedTensor{vectors.rotation,         *placed.input,       answer,
                       vectors.contract,         placed.positions,    {},
                       placed.positions_by_axis, vectors.quantization};
}
/// @}

void append_findings(JudgedRows& judged, const CaseView& viewed, const ViewFindings& findings) {
  const auto append_wrong = [&](const TensorPart& part, std::size_t row, std::size_t column, double ratio) {
    const bool has_keys = viewed.has_keys();
    judged.wrong = judged.wrong
                       ? judged.wrong
                       : WrongElement{part.role, has_keys ? column : row, has_keys ? row : column, ratio};
  };
  for (std::size_t i = 0; i < findings.parts.size(); ++i) {
    const auto& part = viewed.view.parts()[i];
    const auto& [elements, copies, changed, non_finite, may_overflow, extent, audit] = findings.parts[i];
    judged.judged += elements.judged;
    if (elements.worst) {
      judged.greatest_budget_ratio = std::max(judged.greatest_budget_ratio, elements.worst->budget_ratio);
    }
    if (const auto& first = elements.first_failing) {
      append_wrong(part, first->index / part.columns, first->index % part.columns, first->budget_ratio);
    }
    if (const auto first = changed.first) {
      append_wrong(part, *first / part.columns, *first % part.columns,
                   std::numeric_limits<double>::infinity());
    }
  }
  if (findings.norms && findings.norms->failing > 0) {
    const auto& worst = *findings.norms->worst;
    const auto& place = *viewed.view.layout().points[worst.point].real;
    append_wrong(viewed.view.parts()[place.part], worst.row, place.column, worst.budget_ratio);
  }
}

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
  const auto placed = at_places(judged, answered);
  CaseTensors tensors;
  judged.tensors.for_each([&](const auto& tensor) {
    const auto answer = answered.tensors.find(tensor.role());
    if (answer == answered.tensors.end()) {
      return;
    }
    if (auto judged_answer = with_answer(tensor, answer->second, placed)) {
      tensors.add(*std::move(judged_answer));
    }
  });
  PlacedRows rows{{.positions = placed.positions, .by_axis = placed.positions_by_axis}};
  if (const auto* axes = judged.encoding->axes(); axes != nullptr && !answered.positions_by_axis.empty()) {
    rows.source.zero_rows = axes->zero_rows(answered.positions_by_axis);
  }
  JudgedRows result;
  for (const auto& viewed : views_of(tensors, rows)) {
    append_findings(result, viewed, audited(viewed.view, 1, viewed.view.parts().front().input != nullptr));
  }
  return result;
}

const RotatedTensor* rotated_vectors(const Case& judged, const Request& request) {
  const auto& stored = judged.tensors.all<RotatedTensor>();
  const auto found = std::ranges::find_if(stored, [&](const RotatedTensor& vectors) {
    return vectors.role() == request.wanted.front().role && vectors.positions_by_axis.empty();
  });
  return found == stored.end() ? nullptr : &*found;
}

bool have_budgets(const Case& judged, const Request& request) {
  const bool has_axes = request.positions.shape().size() > 1;
  const auto views = views_of(judged);
  return std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
    return std::ranges::any_of(views, [&](const CaseView& viewed) {
      const bool fits = wanted.shape.size() == 2 && viewed.rows.source.by_axis.empty() != has_axes;
      return (viewed.has_keys() || fits) &&
             std::ranges::any_of(viewed.view.parts(), [&](const TensorPart& part) {
               return part.role == wanted.role && (part.has_pairs || wanted.role == "bias");
             });
    });
  });
}

std::string rule_of_held_rows(const Request& whole, const Response& whole_answer, const Request& request,
                              const Response& answer) {
  if (request.input || !rows_stand_alone(request) || rows_of(request) < least_rows_of_rule) {
    return "";
  }
  const auto asked = integers_of(request.positions);
  const auto first = *whole.positions.integer(0);
  const auto number_of_one = static_cast<std::int64_t>(1 / position_unit_of(request));
  const std::vector<Rule> rules{
      {fmt::format("row r holds position {}, not the one asked for",
                   first == 0 ? "r" : position_text(request, first) + " + r"),
       first, number_of_one},
      {"rows count on from the first position and ignore the others", asked.front(), number_of_one},
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
