#include "numerics/elements/narrow_arithmetic.hpp"

#include <cmath>

namespace vernier {

ElementwiseReport audit_one_rounding(ElementSource& source, const Contract& contract, Format compute,
                                     Format stored, std::span<const std::size_t> rows,
                                     const std::function<double(std::size_t)>& got) {
  ElementwiseReport report;
  if (traits(stored).precision >= traits(compute).precision || !source.bind(contract, compute)) {
    return report;
  }
  for (const auto row : rows) {
    source.go_to(row);
    for (std::size_t column = 0; column < source.columns(); ++column) {
      const auto index = row * source.columns() + column;
      auto allowed = source.allowed(column, got(index));
      if (allowed.truth && allowed.budget.total() > 0) {
        const double magnitude = std::fabs(allowed.truth->approximately()) + allowed.budget.total();
        allowed.budget.storage += ulp_at(stored, magnitude) / 2;
        add_element(report, index, got(index), allowed, source.place(column));
      }
    }
  }
  return report;
}

}  // namespace vernier
