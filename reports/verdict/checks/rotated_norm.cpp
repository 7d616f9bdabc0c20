#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr int norm_digits = 4;

/// Pairs that the format cannot judge are left out: what becomes of their elements is judged one by one.
void conclude_norms(Check& check, const ElementwiseReport& norms) {
  const auto pairs = counted(norms.elements, "pair", "pairs");
  if (norms.judged == 0) {
    check.reason = fmt::format("the format is too coarse or too narrow to judge any of {}", pairs);
  } else if (norms.failing > 0) {
    check.status = Status::fail;
    check.reason = fmt::format("{} of {} change their norm; the worst {}", norms.failing, pairs,
                               usage_text(norms.worst->budget_ratio));
  } else {
    check.status = Status::pass;
    check.reason = fmt::format("{} keep their norm; the worst {}{}", judged_text(check.counts, pairs),
                               usage_text(norms.worst->budget_ratio), left_out_text(check.counts));
  }
}

Check judged(const RotatedTensor& tensor, const ElementwiseReport& norms) {
  Check check{
      "norm/" + tensor.role(), Status::skipped, "",
      std::string("the norm of every pair is the amplitude") +
          (tensor.rotation.scale ? " and the scale" : "") +
          " times that of the input for any phase, within the errors of the trigonometry and the roundings"};
  check.counts = {norms.elements, norms.judged, norms.failing, norms.inconclusive};
  if (const auto& worst = norms.worst) {
    const auto pair = worst->index % tensor.rotation.pairs.size();
    const auto [first, second] = tensor.rotation.pairs[pair];
    check.greatest_budget_ratio = worst->budget_ratio;
    check.counterexample = described_row(tensor, worst->index / tensor.rotation.pairs.size());
    check.counterexample.emplace_back("pair", std::to_string(pair));
    check.counterexample.emplace_back("dimensions", std::to_string(first) + " and " + std::to_string(second));
    check.counterexample.emplace_back("expected norm",
                                      significant_text(worst->truth.approximately(), norm_digits));
    check.counterexample.emplace_back("norm - expected", significant_text(worst->error, norm_digits));
    check.counterexample.emplace_back("allowed", significant_text(worst->budget, norm_digits));
  }
  conclude_norms(check, norms);
  return check;
}

}  // namespace

void judge_rotated_norm(const AuditedCase& audited, std::vector<Check>& out) {
  for (std::size_t i = 0; i < audited.rotated.size(); ++i) {
    if (audited.subject.tensors.all<RotatedTensor>()[i].rotation.pairs.empty()) {
      continue;  // no norm is kept
    }
    out.push_back(judged(audited.subject.tensors.all<RotatedTensor>()[i], audited.rotated[i].norms));
  }
}

}  // namespace vernier
