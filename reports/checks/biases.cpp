#include "reports/checks/checks.hpp"
#include "reports/checks/elements.hpp"

namespace vernier {
namespace {

Described place_of(const BiasTensor& bias, std::size_t index, std::span<const std::int64_t> keys) {
  const auto row = index / bias.keys();
  Described text{{"head", std::to_string(row / bias.queries())}};
  if (bias.table.factor != BiasTable::Factor::one) {
    const auto key = index % bias.keys();
    text.emplace_back("query", std::to_string(row % bias.queries()));
    text.emplace_back("key", std::to_string(key));
    text.emplace_back("key position", std::to_string(keys[key]));
  }
  return text;
}

void judge_biases(const AuditedCase& audited, std::string_view role, std::vector<Check>& out) {
  const auto& keys = audited.subject.positions;
  for (const auto& bias : audited.subject.tensors.all<BiasTensor>()) {
    if (bias.table.role == role && bias.tensor.elements() > 0) {
      out.push_back(elementwise_check("accuracy/" + bias.table.role, *bias.contract, bias.stored(),
                                      audit_elements(bias, keys),
                                      [&](std::size_t index) { return place_of(bias, index, keys); }));
    }
  }
}

}  // namespace

CheckKind slopes_check() {
  return {
      "accuracy/slopes",
      "Every head's slope lies within its budget around the true power of two, or every head's decay around "
      "the rate of its rule. Heads in another order, or the plain geometric sequence where the number of "
      "heads "
      "is no power of two, fail here.",
      "O. Press et al. 2022 and their code; the budget is derived in numerics/errors/bias_budget.hpp, that "
      "of "
      "a decay beside its scheme",
      [](const AuditedCase& audited, std::vector<Check>& out) { judge_biases(audited, "slopes", out); }};
}

CheckKind bias_check() {
  return {
      "accuracy/bias",
      "Every bias lies within its budget around the slope times the position or distance that the spec "
      "names, or around the function of the distance that it names. A wrong sign, origin or slope fails "
      "here.",
      "O. Press et al. 2022 and their code; the budget is derived in numerics/errors/bias_budget.hpp, that "
      "of a function of the distance beside its scheme",
      [](const AuditedCase& audited, std::vector<Check>& out) { judge_biases(audited, "bias", out); }};
}

}  // namespace vernier
