#pragma once

#include <optional>
#include <string>

#include "numerics/cost/cost.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// What errors of positions cost, and what was asked beside it.
struct CostReport {
  Cost cost;
  std::string summary;  ///< of the encoding
  /// A KL that somebody measured, of which positions are to explain a part.
  std::optional<double> measured_kl = std::nullopt;
  std::optional<Moves> moves = std::nullopt;
};

/// One sentence: the most that positions explain of a KL, or what they explain in attention that was
/// computed.
std::string cost_sentence(const Cost& cost);
/// What is assumed of queries and keys, as a clause: "queries of norm 11.3 and keys of norm 11.3, ...".
std::string cost_assumptions(const Cost& cost);
/// The cost without what is told by distance and of the sample: the verdict's `cost`.
OrderedJson cost_summary_value(const Cost& cost);
/// The document of `vernier cost --json`.
OrderedJson cost_document(const CostReport& report);
std::string cost_text(const CostReport& report);

}  // namespace vernier
