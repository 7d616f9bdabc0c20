#include <array>
#include <string>
#include <utility>

#include "props/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/matrix/models/trig_code.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// |p_t| of the paper's encoding, from its entries.
Interval encoding_norm(std::int64_t d) {
  const auto row = TrigCode(SinusoidalSpec{.d_model = d}.table()).code(17);
  Interval sum = 0;
  for (const auto& element : row) {
    sum += element * element;
  }
  return sqrt(sum);
}

/// "The embedding is multiplied by sqrt(d_model)": how large the encoding is beside it. Norms of embeddings
/// are root mean squares: the mean of |x|^2 over d independent elements of variance v is d v.
EvidenceResult by_root_of_width() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  constexpr std::array<std::pair<std::int64_t, const char*>, 2> cases{{{64, "0.0884"}, {512, "0.03125"}}};
  for (const auto& [d, stated] : cases) {
    const Interval embedding = sqrt(enclose(d));  // variance 1
    const Interval ratio = encoding_norm(d) / (sqrt(enclose(d)) * embedding);
    facts.add(rounds_to_decimal(ratio, stated) && contains_zero(ratio - 1 / sqrt(enclose(2 * d))),
              "d = {}, elements of variance 1: after the factor sqrt(d) the encoding's norm is "
              "{} of the embedding's, 1/sqrt(2d)",
              d, digits(ratio, 4));
    facts.add(rounds_to_decimal(encoding_norm(d) / embedding, "0.7071"),
              "without the factor it is 0.7071 of it");
    const Interval narrow_embedding = 1;  // variance 1/d
    facts.add(rounds_to_decimal(encoding_norm(d) / (sqrt(enclose(d)) * narrow_embedding), "0.7071"),
              "for elements of variance 1/d and with the factor it is 0.7071 too");
  }
  return facts.conclude(Ruling::holds);
}

}  // namespace

std::vector<Evidence> scaling_evidence() {
  return {
      {"scaling/sqrt-d", "the norm of the encoding beside that of an embedding times sqrt(d)",
       Method::interval, by_root_of_width},
  };
}

}  // namespace vernier
