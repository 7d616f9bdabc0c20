#include "reference/schemes/rotary_operation.hpp"

#include <array>
#include <string_view>

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> operation_names{"forward", "transpose", "inverse"};

}  // namespace

RotationOperation read_operation(ObjectReader& reader) {
  return static_cast<RotationOperation>(
      reader.choice("operation", {operation_names[0], operation_names[1], operation_names[2]}, 0));
}

void write_operation(OrderedJson& spec, RotationOperation operation) {
  if (operation != RotationOperation::forward) {
    spec["operation"] = operation_names[static_cast<std::size_t>(operation)];
  }
}

std::string summary_of(RotationOperation operation) {
  return operation == RotationOperation::forward
             ? ""
             : ", the " + std::string(operation_names[static_cast<std::size_t>(operation)]);
}

}  // namespace vernier
