#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The relative positions of the first DeBERTa (P. He et al. 2021, equation 3). Of a query i and a key j,
/// with r = i - j and the span k: 0 for r <= -k, 2k - 1 for r >= k, else r + k. DeBERTa v2 has logarithmic
/// buckets (deberta_bucket.hpp) instead.
struct DebertaSpanSpec {
  std::int64_t max_relative_positions = 512;  ///< k, [1, 2^20]
};

class DebertaSpanEncoding final : public Encoding {
 public:
  explicit DebertaSpanEncoding(const DebertaSpanSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "deberta_span"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  DebertaSpanSpec spec_;
};

std::unique_ptr<Encoding> parse_deberta_span(ObjectReader& reader) {
  DebertaSpanSpec spec;
  spec.max_relative_positions = reader.optional_integer("max_relative_positions", 1, most_listed_positions)
                                    .value_or(spec.max_relative_positions);
  return std::make_unique<DebertaSpanEncoding>(spec);
}

std::vector<TensorDefinition> DebertaSpanEncoding::define_tensors() const {
  return {BucketTable{[span = spec_.max_relative_positions](std::int64_t r) -> Bucket {
    return {std::clamp(r + span, std::int64_t{0}, 2 * span - 1)};
  }}};
}

std::string DebertaSpanEncoding::summary() const {
  return fmt::format("DeBERTa relative positions, clamped to a span of {} either way",
                     spec_.max_relative_positions);
}

OrderedJson DebertaSpanEncoding::spec() const {
  return {{"scheme", "deberta_span"}, {"max_relative_positions", spec_.max_relative_positions}};
}

}  // namespace

Scheme deberta_span_scheme() {
  return {"deberta_span",
          "relative positions clamped to a span, without logarithms (He et al. 2021, the "
          "first DeBERTa)",
          parse_deberta_span,
          {R"({"scheme":"deberta_span"})"}};
}

}  // namespace vernier
