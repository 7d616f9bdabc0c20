#include <array>

#include "props/matrix/properties/properties.hpp"

namespace vernier {

std::span<const MatrixProperty> matrix_properties() {
  static const std::array all{
      unique_property(),         bounded_property(),   same_for_every_length_property(),
      defined_beyond_property(), lipschitz_property(), linear_shift_property(),
      offset_only_property(),    symmetric_property(), constant_norm_property(),
      decay_property(),          direction_property(),
  };
  return all;
}

std::string_view name_of(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return "yes";
    case Answer::no:
      return "no";
    case Answer::conditional:
      return "conditional";
    case Answer::not_applicable:
      return "-";
    case Answer::undecided:
      break;
  }
  return "undecided";
}

}  // namespace vernier
