#include <array>

#include "reports/checks/checks.hpp"

namespace vernier {
std::span<const CheckKind> check_kinds() {
  // Of ids that several kinds match, the first kind is meant: the special before the general.
  static const std::array all{
      values_check(),         scaled_check(),       streams_check(),      slopes_check(),
      bias_check(),           buckets_check(),      rotated_check(),      rotated_keys_check(),
      rotated_phases_check(), accuracy_check(),     frequency_check(),    trigonometry_check(),
      finite_check(),         pass_through_check(), rotated_norm_check(), distinct_rows_check(),
      padding_row_check(),
  };
  return all;
}

}  // namespace vernier
