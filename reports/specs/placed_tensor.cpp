#include "reports/specs/placed_tensor.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "numerics/cases/quantization.hpp"
#include "reference/input_error.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// Calls `visit` with each tensor of the encoding until it returns true.
template <class Visit>
void visit_until(const Encoding& encoding, const WishedPositions& positions, const TensorWish& wish,
                 const Visit& visit) {
  const auto definitions = scaled(encoding.tensors(), wish.factor);
  for (const auto& definition : definitions) {
    if (const auto* table = std::get_if<TrigTable>(&definition)) {
      const Shape shape{static_cast<std::size_t>(positions.count), table->columns.size()};
      if (visit(PlacedTensor{table->role, shape, *table})) {
        return;
      }
    }
  }
  for (auto& tensor : reference_tensors(definitions, positions.listed(), wish.queries)) {
    auto shape = tensor.shape;
    auto role = tensor.role;
    if (visit(PlacedTensor{std::move(role), std::move(shape), std::move(tensor)})) {
      return;
    }
  }
}

bool is_meant(const TensorWish& wish, const PlacedTensor& tensor) {
  return (wish.role.empty() || wish.role == tensor.role) &&
         (wish.columns == 0 || wish.columns == tensor.shape.back());
}

}  // namespace

bool PlacedTensor::is_exact() const {
  const auto* tensor = std::get_if<ReferenceTensor>(&definition);
  return tensor != nullptr && !tensor->real;
}

std::vector<PlacedTensor> placed_tensors(const Encoding& encoding, const WishedPositions& positions,
                                         const TensorWish& wish) {
  std::vector<PlacedTensor> result;
  visit_until(encoding, positions, wish, [&](PlacedTensor tensor) {
    if (is_meant(wish, tensor)) {
      result.push_back(std::move(tensor));
    }
    return false;
  });
  return result;
}

PlacedTensor first_tensor(const Encoding& encoding, const WishedPositions& positions, const TensorWish& wish,
                          const std::string& source) {
  std::optional<PlacedTensor> found;
  std::vector<std::string> known;
  visit_until(encoding, positions, wish, [&](PlacedTensor tensor) {
    if (is_meant(wish, tensor)) {
      found = std::move(tensor);
      return true;
    }
    known.push_back(fmt::format("{} of {} columns", tensor.role, tensor.shape.back()));
    return false;
  });
  if (!found) {
    throw InputError("{}: found no table \"{}\"{}, expected {}", source, one_line(wish.role),
                     wish.columns == 0 ? "" : fmt::format(" of {} columns", wish.columns),
                     fmt::join(known, " or "));
  }
  return *std::move(found);
}

}  // namespace vernier
