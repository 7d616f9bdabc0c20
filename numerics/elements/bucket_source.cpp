#include <optional>

#include <fmt/core.h>

#include "numerics/elements/sources.hpp"

namespace vernier {
namespace {

class BucketSource final : public ElementSource {
 public:
  BucketSource(BucketTable table, std::span<const std::int64_t> relative)
      : table_(std::move(table)), relative_(relative) {}

  std::string_view role() const override { return BucketTable::role; }
  Shape shape() const override { return {relative_.size()}; }

  bool bind(const Contract& contract, Format /*stored*/) override {
    may_cross_ = contract.of_buckets == BucketTolerance::across_edge;
    return contract.judges(table_);
  }

  void go_to(std::size_t row) override {
    position_ = relative_[row];
    bucket_ = table_.rule(position_);
  }

  Real exact(std::size_t /*column*/) const override {
    return [index = bucket_.index] { return enclose(index); };
  }

  std::optional<std::int64_t> integer(std::size_t /*column*/) const override { return bucket_.index; }
  ElementPlace place(std::size_t /*column*/) const override { return {position_, 0}; }

  std::string name(std::size_t /*column*/) const override {
    return fmt::format("bucket of the relative position {}{}", position_,
                       bucket_.across
                           ? fmt::format("; on an edge, where a rounded logarithm gives {}", *bucket_.across)
                           : "");
  }

  AllowedElement allowed(std::size_t /*column*/, std::optional<double> /*got*/) const override {
    AllowedElement result{.truth = Enclosure{{static_cast<double>(bucket_.index), 0}, 0}};
    if (may_cross_ && bucket_.across) {
      result.instead = static_cast<double>(*bucket_.across);
    }
    return result;
  }

  bool are_indices() const override { return true; }

 private:
  BucketTable table_;
  std::span<const std::int64_t> relative_;
  bool may_cross_ = false;
  std::int64_t position_ = 0;
  Bucket bucket_;
};

}  // namespace

std::unique_ptr<ElementSource> bucket_source(const BucketTable& table,
                                             std::span<const std::int64_t> relative) {
  return std::make_unique<BucketSource>(table, relative);
}

}  // namespace vernier
