#include "props/matrix/properties/properties.hpp"

namespace vernier {

std::span<const MatrixProperty> matrix_properties() {
  static const auto all = make_all(matrix_property_makers);
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
