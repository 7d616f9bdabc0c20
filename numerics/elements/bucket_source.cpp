#include "numerics/elements/bucket_source.hpp"

#include <fmt/core.h>

namespace vernier {

bool BucketSource::bind(const Contract& contract, Format /*stored*/) {
  may_cross_ = contract.of_buckets == BucketTolerance::across_edge;
  return contract.judges(table_);
}

void BucketSource::go_to(std::size_t row) {
  position_ = relative_[row];
  bucket_ = table_.rule(position_);
}

Real BucketSource::exact(std::size_t /*column*/) const {
  return [index = bucket_.index] { return enclose(index); };
}

std::string BucketSource::name(std::size_t /*column*/) const {
  return fmt::format(
      "bucket of the relative position {}{}", position_,
      bucket_.across ? fmt::format("; on an edge, where a rounded logarithm gives {}", *bucket_.across) : "");
}

AllowedElement BucketSource::allowed(std::size_t /*column*/, std::optional<double> /*got*/) const {
  AllowedElement result{.truth = Enclosure{{static_cast<double>(bucket_.index), 0}, 0}};
  if (may_cross_ && bucket_.across) {
    result.instead = static_cast<double>(*bucket_.across);
  }
  return result;
}

}  // namespace vernier
