#include "reference/schemes/t5_bucket.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
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

}  // namespace

void T5BucketSpec::keys(KeyVisitor& visit) {
  visit.defaulted({"bidirectional", "whether keys ahead have buckets of their own"}, bidirectional,
                  boolean());
  visit.defaulted({"num_buckets", "how many buckets there are"}, num_buckets,
                  integer(bidirectional ? 4 : 2, most_buckets));
  visit.require(!bidirectional || num_buckets % 2 == 0, "num_buckets",
                "an even number, as each direction has half of the buckets");
  visit.defaulted({"max_distance", "the distance from which all have the last bucket", "positions"},
                  max_distance, integer(exact_distances() + 1, largest_position));
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

Scheme t5_bucket_scheme() {
  return {"t5_bucket",
          "relative positions in buckets of growing width, each with a bias (Raffel et al. 2020)",
          {R"({"scheme":"t5_bucket"})"},
          {form_of<T5BucketSpec>()}};
}

}  // namespace vernier
