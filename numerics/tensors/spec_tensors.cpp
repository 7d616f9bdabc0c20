#include "numerics/tensors/spec_tensors.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include <fmt/core.h>

#include "numerics/formats/tensor_file.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// Numbers are held as text.
constexpr std::size_t most_listed_numbers = std::size_t{1} << 22;

/// The decimal that is the number exactly.
std::string exact_text(double number) {
  // No double has more significant digits, and 17 zeros, a sign and an exponent fit too.
  constexpr int most_digits = 767;
  std::array<char, most_digits + 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.*g", most_digits, number);
  return {text.data(), static_cast<std::size_t>(length)};
}

bool names_tensor(const JsonValue& value) {
  const auto* name = std::get_if<std::string>(&value.value());
  return name != nullptr && (name->ends_with(".npy") || names_archive(*name));
}

class TensorAsLists {
 public:
  TensorAsLists(const Tensor& tensor, const std::string& source) : tensor_(tensor), source_(source) {}

  /// The lists of one dimension and those within. \param first the number of its first element
  JsonValue lists(std::size_t dimension, std::size_t first) const {
    const auto& shape = tensor_.shape();
    if (dimension == shape.size()) {
      return number(first);
    }
    std::size_t stride = 1;
    for (std::size_t i = dimension + 1; i < shape.size(); ++i) {
      stride *= shape[i];
    }
    JsonValue::Array result;
    for (std::size_t i = 0; i < shape[dimension]; ++i) {
      result.push_back(lists(dimension + 1, first + i * stride));
    }
    return JsonValue(std::move(result));
  }

 private:
  JsonValue number(std::size_t index) const {
    const auto integer = tensor_.integer(index);
    if (integer) {
      return JsonValue(JsonValue::Number{std::to_string(*integer)});
    }
    const double value = tensor_.format() ? tensor_.number(index) : std::nan("");
    refuse_if(!std::isfinite(value),
              "{}: found element {} to be infinite, not a number or beyond 64 bits, expected numbers",
              source_, index);
    return JsonValue(JsonValue::Number{exact_text(value)});
  }

  const Tensor& tensor_;
  const std::string& source_;
};

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
    value = TensorAsLists(tensor, place_in_spec).lists(0, 0);
  }
  return spec;
}

}  // namespace vernier
