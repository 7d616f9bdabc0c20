#include "reference/schemes/t5_bucket.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> parse_t5_bucket(ObjectReader& reader) {
  T5BucketSpec spec;
  spec.bidirectional = reader.optional_boolean("bidirectional").value_or(spec.bidirectional);
  spec.num_buckets = reader.optional_integer("num_buckets", spec.bidirectional ? 4 : 2, most_buckets)
                         .value_or(spec.num_buckets);
  if (spec.bidirectional && spec.num_buckets % 2 != 0) {
    reader.refuse("num_buckets", "an even number, as each direction has half of the buckets");
  }
  spec.max_distance = reader.optional_integer("max_distance", spec.exact_distances() + 1, largest_position)
                          .value_or(spec.max_distance);
  if (spec.max_distance <= spec.exact_distances()) {
    reader.refuse("max_distance",
                  fmt::format("more than the {} distances that have a bucket each", spec.exact_distances()));
  }
  return std::make_unique<T5BucketEncoding>(spec);
}

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

std::vector<TensorDefinition> T5BucketEncoding::define_tensors() const {
  const auto steps = static_cast<int>(spec_.buckets_a_direction() - spec_.exact_distances());
  const LogarithmicEdges edges(spec_.exact_distances(), spec_.max_distance, steps, spec_.max_distance);
  return {BucketTable{[spec = spec_, edges](std::int64_t r) {
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

std::string T5BucketEncoding::summary() const {
  return fmt::format("T5 relative position buckets, {} of them, {}, max_distance {}", spec_.num_buckets,
                     spec_.bidirectional ? "both directions" : "one direction", spec_.max_distance);
}

OrderedJson T5BucketEncoding::spec() const {
  return {{"scheme", "t5_bucket"},
          {"num_buckets", spec_.num_buckets},
          {"max_distance", spec_.max_distance},
          {"bidirectional", spec_.bidirectional}};
}

Scheme t5_bucket_scheme() {
  return {"t5_bucket",
          "relative positions in buckets of growing width, each with a bias (Raffel et al. 2020)",
          parse_t5_bucket,
          {R"({"scheme":"t5_bucket"})"}};
}

}  // namespace vernier
