#include "numerics/diagnosis/stages/position_kinds.hpp"

namespace vernier {

const FaultKind& kind_of(RowRule::Kind kind) {
  switch (kind) {
    case RowRule::Kind::offset:
      return position_offset;
    case RowRule::Kind::factor:
      return position_scaled;
    case RowRule::Kind::constant:
      return position_constant;
    case RowRule::Kind::reversed:
      return position_reversed;
    case RowRule::Kind::wrapped:
      return position_wrapped;
    case RowRule::Kind::clamped:
      return position_clamped;
    case RowRule::Kind::magnitude:
      return position_magnitude;
    case RowRule::Kind::staircase:
      return position_staircase;
    case RowRule::Kind::jump:
      return position_jump;
    case RowRule::Kind::block:
      return position_block;
    case RowRule::Kind::single_rows:
      return position_rows;
    case RowRule::Kind::other_axis:
      return position_axis;
    case RowRule::Kind::row_index:
      return position_row;
    case RowRule::Kind::leading_index:
      return position_dimension;
    case RowRule::Kind::other_rows:
      return position_other_row;
  }
  return position_offset;
}

}  // namespace vernier
