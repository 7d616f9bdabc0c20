#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

Described changed_element(const TensorPart& part, std::size_t index) {
  const auto text = [](Format format, double value) {
    return shortest_text(format, value) + " = " + bits_text(format, value);
  };
  std::vector<double> row(part.columns);
  part.read(index / part.columns, row);
  auto result = part.describe(index / part.columns, index % part.columns);
  result.emplace_back("expected", text(*part.input->format(), part.input->number(index)));
  result.emplace_back("got", text(part.format(), row[index % part.columns]));
  return result;
}

Check check_of(const AuditedTensor& tensor) {
  const auto& findings = tensor.findings;
  Check check{"pass-through/" + tensor.part().role, Status::skipped,
              "every dimension belongs to a pair of the rotation",
              "dimensions that do not rotate keep the bits of the input"};
  check.counts = {findings.copies, findings.copies, findings.changed.count, 0};
  if (findings.changed.count > 0) {
    check.status = Status::fail;
    check.reason = fmt::format("{} of {} elements of dimensions that do not rotate differ from the input",
                               findings.changed.count, findings.copies);
    check.counterexample = changed_element(tensor.part(), *findings.changed.first);
  } else if (findings.copies > 0) {
    check.status = Status::pass;
    check.reason =
        fmt::format("all {} elements of dimensions that do not rotate are the input's", findings.copies);
  }
  return check;
}

}  // namespace

void judge_pass_through(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  for (const auto& tensor : audited.tensors) {
    if (tensor.part().input != nullptr) {
      out.push_back(check_of(tensor));
    }
  }
}

}  // namespace vernier
