#include <fmt/core.h>

#include "numerics/diagnosis/scaled/growth_model.hpp"
#include "numerics/diagnosis/scaled_diagnosis.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

Diagnosis diagnosed(const GrowthSubject& subject, std::string roles) {
  Diagnosis diagnosis{.roles = std::move(roles)};
  const auto declared = subject.predict({});
  if (declared.failing == 0) {
    return diagnosis;
  }
  const ModelChecks<GrowthModel> checks{
      [&](const GrowthModel& model) { return subject.failing_share(model) == 0; },
      [&](const GrowthModel& model) { return subject.failing_share(model); },
      [&](const GrowthModel& model) { return subject.predict(model); }, declared.failing};
  auto result = search_edits(GrowthModel{}, growth_edits(subject), checks);
  diagnosis.searched = result.searched;
  diagnosis.explanations = std::move(result.explanations);
  if (!diagnosis.is_explained()) {
    diagnosis.rest = fmt::format("{} of {} elements fail.", declared.failing, declared.elements);
  }
  return diagnosis;
}

}  // namespace

Diagnosis diagnose_scaled_tables(std::span<const ScaledTensor> tables,
                                 std::span<const std::int64_t> positions, const Encoding& encoding) {
  return diagnosed(GrowthSubject(tables, positions, encoding),
                   joined(
                       tables, [](const ScaledTensor& table) { return table.role(); }, ", "));
}

Diagnosis diagnose_scaled_vectors(const RotatedTensor& vectors, const Encoding& encoding, unsigned threads) {
  return diagnosed(GrowthSubject(vectors, encoding, threads), vectors.role());
}

}  // namespace vernier
