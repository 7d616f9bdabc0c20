#include "numerics/diagnosis/stages/frequencies/scaling_spec.hpp"

namespace vernier {

OrderedJson scaling_of(const Clues& clues) {
  const auto spec = clues.suspect.encoding().spec();
  return spec.contains("rope_scaling") ? spec.at("rope_scaling") : OrderedJson(nullptr);
}

std::optional<double> number_at(const OrderedJson& object, const char* key) {
  return object.contains(key) && object.at(key).is_number() ? std::optional(object.at(key).get<double>())
                                                            : std::nullopt;
}

std::optional<Computation> unscaled(const Clues& clues) {
  auto result =
      scaling_of(clues).is_null() ? std::nullopt : clues.suspect.declared_by(removal("rope_scaling"));
  return result && result->tones.size() == clues.base.tones.size() ? std::move(result) : std::nullopt;
}

void propose_rescaled(const Clues& clues, const FaultKind& kind, const std::string& sentence, double bits,
                      const OrderedJson& patch, Proposals& out) {
  propose_frequencies(clues, kind, sentence, bits, patch, out, true);
  if (!out.empty() && out.back().finding.sentence == sentence &&
      out.back().computation.amplitude != clues.base.amplitude) {
    propose_frequencies(clues, kind, sentence + ", with the declared amplitude", bits + 2, patch, out);
  }
}

}  // namespace vernier
