#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "reference/schemes/axial/rotary_axes.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// A table of places, and the blocks of places that its rows average over.
class PooledTable {
 public:
  /// A frequency b^-e is good to 4|ln w| + 4 roundings, of ln b, their product, e and the power, or of a
  /// power of b and its reciprocal; a position to 4, of its scale, the product and the offset, which may
  /// cancel; the phase is one more.
  PooledTable(TurnedTable table, const RotaryAxesSpec& axes, PositionAxes blocks)
      : table_(std::move(table)),
        pool_(axes.pool),
        grid_(axes.grid),
        blocks_(std::move(blocks)),
        block_size_(static_cast<double>(
            std::accumulate(pool_.begin(), pool_.end(), std::int64_t{1}, std::multiplies<>()))) {
    for (std::size_t column = 0; column < columns_of(table_); ++column) {
      const auto& map = table_.map(static_cast<std::size_t>(table_.axis(column)));
      const double frequency = table_.sines.frequencies.approximate(table_.sines.columns[column].pair);
      const double of_one = frequency / approximately(map.quantum());
      columns_.push_back({frequency, frequency == 0 ? 0 : 4 * std::fabs(std::log(of_one)) + 9,
                          2 * std::fabs(static_cast<double>(map.shift()))});
    }
  }

  Interval value(std::int64_t block, std::size_t column) const {
    const auto& [pair, component] = table_.sines.columns[column];
    const auto frequency = table_.sines.frequencies.at(pair);
    const auto angles = table_.sines.frequencies.rational_angles(pair);
    const auto averaged = places(block, column);
    Interval sum = enclose(std::int64_t{0});
    for (const auto place : averaged) {
      const Interval phase = enclose(place) * frequency;
      sum += angles.twelfths(place)         ? table_.sines.value(place, pair, component)()
             : component == Component::sine ? Interval(sin(phase))
                                            : Interval(cos(phase));
    }
    return sum / enclose(static_cast<std::int64_t>(averaged.size()));
  }

  double estimate(std::int64_t block, std::size_t column) const {
    const bool is_sine = table_.sines.columns[column].component == Component::sine;
    const auto averaged = places(block, column);
    double sum = 0;
    for (const auto place : averaged) {
      const double phase = static_cast<double>(place) * columns_[column].frequency;
      sum += is_sine ? std::sin(phase) : std::cos(phase);
    }
    return sum / static_cast<double>(averaged.size());
  }

  /// The greatest error of a computation with this unit roundoff.
  /// Beside the error of the phase, the sine is good to two roundings, and the sum over the block, which
  /// average pooling takes over all axes, to one an element.
  double error(std::int64_t block, std::size_t column, double roundoff) const {
    const auto& [frequency, roundings, offset] = columns_[column];
    const auto averaged = places(block, column);
    const double sum = sum_of(averaged, [&](std::int64_t place) {
      return (std::fabs(static_cast<double>(place)) + offset) * frequency;
    });
    return sum / static_cast<double>(averaged.size()) * growth_by(roundings, roundoff) +
           growth_by(block_size_ + 2, roundoff);
  }

 private:
  /// What double precision says of a column.
  struct Approximate {
    double frequency = 0;
    double roundings = 0;  ///< of a phase, see error()
    double offset = 0;     ///< places that cancel
  };

  /// The places along the axis of a column that a block averages over.
  std::vector<std::int64_t> places(std::int64_t block, std::size_t column) const {
    const auto axis = static_cast<std::size_t>(table_.axis(column));
    const auto first = blocks_.of_position(block).value()[axis] * pool_[axis];
    std::vector<std::int64_t> result;
    for (std::int64_t number = first; number < first + pool_[axis]; ++number) {
      const bool is_beyond = axis > 0 && !grid_.empty() && number >= grid_[axis - 1];
      result.push_back(table_.map(axis).place(is_beyond ? grid_[axis - 1] - 1 : number));
    }
    return result;
  }

  TurnedTable table_;
  std::vector<std::int64_t> pool_;
  std::vector<std::int64_t> grid_;  ///< of places, all axes but the first
  PositionAxes blocks_;
  std::vector<Approximate> columns_;
  double block_size_;
};

}  // namespace

std::vector<TensorDefinition> pooled(const RotaryAxesSpec& axes, const std::vector<TurnedTable>& of_places) {
  std::vector<std::int64_t> grid_of_blocks;
  for (std::size_t axis = 0; axis < axes.grid.size(); ++axis) {
    const auto size = axes.pool[axis + 1];
    grid_of_blocks.push_back((axes.grid[axis] + size - 1) / size);
  }
  const auto blocks = positions_along_axes(axes.axes.size(), grid_of_blocks, Rational(1));
  std::vector<TensorDefinition> result;
  for (const auto& table : of_places) {
    const auto made = std::make_shared<const PooledTable>(table, axes, blocks);
    const auto entry = [made](std::int64_t block, std::size_t column) {
      return ComputedReal{[=] { return made->value(block, column); }, made->estimate(block, column),
                          [=](double roundoff) { return made->error(block, column, roundoff); }};
    };
    result.emplace_back(
        ExactTable{.role = table.sines.role,
                   .columns = columns_of(table),
                   .first_position = axes.grid.empty() ? std::nullopt : std::optional<std::int64_t>(0),
                   .computed = entry});
  }
  return result;
}

}  // namespace vernier
