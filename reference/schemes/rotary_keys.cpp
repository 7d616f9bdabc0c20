#include "reference/schemes/rotary_keys.hpp"

#include <array>
#include <string_view>

#include "reference/keys/key_visitor.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> rotary_layout_names{"half", "interleaved"};

constexpr std::array<std::string_view, 3> operation_names{"forward", "transpose", "inverse"};

}  // namespace

void visit_layout(KeyVisitor& visit, RopeSpec::Layout& layout) {
  visit.defaulted("layout", layout, one_of(rotary_layout_names));
}

std::string_view name_of(RopeSpec::Layout layout) {
  return rotary_layout_names[static_cast<std::size_t>(layout)];
}

void visit_operation(KeyVisitor& visit, RotationOperation& operation) {
  visit.optional("operation", operation, one_of(operation_names));
}

std::string summary_of(RotationOperation operation) {
  return operation == RotationOperation::forward
             ? ""
             : ", the " + std::string(operation_names[static_cast<std::size_t>(operation)]);
}

}  // namespace vernier
