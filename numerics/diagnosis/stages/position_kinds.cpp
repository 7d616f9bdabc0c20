#include "numerics/diagnosis/stages/position_kinds.hpp"

#include <array>

namespace vernier {

const FaultKind& kind_of(RowRule::Kind kind) {
  // In the order of RowRule::Kind.
  static constexpr std::array<std::string_view, 15> ids{
      "position/offset",  "position/scaled",    "position/constant",  "position/reversed",
      "position/wrapped", "position/clamped",   "position/magnitude", "position/staircase",
      "position/jump",    "position/block",     "position/rows",      "position/axis",
      "position/row",     "position/dimension", "position/other-row"};
  return fault_kind(ids.at(static_cast<std::size_t>(kind)));
}

}  // namespace vernier
