#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The buckets of the time between two events (J. Zhai et al. 2024, "Actions Speak Louder than Words",
/// generative-recommenders, RelativeBucketedTimeAndPositionBasedBias): floor(ln max(|t|, 1)/c), and at most
/// num_buckets, with c = 0.301, so
/// that a bucket reaches 1.35 times as far as the one before it.
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

std::vector<Scheme> time_bucket_schemes() {
  return schemes_of<TimeBucketSpec>();
}

}  // namespace vernier
