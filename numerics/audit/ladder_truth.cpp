#include "numerics/audit/ladder_truth.hpp"

#include "reference/ladder/seeds.hpp"

namespace vernier {
namespace {

constexpr unsigned direct_precision = 256;

}  // namespace

LadderTruth::LadderTruth(TrigTable table, const PositionRange& positions, std::int64_t first_row,
                         const KernelSet& kernels)
    : table_(std::move(table)),
      positions_(positions),
      first_row_(first_row),
      kernels_(&kernels),
      layers_(layers_of(table_)),
      seeds_(table_.frequencies, table_.amplitude, positions) {}

bool LadderTruth::below_one() const {
  bool below = table_.amplitude.is_one();
  for (int pair = 0; below && pair < table_.frequencies.pairs(); ++pair) {
    below = table_.frequencies.approximate(pair) > 0 && !table_.frequencies.rational_angles(pair).recur();
  }
  return below;
}

Enclosure LadderTruth::enclosure(const LadderRows& rows, std::size_t r, std::size_t pair,
                                 Component component) const {
  const auto position = positions_.at(rows.first + static_cast<std::int64_t>(r));
  if (position != 0) {
    const auto sum =
        sum_of_products(*rows.coarse, rows.coarse_row, seeds_.fine(), rows.fine_row + r, pair, component);
    if (sum.bounded) {
      return sum.enclosure();
    }
  }
  // The seeds say nothing here, or less than is known: sin 0 and cos 0 are exact.
  const auto value = table_.value(position, static_cast<int>(pair), component);
  const WorkingPrecision precision(direct_precision);
  return enclosure_of(value());
}

double LadderTruth::approximately(const LadderRows& rows, std::size_t r, std::size_t pair,
                                  Component component) const {
  const auto sum =
      sum_of_products(*rows.coarse, rows.coarse_row, seeds_.fine(), rows.fine_row + r, pair, component);
  return sum.bounded ? sum.in_double() : enclosure(rows, r, pair, component).approximately();
}

}  // namespace vernier
