#include <algorithm>

#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

Check check_of(const AuditedTensor& tensor, std::int64_t padding, std::string_view scheme) {
  const auto& part = tensor.part();
  const auto& rows = tensor.view->rows;
  const auto position = rows.text(0, padding);
  Check check{"property/" + std::string(scheme) + "/padding-row", Status::skipped,
              "no row is of the padding position " + position,
              "the row of the padding position is zero, as padding_idx says"};
  std::vector<double> numbers(part.columns);
  for (std::size_t row = 0; row < part.rows; ++row) {
    if (rows.source.positions[row] != padding) {
      continue;
    }
    part.read(row, numbers);
    const auto bad = part.columns - static_cast<std::uint64_t>(std::ranges::count(numbers, 0.0));
    check.counts.elements += part.columns;
    check.counts.judged += part.columns;
    check.counts.failing += bad;
    if (bad > 0 && check.status != Status::fail) {
      check.status = Status::fail;
      const auto place = to_string(row_place(rows.leading, part.rows, row));
      check.reason = fmt::format("row {} (position {}) has {}", place, position,
                                 counted(bad, "element that is not zero", "elements that are not zero"));
      check.counterexample = {{"row", place}, {"position", position}};
    } else if (bad == 0 && check.status == Status::skipped) {
      check.status = Status::pass;
      check.reason = fmt::format("the row of position {} is zero", position);
    }
  }
  return check;
}

}  // namespace

void judge_padding_row(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  for (const auto& tensor : audited.tensors) {
    const auto* sines = tensor.part().sines;
    if (sines != nullptr && sines->zero_position) {
      out.push_back(check_of(tensor, *sines->zero_position, audited.subject.encoding->scheme()));
    }
  }
}

}  // namespace vernier
