#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "numerics/implementations/asked_through.hpp"

namespace vernier {

/// Asks an implementation that takes blocks of positions k, k + 1, ... only for any positions: a block a
/// question, the answers joined.
///
/// Where it does not say that it takes blocks only, questions are asked as they are. One that is refused is
/// looked into once: if two rows of it that are no neighbours are refused together and answered apart, it is
/// from then on asked for blocks.
class ContiguousBlocks final : public AskedThrough {
 public:
  explicit ContiguousBlocks(LiveImplementation& inner) : AskedThrough(inner) {}

  Takes takes() const override;
  Response ask(const Request& request) override;

  /// Whether it was found to take blocks only, though it does not say so.
  bool was_found_out() const { return found_ == Found::blocks_only; }

 private:
  enum class Found { nothing, any_positions, blocks_only };

  bool refuses_only_scattered(const Request& request);
  Response ask_for_blocks(const Request& request);

  Found found_ = Found::nothing;
};

/// The greatest blocks of rows whose positions are k, k + 1, ..., as first row and count. \pre tokens have
/// one position
std::vector<std::pair<std::size_t, std::size_t>> contiguous_blocks(const Request& request);

}  // namespace vernier
