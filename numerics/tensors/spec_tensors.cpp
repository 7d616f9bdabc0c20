#include "numerics/tensors/spec_tensors.hpp"

#include <cmath>

#include <fmt/core.h>

#include "numerics/formats/tensor_file.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// Numbers are held as text.
constexpr std::size_t most_listed_numbers = std::size_t{1} << 22;

bool names_tensor(const JsonValue& value) {
  const auto* name = std::get_if<std::string>(&value.value());
  return name != nullptr && (name->ends_with(".npy") || names_archive(*name));
}

/// The lists of one dimension and those within. \param next the number of the first element, moved on
JsonValue as_lists(const Tensor& tensor, const std::string& source, std::size_t dimension,
                   std::size_t& next) {
  if (dimension < tensor.shape().size()) {
    JsonValue::Array result;
    for (std::size_t i = 0; i < tensor.shape()[dimension]; ++i) {
      result.push_back(as_lists(tensor, source, dimension + 1, next));
    }
    return JsonValue(std::move(result));
  }
  const auto index = next++;
  if (const auto integer = tensor.integer(index)) {
    return JsonValue(JsonValue::Number{std::to_string(*integer)});
  }
  const double value = tensor.format() ? tensor.number(index) : std::nan("");
  refuse_if(!std::isfinite(value),
            "{}: found element {} to be infinite, not a number or beyond 64 bits, expected numbers", source,
            index);
  // The decimal that is the number exactly: no double has more significant digits.
  return JsonValue(JsonValue::Number{fmt::format("{:.767g}", value)});
}

}  // namespace

JsonValue with_tensors_read(JsonValue spec, const std::filesystem::path& folder, const std::string& source) {
  auto* object = std::get_if<JsonValue::Object>(&spec.value());
  if (object == nullptr) {
    return spec;
  }
  for (auto& [key, value] : *object) {
    if (!names_tensor(value)) {
      continue;
    }
    const auto place = folder / std::get<std::string>(value.value());
    const auto tensor = read_tensor_file(place.string(), key);
    const auto place_in_spec = fmt::format("{}: {}: {}", source, key, place.string());
    refuse_if(tensor.elements() > most_listed_numbers, "{}: found {} numbers, expected at most {}",
              place_in_spec, tensor.elements(), most_listed_numbers);
    std::size_t first = 0;
    value = as_lists(tensor, place_in_spec, 0, first);
  }
  return spec;
}

}  // namespace vernier
