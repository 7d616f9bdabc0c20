#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The relative positions of Shaw et al. (2018), section 3.2: the row of the learned embeddings that a key k
/// seen from a query q uses, clip(k - q, -K, K) + K.
struct ShawSpec {
  std::int64_t max_relative_position = 0;  ///< K, [1, 2^20]
};

class ShawEncoding final : public Encoding {
 public:
  explicit ShawEncoding(const ShawSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "shaw"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  ShawSpec spec_;
};

std::unique_ptr<Encoding> parse_shaw(ObjectReader& reader) {
  return std::make_unique<ShawEncoding>(
      ShawSpec{.max_relative_position = reader.integer("max_relative_position", 1, most_listed_positions)});
}

std::vector<TensorDefinition> ShawEncoding::define_tensors() const {
  return {BucketTable{[reach = spec_.max_relative_position](std::int64_t r) -> Bucket {
    return {std::clamp(r, -reach, reach) + reach};
  }}};
}

std::string ShawEncoding::summary() const {
  return fmt::format("Shaw relative positions, clipped to {} either way", spec_.max_relative_position);
}

OrderedJson ShawEncoding::spec() const {
  return {{"scheme", "shaw"}, {"max_relative_position", spec_.max_relative_position}};
}

}  // namespace

Scheme shaw_scheme() {
  return {"shaw",
          "relative positions clipped at a distance, each with an embedding (Shaw et al. 2018)",
          parse_shaw,
          {R"({"scheme":"shaw","max_relative_position":16})"}};
}

}  // namespace vernier
