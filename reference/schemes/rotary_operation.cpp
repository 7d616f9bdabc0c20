#include "reference/schemes/rotary_operation.hpp"

#include <array>
#include <string_view>

#include "reference/keys/key_visitor.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> names{"forward", "transpose", "inverse"};

}  // namespace

void visit_operation(KeyVisitor& visit, RotationOperation& operation) {
  visit.optional({"operation",
                  "what vectors are multiplied by: A R, A R^T or R^T/A, R the rotation and A the "
                  "amplitude"},
                 operation, one_of(names));
}

std::string summary_of(RotationOperation operation) {
  return operation == RotationOperation::forward
             ? ""
             : ", the " + std::string(names[static_cast<std::size_t>(operation)]);
}

}  // namespace vernier
