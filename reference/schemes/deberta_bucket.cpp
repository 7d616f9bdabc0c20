#include "reference/schemes/deberta_bucket.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> parse_deberta_bucket(ObjectReader& reader) {
  DebertaBucketSpec spec;
  spec.bucket_size = reader.optional_integer("bucket_size", 4, most_buckets).value_or(spec.bucket_size);
  spec.max_position =
      reader.optional_integer("max_position", spec.bucket_size, largest_position).value_or(spec.max_position);
  if (spec.max_position < spec.bucket_size) {
    reader.refuse("max_position", "at least bucket_size, " + std::to_string(spec.bucket_size));
  }
  spec.clamp = reader.optional_boolean("clamp").value_or(spec.clamp);
  return std::make_unique<DebertaBucketEncoding>(spec);
}

/// The bucket of a distance beyond those that keep their value. An edge belongs to the bucket below it, as
/// the logarithm is rounded up.
Bucket logarithmic_bucket(std::int64_t exact, const LogarithmicEdges::Place& place) {
  if (place.on_edge) {
    return {exact + place.reached, exact + place.reached + 1};
  }
  return {exact + place.reached + 1};
}

Bucket with_sign_of(std::int64_t r, Bucket bucket) {
  if (r < 0) {
    bucket.index = -bucket.index;
    if (bucket.across) {
      bucket.across = -*bucket.across;
    }
  }
  return bucket;
}

}  // namespace

std::vector<TensorDefinition> DebertaBucketEncoding::define_tensors() const {
  const auto exact = spec_.exact_distances();
  const auto farthest = spec_.clamp ? spec_.max_position - 1 : largest_position;
  const LogarithmicEdges edges(exact, spec_.max_position - 1, static_cast<int>(exact - 1), farthest);
  return {BucketTable{[exact, farthest, edges](std::int64_t r) -> Bucket {
    const auto distance = std::min(std::abs(r), farthest);
    if (distance <= exact) {
      return {r};
    }
    return with_sign_of(r, logarithmic_bucket(exact, edges.place(distance)));
  }}};
}

std::string DebertaBucketEncoding::summary() const {
  return fmt::format("DeBERTa relative position buckets, bucket_size {}, max_position {}{}",
                     spec_.bucket_size, spec_.max_position,
                     spec_.clamp ? ", relative positions clamped" : "");
}

OrderedJson DebertaBucketEncoding::spec() const {
  return {{"scheme", "deberta_bucket"},
          {"bucket_size", spec_.bucket_size},
          {"max_position", spec_.max_position},
          {"clamp", spec_.clamp}};
}

Scheme deberta_bucket_scheme() {
  return {"deberta_bucket",
          "relative positions in buckets, small ones as they are, large ones by their logarithm (He et al. "
          "2021)",
          parse_deberta_bucket,
          {R"({"scheme":"deberta_bucket"})"}};
}

}  // namespace vernier
