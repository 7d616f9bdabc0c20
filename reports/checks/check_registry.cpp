#include <array>

#include "reports/checks/checks.hpp"

namespace vernier {
std::span<const CheckKind> check_kinds() {
  static const std::array all{
      values_check(),        streams_check(),   slopes_check(),       bias_check(),
      buckets_check(),       accuracy_check(),  trigonometry_check(), finite_check(),
      distinct_rows_check(), unit_norm_check(), padding_row_check(),
  };
  return all;
}

}  // namespace vernier
