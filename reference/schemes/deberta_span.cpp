#include "reference/schemes/deberta_span.hpp"

#include <algorithm>

#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> parse(ObjectReader& reader) {
  DebertaSpanSpec spec;
  spec.max_relative_positions = reader.optional_integer("max_relative_positions", 1, most_listed_positions)
                                    .value_or(spec.max_relative_positions);
  return std::make_unique<DebertaSpanEncoding>(spec);
}

}  // namespace

BucketRule DebertaSpanEncoding::buckets() const {
  return [span = spec_.max_relative_positions](std::int64_t r) -> Bucket {
    return {std::clamp(r + span, std::int64_t{0}, 2 * span - 1)};
  };
}

std::string DebertaSpanEncoding::summary() const {
  return std::string("DeBERTa relative positions, clamped to a span of ") +
         std::to_string(spec_.max_relative_positions) + " either way";
}

OrderedJson DebertaSpanEncoding::spec() const {
  return {{"scheme", "deberta_span"}, {"max_relative_positions", spec_.max_relative_positions}};
}

Scheme deberta_span_scheme() {
  return {"deberta_span",
          "relative positions clamped to a span, without logarithms (He et al. 2021, the "
          "first DeBERTa)",
          parse};
}

}  // namespace vernier
