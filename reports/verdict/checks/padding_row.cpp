#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// The columns of a row that are not zero.
std::uint64_t nonzero_columns(const TableTensor& tensor, std::size_t row) {
  std::uint64_t count = 0;
  for (std::size_t c = 0; c < tensor.columns(); ++c) {
    count += tensor.at(row, c) == 0 ? 0 : 1;
  }
  return count;
}

}  // namespace

void judge_padding_row(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  const auto& subject = audited.subject;
  for (const auto& tensor : subject.tensors.all<TableTensor>()) {
    const auto padding = tensor.table.zero_position;
    if (!padding) {
      continue;
    }
    const auto position = tensor.table.positions.text(*padding);
    Check check{"property/" + std::string(subject.encoding->scheme()) + "/padding-row", Status::skipped,
                "no row is of the padding position " + position,
                "the row of the padding position is zero, as padding_idx says"};
    for (std::size_t r = 0; r < tensor.rows(); ++r) {
      if (subject.positions[r] != *padding) {
        continue;
      }
      const auto bad = nonzero_columns(tensor, r);
      check.counts.elements += tensor.columns();
      check.counts.judged += tensor.columns();
      check.counts.failing += bad;
      if (bad > 0 && check.status != Status::fail) {
        check.status = Status::fail;
        const auto place = row_place(subject.leading, tensor.rows(), r);
        check.reason = fmt::format("row {} (position {}) has {}", to_string(place), position,
                                   counted(bad, "element that is not zero", "elements that are not zero"));
        check.counterexample = {{"row", to_string(place)}, {"position", position}};
      } else if (bad == 0 && check.status == Status::skipped) {
        check.status = Status::pass;
        check.reason = fmt::format("the row of position {} is zero", position);
      }
    }
    out.push_back(std::move(check));
  }
}

}  // namespace vernier
