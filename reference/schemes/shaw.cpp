#include "reference/schemes/shaw.hpp"

#include <algorithm>

#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> parse(ObjectReader& reader) {
  return std::make_unique<ShawEncoding>(
      ShawSpec{.max_relative_position = reader.integer("max_relative_position", 1, most_listed_positions)});
}

}  // namespace

BucketRule ShawEncoding::buckets() const {
  return [reach = spec_.max_relative_position](std::int64_t r) -> Bucket {
    return {std::clamp(r, -reach, reach) + reach};
  };
}

std::string ShawEncoding::summary() const {
  return std::string("Shaw relative positions, clipped to ") + std::to_string(spec_.max_relative_position) +
         " either way";
}

OrderedJson ShawEncoding::spec() const {
  return {{"scheme", "shaw"}, {"max_relative_position", spec_.max_relative_position}};
}

Scheme shaw_scheme() {
  return {"shaw", "relative positions clipped at a distance, each with an embedding (Shaw et al. 2018)",
          parse};
}

}  // namespace vernier
