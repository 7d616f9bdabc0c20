#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "numerics/processes/live_implementation.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier::staged {

/// What of an implementation a fault takes the place of.
struct Stages {
  /// The bucket of the element of this index, for the relative position r.
  std::function<std::int64_t(const BucketRule& rule, std::int64_t r, std::size_t index)> bucket =
      [](const BucketRule& rule, std::int64_t r, std::size_t) { return rule(r).index; };
  /// What the slope of a head multiplies.
  std::function<double(std::int64_t query, std::int64_t key, double honest)> multiplier =
      [](std::int64_t, std::int64_t, double honest) { return honest; };
  std::function<double(std::size_t head, std::size_t heads, double honest)> slope =
      [](std::size_t, std::size_t, double honest) { return honest; };
  /// The position that a pair turns by, of those of its token.
  std::function<double(const std::vector<std::int64_t>& token, std::size_t stream)> turned_by =
      [](const std::vector<std::int64_t>& token, std::size_t stream) {
        return static_cast<double>(token[stream]);
      };
  /// A cosine or sine of a position, to what is stored.
  std::function<double(double value, double position, bool is_cosine)> finish = [](double value, double,
                                                                                   bool) { return value; };
  /// The scale of keys, given that of queries.
  std::function<double(double of_query)> key_scale = [](double of_query) { return 1 / of_query; };
};

/// An implementation of any spec that has buckets, biases, or sines and cosines: computed in double, rounded
/// once to the format that is wanted. It rotates no vectors.
class Implementation final : public LiveImplementation {
 public:
  Implementation(const std::string& spec, Stages stages);

  std::string description() const override { return "made by the test"; }
  bool observes_memory() const override { return false; }
  bool costs_a_process() const override { return false; }
  Response ask(const Request& request) override;

 private:
  std::optional<std::vector<double>> numbers(const Request& request, const WantedTensor& wanted) const;

  std::unique_ptr<Encoding> encoding_;
  Stages stages_;
};

}  // namespace vernier::staged
