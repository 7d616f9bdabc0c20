#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The relative positions of Shaw et al. (2018), section 3.2: the row of the learned embeddings that a key k
/// seen from a query q uses, clip(k - q, -L, R) + L. There L = R; speech models look farther back than ahead
/// (w2v-BERT 2.0: 64 and 8).
struct ShawSpec {
  std::int64_t left = 0;   ///< L, [0, 2^20]
  std::int64_t right = 0;  ///< R, likewise; not both 0
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
  if (!reader.has("left") && !reader.has("right")) {
    const auto reach = reader.integer("max_relative_position", 1, most_listed_positions);
    reader.ignore("left");
    reader.ignore("right");
    return std::make_unique<ShawEncoding>(ShawSpec{reach, reach});
  }
  if (reader.has("max_relative_position")) {
    reader.refuse("max_relative_position", "none beside left and right, which say the same");
  }
  const ShawSpec spec{reader.integer("left", 0, most_listed_positions),
                      reader.integer("right", 0, most_listed_positions)};
  if (spec.left == 0 && spec.right == 0) {
    reader.refuse("right", "at least 1 where left is 0");
  }
  return std::make_unique<ShawEncoding>(spec);
}

std::vector<TensorDefinition> ShawEncoding::define_tensors() const {
  return {BucketTable{[spec = spec_](std::int64_t r) -> Bucket {
    return {std::clamp(r, -spec.left, spec.right) + spec.left};
  }}};
}

std::string ShawEncoding::summary() const {
  return spec_.left == spec_.right
             ? fmt::format("Shaw relative positions, clipped to {} either way", spec_.left)
             : fmt::format("Shaw relative positions, clipped to {} behind and {} ahead", spec_.left,
                           spec_.right);
}

OrderedJson ShawEncoding::spec() const {
  if (spec_.left == spec_.right) {
    return {{"scheme", "shaw"}, {"max_relative_position", spec_.left}};
  }
  return {{"scheme", "shaw"}, {"left", spec_.left}, {"right", spec_.right}};
}

}  // namespace

Scheme shaw_scheme() {
  return {"shaw",
          "relative positions clipped at a distance, each with an embedding (Shaw et al. 2018)",
          parse_shaw,
          {R"({"scheme":"shaw","max_relative_position":16})", R"({"scheme":"shaw","left":16,"right":3})"}};
}

}  // namespace vernier
