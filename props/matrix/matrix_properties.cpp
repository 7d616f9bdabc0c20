#include "props/matrix/matrix.hpp"

namespace vernier {

std::span<const Property* const> matrix_properties() {
  static const auto all = [] {
    std::vector<const Property*> judged;
    for (const auto& property : properties()) {
      if (property.model) {
        judged.push_back(&property);
      }
    }
    return judged;
  }();
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
