#include "numerics/tensors/engine_forms.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"

namespace vernier {
namespace {

Described place_of(const BiasTensor& bias, std::size_t index, std::span<const std::int64_t> keys) {
  const auto row = index / bias.keys();
  const auto what = bias.table.role == frequencies_role ? "pair" : "head";
  Described text{{what, std::to_string(row / bias.queries())}};
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

void judge_slopes(const AuditedCase& audited, std::vector<Check>& out) {
  judge_biases(audited, "slopes", out);
}

void judge_frequencies(const AuditedCase& audited, std::vector<Check>& out) {
  judge_biases(audited, frequencies_role, out);
}

void judge_bias(const AuditedCase& audited, std::vector<Check>& out) {
  judge_biases(audited, "bias", out);
}

}  // namespace vernier
