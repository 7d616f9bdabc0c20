#include "numerics/screens/unit_rows.hpp"

#include <utility>

#include "numerics/screens/phase_deviation.hpp"

namespace vernier {
namespace {

constexpr std::int64_t block_bits = 7;
constexpr std::int64_t unit_block_rows = std::int64_t{1} << block_bits;

void append(std::int64_t position, std::span<const DoubleDouble> frequencies, std::vector<double>& cosines,
            std::vector<double>& sines) {
  for (const auto& frequency : frequencies) {
    const auto at = unit_vector(position, frequency);
    cosines.push_back(at.cosine);
    sines.push_back(at.sine);
  }
}

}  // namespace

const ScreenKernels& screen_kernels() {
  static const auto& widest = screen_kernel_sets().back();
  return widest;
}

UnitRows::UnitRows(std::vector<DoubleDouble> frequencies, std::vector<bool> less_a_quarter)
    : frequencies_(std::move(frequencies)), less_a_quarter_(std::move(less_a_quarter)) {
  for (std::int64_t position = 0; position < unit_block_rows; ++position) {
    append(position, frequencies_, cosines_, sines_);
  }
}

UnitRows::Factors UnitRows::factors(Block& block, std::int64_t position) const {
  const auto number = position >> block_bits;
  if (block.number_ != number) {
    block.cosines_.clear();
    block.sines_.clear();
    append(number << block_bits, frequencies_, block.cosines_, block.sines_);
    for (std::size_t i = 0; i < less_a_quarter_.size(); ++i) {
      if (less_a_quarter_[i]) {
        std::swap(block.cosines_[i], block.sines_[i]);
        block.sines_[i] = -block.sines_[i];
      }
    }
    block.number_ = number;
  }
  const auto first = static_cast<std::size_t>(position & (unit_block_rows - 1)) * frequencies_.size();
  return {{block.cosines_.data(), block.sines_.data()}, {cosines_.data() + first, sines_.data() + first}};
}

}  // namespace vernier
