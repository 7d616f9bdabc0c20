#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

void describe(Check& check, const RotatedTensor& tensor, std::size_t index) {
  const auto text = [&](const Tensor& of) {
    const double value = of.number(index);
    return shortest_text(*of.format(), value) + " = " + bits_text(*of.format(), value);
  };
  check.counterexample = described(tensor, index);
  check.counterexample.emplace_back("expected", text(tensor.input));
  check.counterexample.emplace_back("got", text(tensor.rotated));
}

Check judged(const RotatedTensor& tensor, const RotatedReport& report) {
  Check check{"pass-through/" + tensor.role(), Status::skipped,
              "every dimension belongs to a pair of the rotation",
              "dimensions that do not rotate keep the bits of the input"};
  check.counts = {report.passed_through, report.passed_through, report.changed.count, 0};
  const auto elements = std::to_string(report.passed_through);
  if (report.changed.count > 0) {
    check.status = Status::fail;
    check.reason = fmt::format("{} of {} elements of dimensions that do not rotate differ from the input",
                               report.changed.count, elements);
    describe(check, tensor, *report.changed.first);
  } else if (report.passed_through > 0) {
    check.status = Status::pass;
    check.reason = fmt::format("all {} elements of dimensions that do not rotate are the input's", elements);
  }
  return check;
}

}  // namespace

void judge_pass_through(const AuditedCase& audited, std::vector<Check>& out) {
  for (std::size_t i = 0; i < audited.rotated.size(); ++i) {
    out.push_back(judged(audited.subject.tensors.all<RotatedTensor>()[i], audited.rotated[i]));
  }
}

}  // namespace vernier
