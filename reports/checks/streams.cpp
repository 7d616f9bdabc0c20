#include "reports/checks/checks.hpp"
#include "reports/checks/elements.hpp"

namespace vernier {
namespace {

std::vector<std::pair<std::string, std::string>> told(const StreamedTensor& tensor,
                                                      const JudgedElement& element,
                                                      std::span<const std::vector<std::int64_t>> streams) {
  const auto row = element.index / tensor.columns();
  const auto column = element.index % tensor.columns();
  std::string positions;
  for (const auto& stream : streams) {
    positions += (positions.empty() ? "" : ", ") + std::to_string(stream[row]);
  }
  std::vector<std::pair<std::string, std::string>> text{
      {"row", std::to_string(row)},
      {"positions", positions},
      {"column", std::to_string(column)},
      {"turns by the position of the stream", std::to_string(tensor.table.streams[column])}};
  tell(element, tensor.stored(), text);
  return text;
}

void judge(const AuditedCase& audited, std::vector<Check>& out) {
  for (const auto& tensor : audited.subject.streamed) {
    if (tensor.tensor.elements() == 0) {
      continue;
    }
    const auto& streams = audited.subject.streams;
    const auto report = audit_streamed(tensor, streams);
    Check check{"streams/" + tensor.role()};
    check.required = "every element within the budget of the contract " + std::string(tensor.contract->id) +
                     " (" + std::string(tensor.contract->meaning) +
                     "): " + std::string(tensor.contract->budget);
    if (const auto& shown = report.failing > 0 ? report.first_failing : report.worst) {
      check.counterexample = told(tensor, *shown, streams);
    }
    conclude(check, report);
    out.push_back(std::move(check));
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
          "budget is derived in numerics/budget.hpp",
          judge};
}

}  // namespace vernier
