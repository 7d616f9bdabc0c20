#pragma once

#include <cstddef>

#include "numerics/implementations/asked_through.hpp"

namespace vernier {

/// The tiles that kernels have are powers of two up to this.
inline constexpr std::size_t largest_tile = 128;

/// Asks an implementation that takes whole tiles of rows only, as it shows by refusing the first questions
/// and answering the same with more rows. From then on rows are added to each question and taken off its
/// answer. Others are asked as they are.
class RowMultiples final : public AskedThrough {
 public:
  explicit RowMultiples(LiveImplementation& inner) : AskedThrough(inner) {}

  Response ask(const Request& request) override;
  bool are_asked() const { return are_asked_; }

 private:
  bool was_answered_ = false;
  bool are_asked_ = false;
};

}  // namespace vernier
