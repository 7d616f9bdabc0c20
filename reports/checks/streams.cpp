#include "reports/checks/checks.hpp"
#include "reports/checks/elements.hpp"

namespace vernier {
namespace {

void judge_streams(const AuditedCase& audited, std::vector<Check>& out) {
  const auto& streams = audited.subject.streams;
  for (const auto& tensor : audited.subject.streamed) {
    if (tensor.tensor.elements() == 0) {
      continue;
    }
    const auto place = [&](std::size_t index) -> Described {
      const auto row = index / tensor.columns();
      const auto column = index % tensor.columns();
      auto text = described(row_place(audited.subject.leading, tensor.rows(), row));
      text.emplace_back("positions", positions_text(streams, row));
      text.emplace_back("column", std::to_string(column));
      text.emplace_back("turns by the position of the stream", std::to_string(tensor.table.streams[column]));
      return text;
    };
    out.push_back(elementwise_check("streams/" + tensor.role(), *tensor.contract, tensor.stored(),
                                    audit_streamed(tensor, streams), place));
  }
}

}  // namespace

CheckKind streams_check() {
  return {"streams/<role>",
          "Every element of a table whose rows have several positions (time, height, width) lies within its "
          "budget around the truth. Axes that are exchanged, sections in another order, pairs that turn by "
          "another position and frequencies that restart in each section fail here, and show only where the "
          "positions of a row differ.",
          "P. Wang et al., \"Qwen2-VL\", 2024, and the sources of the readings that the scheme names; the "
          "budget is derived in numerics/errors/budget.hpp",
          judge_streams};
}

}  // namespace vernier
