#pragma once

#include <optional>

#include "numerics/elements/element_source.hpp"

namespace vernier {

/// Buckets of relative positions, one a row.
class BucketSource final : public ElementSource {
 public:
  /// \param relative the positions; outlive it
  BucketSource(BucketTable table, std::span<const std::int64_t> relative)
      : table_(std::move(table)), relative_(relative) {}

  std::string_view role() const override { return BucketTable::role; }
  Shape shape() const override { return {relative_.size()}; }
  bool bind(const Contract& contract, Format stored) override;
  void go_to(std::size_t row) override;
  const Bucket& bucket() const { return bucket_; }
  Real exact(std::size_t column) const override;
  std::optional<std::int64_t> integer(std::size_t /*column*/) const override { return bucket_.index; }
  ElementPlace place(std::size_t /*column*/) const override { return {position_, 0}; }
  std::string name(std::size_t column) const override;
  AllowedElement allowed(std::size_t column, std::optional<double> got) const override;
  bool are_indices() const override { return true; }

 private:
  BucketTable table_;
  std::span<const std::int64_t> relative_;
  bool may_cross_ = false;
  std::int64_t position_ = 0;
  Bucket bucket_;
};

}  // namespace vernier
