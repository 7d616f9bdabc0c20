#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The relative positions of the first DeBERTa (P. He et al. 2021, equation 3). Of a query i and a key j,
/// with r = i - j and the span k: 0 for r <= -k, 2k - 1 for r >= k, else r + k. DeBERTa v2 has logarithmic
/// buckets (deberta_bucket.hpp) instead.
struct DebertaSpanSpec {
  static constexpr std::string_view scheme = "deberta_span";

  std::int64_t max_relative_positions = 512;  ///< k

  void keys(KeyVisitor& visit) {
    visit.defaulted(
        {"max_relative_positions", "the span k: distances of k or more either way share a row", "positions"},
        max_relative_positions, integer(1, most_listed_positions));
  }

  std::string summary() const {
    return fmt::format("DeBERTa relative positions, clamped to a span of {} either way",
                       max_relative_positions);
  }

  std::vector<TensorDefinition> tensors() const {
    return {BucketTable{[span = max_relative_positions](std::int64_t r) -> Bucket {
      return {std::clamp(r + span, std::int64_t{0}, 2 * span - 1)};
    }}};
  }
};

}  // namespace

Scheme deberta_span_scheme() {
  return {"deberta_span",
          "relative positions clamped to a span, without logarithms (He et al. 2021, the "
          "first DeBERTa)",
          {R"({"scheme":"deberta_span"})"},
          {form_of<DebertaSpanSpec>()}};
}

}  // namespace vernier
