#include "reference/schemes/logarithmic_buckets.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The bucket of a distance within its direction.
Bucket bucket_of_distance(const T5BucketSpec& spec, const LogarithmicEdges& edges, std::int64_t distance) {
  const auto exact = spec.exact_distances();
  if (distance < exact) {
    return {distance};
  }
  const auto last = spec.buckets_a_direction() - 1;
  const auto [reached, on_edge] = edges.place(std::min(distance, spec.max_distance));
  const auto index = std::min(last, exact + reached);
  const auto below = std::min(last, exact + reached - 1);
  return {index, on_edge && below != index ? std::optional(below) : std::nullopt};
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

void T5BucketSpec::keys(KeyVisitor& visit) {
  visit.defaulted("bidirectional", bidirectional, boolean());
  visit.defaulted("num_buckets", num_buckets, integer(bidirectional ? 4 : 2, most_buckets));
  visit.require(!bidirectional || num_buckets % 2 == 0, "num_buckets",
                "an even number, as each direction has half of the buckets");
  visit.defaulted("max_distance", max_distance, integer(exact_distances() + 1, largest_position));
  visit.require(max_distance > exact_distances(), "max_distance",
                fmt::format("more than the {} distances that have a bucket each", exact_distances()));
}

std::vector<TensorDefinition> T5BucketSpec::tensors() const {
  const auto steps = static_cast<int>(buckets_a_direction() - exact_distances());
  const LogarithmicEdges edges(exact_distances(), max_distance, steps, max_distance);
  return {BucketTable{[spec = *this, edges](std::int64_t r) {
    const auto distance = spec.bidirectional ? std::abs(r) : std::max(-r, std::int64_t{0});
    auto bucket = bucket_of_distance(spec, edges, distance);
    if (spec.bidirectional && r > 0) {
      bucket.index += spec.buckets_a_direction();
      if (bucket.across) {
        *bucket.across += spec.buckets_a_direction();
      }
    }
    return bucket;
  }}};
}

std::string T5BucketSpec::summary() const {
  return fmt::format("T5 relative position buckets, {} of them, {}, max_distance {}", num_buckets,
                     bidirectional ? "both directions" : "one direction", max_distance);
}

void DebertaBucketSpec::keys(KeyVisitor& visit) {
  visit.defaulted("bucket_size", bucket_size, integer(4, most_buckets));
  visit.defaulted("max_position", max_position, integer(bucket_size, largest_position));
  visit.require(max_position >= bucket_size, "max_position",
                "at least bucket_size, " + std::to_string(bucket_size));
  visit.defaulted("clamp", clamp, boolean());
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

std::vector<Scheme> logarithmic_bucket_schemes() {
  return schemes_of<T5BucketSpec, DebertaBucketSpec>();
}

}  // namespace vernier
