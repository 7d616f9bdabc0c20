#include "reference/schemes/rotary_keys.hpp"

#include <array>
#include <span>

#include "reference/keys/key_visitor.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> rotary_layout_names{"half", "interleaved"};

constexpr std::array<std::string_view, 4> operation_names{"forward", "transpose", "inverse", "shift"};

}  // namespace

void visit_layout(KeyVisitor& visit, RopeSpec::Layout& layout) {
  visit.defaulted("layout", layout, one_of(rotary_layout_names));
}

std::string_view name_of(RopeSpec::Layout layout) {
  return rotary_layout_names[static_cast<std::size_t>(layout)];
}

void visit_operation(KeyVisitor& visit, RotationOperation& operation, bool can_shift) {
  const auto names = std::span(operation_names).first(can_shift ? operation_names.size() : 3);
  visit.optional("operation", operation, one_of(names));
}

std::string summary_of(RotationOperation operation) {
  return operation == RotationOperation::forward
             ? ""
             : ", the " + std::string(operation_names[static_cast<std::size_t>(operation)]);
}

}  // namespace vernier
