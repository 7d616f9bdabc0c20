#include "reports/words/specs/placed_tensor.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "numerics/elements/quantization.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Whether it is written as a tensor of its own: rotated vectors are made of others, and of tables by several
/// positions that turn by one there is a plain one, which says the same.
bool is_written(const Encoding& encoding, const TensorDefinition& definition) {
  return !are_vectors(definition) &&
         (tensor_form(definition).axes.empty() || !encoding.turns_by_one_position());
}

std::vector<PlacedTensor> all_tensors(const Encoding& encoding, std::size_t positions,
                                      const TensorWish& wish) {
  std::vector<PlacedTensor> result;
  for (const auto& definition : scaled(encoding.tensors(), wish.factor)) {
    if (is_written(encoding, definition)) {
      result.push_back(
          {std::string(role_of(definition)), shape_of(definition, positions, wish.queries), definition});
    }
  }
  std::ranges::stable_partition(result, [](const PlacedTensor& one) { return one.plain_table() != nullptr; });
  return result;
}

bool is_meant(const TensorWish& wish, const PlacedTensor& tensor) {
  return (wish.role.empty() || wish.role == tensor.role) &&
         (wish.columns == 0 || wish.columns == tensor.shape.back());
}

}  // namespace

const TrigTable* PlacedTensor::plain_table() const {
  const auto form = tensor_form(definition);
  return form.is_plain() ? form.sines : nullptr;
}

std::vector<PlacedTensor> placed_tensors(const Encoding& encoding, std::size_t positions,
                                         const TensorWish& wish) {
  auto result = all_tensors(encoding, positions, wish);
  std::erase_if(result, [&](const PlacedTensor& tensor) { return !is_meant(wish, tensor); });
  return result;
}

PlacedTensor first_tensor(const Encoding& encoding, std::size_t positions, const TensorWish& wish,
                          const std::string& source) {
  auto all = all_tensors(encoding, positions, wish);
  const auto found =
      std::ranges::find_if(all, [&](const PlacedTensor& tensor) { return is_meant(wish, tensor); });
  if (found == all.end()) {
    const auto known = mapped(all, [](const PlacedTensor& tensor) {
      return fmt::format("{} of {} columns", tensor.role, tensor.shape.back());
    });
    throw InputError("{}: found no table \"{}\"{}, expected {}", source, one_line(wish.role),
                     wish.columns == 0 ? "" : fmt::format(" of {} columns", wish.columns),
                     fmt::join(known, " or "));
  }
  return std::move(*found);
}

}  // namespace vernier
