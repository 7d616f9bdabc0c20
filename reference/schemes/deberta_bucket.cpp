#include "reference/schemes/deberta_bucket.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

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

void DebertaBucketSpec::keys(KeyVisitor& visit) {
  visit.defaulted({"bucket_size", "how many buckets there are: distances up to half of it keep their value"},
                  bucket_size, integer(4, most_buckets));
  visit.defaulted({"max_position", "the distance that the last bucket is for, plus one", "positions"},
                  max_position, integer(bucket_size, largest_position));
  visit.require(max_position >= bucket_size, "max_position",
                "at least bucket_size, " + std::to_string(bucket_size));
  visit.defaulted(
      {"clamp", "whether distances are held to max_position - 1 (Microsoft) or not (Hugging Face)"}, clamp,
      boolean());
}

std::vector<TensorDefinition> DebertaBucketSpec::tensors() const {
  const auto exact = exact_distances();
  const auto farthest = clamp ? max_position - 1 : largest_position;
  const LogarithmicEdges edges(exact, max_position - 1, static_cast<int>(exact - 1), farthest);
  return {BucketTable{[exact, farthest, edges](std::int64_t r) -> Bucket {
    const auto distance = std::min(std::abs(r), farthest);
    if (distance <= exact) {
      return {r};
    }
    return with_sign_of(r, logarithmic_bucket(exact, edges.place(distance)));
  }}};
}

std::string DebertaBucketSpec::summary() const {
  return fmt::format("DeBERTa relative position buckets, bucket_size {}, max_position {}{}", bucket_size,
                     max_position, clamp ? ", relative positions clamped" : "");
}

Scheme deberta_bucket_scheme() {
  return {"deberta_bucket",
          "relative positions in buckets, small ones as they are, large ones by their logarithm (He et al. "
          "2021)",
          {R"({"scheme":"deberta_bucket"})"},
          {form_of<DebertaBucketSpec>()}};
}

}  // namespace vernier
