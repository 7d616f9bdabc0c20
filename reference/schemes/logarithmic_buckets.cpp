#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The relative position buckets of T5 (C. Raffel et al., 2020; mesh_tensorflow's _relative_position_bucket).
///
/// r = key - query. Both directions: the upper half of the buckets is for keys ahead (r > 0), and each half
/// has B = num_buckets/2 of them for n = |r|. One direction: B = num_buckets for n = max(-r, 0). With m =
/// floor(B/2), distances below m have a bucket each; the others share, bucket min(B - 1, m + floor((B - m)
/// ln(n/m) / ln(max_distance/m))).
struct T5BucketSpec {
  static constexpr std::string_view scheme = "t5_bucket";

  std::int64_t num_buckets = 32;
  std::int64_t max_distance = 128;
  bool bidirectional = true;

  void keys(KeyVisitor& visit) {
    visit.defaulted("bidirectional", bidirectional, boolean());
    visit.defaulted("num_buckets", num_buckets, integer(bidirectional ? 4 : 2, most_buckets));
    visit.require(!bidirectional || num_buckets % 2 == 0, "num_buckets",
                  "an even number, as each direction has half of the buckets");
    visit.defaulted("max_distance", max_distance, integer(exact_distances() + 1, largest_position));
    visit.require(max_distance > exact_distances(), "max_distance",
                  fmt::format("more than the {} distances that have a bucket each", exact_distances()));
  }

  std::string summary() const {
    return fmt::format("T5 relative position buckets, {} of them, {}, max_distance {}", num_buckets,
                       bidirectional ? "both directions" : "one direction", max_distance);
  }

  /// B
  std::int64_t buckets_a_direction() const { return bidirectional ? num_buckets / 2 : num_buckets; }
  /// m
  std::int64_t exact_distances() const { return buckets_a_direction() / 2; }

  /// The bucket of a distance within its direction.
  Bucket bucket_of(std::int64_t distance, const LogarithmicEdges& edges) const {
    const auto exact = exact_distances();
    if (distance < exact) {
      return {distance};
    }
    const auto last = buckets_a_direction() - 1;
    const auto [reached, on_edge] = edges.place(std::min(distance, max_distance));
    const auto index = std::min(last, exact + reached);
    const auto below = std::min(last, exact + reached - 1);
    return {index, on_edge && below != index ? std::optional(below) : std::nullopt};
  }

  std::vector<TensorDefinition> tensors() const {
    const auto steps = static_cast<int>(buckets_a_direction() - exact_distances());
    const LogarithmicEdges edges(exact_distances(), max_distance, steps, max_distance);
    return {BucketTable{[spec = *this, edges](std::int64_t r) {
      auto bucket = spec.bucket_of(spec.bidirectional ? std::abs(r) : std::max(-r, std::int64_t{0}), edges);
      if (spec.bidirectional && r > 0) {
        bucket.index += spec.buckets_a_direction();
        if (bucket.across) {
          *bucket.across += spec.buckets_a_direction();
        }
      }
      return bucket;
    }}};
  }
};

/// The logarithmic relative position buckets of DeBERTa v2 and v3 (P. He et al.; make_log_bucket_position).
///
/// With m = floor(bucket_size/2), relative positions up to |r| = m keep their value; beyond, the bucket is
/// sign(r) (m + ceil((m - 1) ln(|r|/m) / ln((max_position - 1)/m))). Buckets have signs; whoever looks them
/// up adds an offset.
struct DebertaBucketSpec {
  static constexpr std::string_view scheme = "deberta_bucket";

  std::int64_t bucket_size = 256;
  std::int64_t max_position = 512;
  /// Whether |r| is first held to max_position - 1: Microsoft's code does, Hugging Face's does not. The same
  /// for every |r| < max_position.
  bool clamp = false;

  void keys(KeyVisitor& visit) {
    visit.defaulted("bucket_size", bucket_size, integer(4, most_buckets));
    visit.defaulted("max_position", max_position, integer(bucket_size, largest_position));
    visit.require(max_position >= bucket_size, "max_position",
                  "at least bucket_size, " + std::to_string(bucket_size));
    visit.defaulted("clamp", clamp, boolean());
  }

  std::string summary() const {
    return fmt::format("DeBERTa relative position buckets, bucket_size {}, max_position {}{}", bucket_size,
                       max_position, clamp ? ", relative positions clamped" : "");
  }

  /// An edge belongs to the bucket below it, as the logarithm is rounded up.
  std::vector<TensorDefinition> tensors() const {
    const auto exact = bucket_size / 2;  // m
    const auto farthest = clamp ? max_position - 1 : largest_position;
    const LogarithmicEdges edges(exact, max_position - 1, static_cast<int>(exact - 1), farthest);
    return {BucketTable{[exact, farthest, edges](std::int64_t r) -> Bucket {
      const auto distance = std::min(std::abs(r), farthest);
      if (distance <= exact) {
        return {r};
      }
      const auto [reached, on_edge] = edges.place(distance);
      const std::int64_t sign = r < 0 ? -1 : 1;
      const auto above = exact + reached + 1;
      return on_edge ? Bucket{sign * (above - 1), sign * above} : Bucket{sign * above};
    }}};
  }
};

/// The buckets of the time between two events (J. Zhai et al. 2024, "Actions Speak Louder than Words",
/// generative-recommenders, RelativeBucketedTimeAndPositionBasedBias): floor(ln max(|t|, 1)/c), and at most
/// num_buckets, with c = 0.301, so that a bucket reaches 1.35 times as far as the one before it.
struct TimeBucketSpec {
  static constexpr std::string_view scheme = "time_bucket";

  std::int64_t num_buckets = 128;
  Rational divisor = Rational(301, 1000);  ///< c

  void keys(KeyVisitor& visit) {
    static const NumberRange divisors{Rational(1, 1000), 1000, "a number from 1/1000 to 1000"};
    visit.defaulted("num_buckets", num_buckets, integer(1, most_buckets));
    visit.defaulted("divisor", divisor, number(divisors));
  }

  std::string summary() const {
    return fmt::format("buckets of time, floor(ln |t|/{}), the last is {}", to_string(divisor), num_buckets);
  }

  std::vector<TensorDefinition> tensors() const {
    return {BucketTable{[least = least_times()](std::int64_t t) -> Bucket {
      return {std::ranges::upper_bound(least, std::abs(t)) - least.begin()};
    }}};
  }

  /// The least time of bucket 1, 2 ...: e^(kc) is no integer (Lindemann), so that each is decided.
  std::vector<std::int64_t> least_times() const {
    constexpr int last_logarithm = 30;  // e^30 > 2^43, and no time is more than 2^32
    std::vector<std::int64_t> result;
    for (std::int64_t k = 1; k <= num_buckets && divisor * k <= last_logarithm; ++k) {
      const auto below = decided_floor([&] { return Interval(exp(enclose(Rational(divisor * k)))); });
      result.push_back(below.value() + 1);
    }
    return result;
  }
};

}  // namespace

std::vector<Scheme> logarithmic_bucket_schemes() {
  return schemes_of<T5BucketSpec, DebertaBucketSpec, TimeBucketSpec>();
}

}  // namespace vernier
