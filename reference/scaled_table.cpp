#include "reference/scaled_table.hpp"

namespace vernier {

Real ScaledTable::entry(std::int64_t position, std::size_t column) const {
  auto factor = scale.at(position, sines.columns[column].pair);
  if (is_scale_alone) {
    return factor;
  }
  return [trig = sines.entry(position, column), factor = std::move(factor)] {
    return Interval(trig() * factor());
  };
}

}  // namespace vernier
