#include "numerics/implementations/retold.hpp"

#include <vector>

#include <fmt/core.h>

#include "numerics/implementations/number_tensor.hpp"
#include "numerics/implementations/rows.hpp"
#include "reference/keys/key_writer.hpp"
#include "reference/schemes/real_positions.hpp"

namespace vernier {
namespace {

/// As the key of a case says it.
OrderedJson json_of(Quantization quantization) {
  OrderedJson result;
  KeyWriter writer(result);
  quantization.keys(writer);
  return result;
}

bool stores_eight_bits(const Request& request) {
  const auto& format = traits(request.wanted.front().type).format;
  return format && traits(*format).is_storage_only();
}

}  // namespace

bool holds_position(ElementType type, std::int64_t position, double unit) {
  const auto& format = traits(type).format;
  const double number = static_cast<double>(position) * unit;
  return !format || (static_cast<std::int64_t>(static_cast<double>(position)) == position &&
                     round_to(*format, number) == number);
}

Response Retold::ask(const Request& request) {
  const auto type = inner().takes().position_type();
  const bool is_quantized = quantization_ && stores_eight_bits(request);
  if (type == ElementType::int64 && !is_quantized) {
    return inner().ask(request);
  }
  auto retold = request;
  if (is_quantized) {
    retold.spec["quantization"] = json_of(*quantization_);
  }
  if (type != ElementType::int64) {
    const double unit = position_unit_of(request);
    std::vector<double> numbers;
    for (const auto position : integers_of(request.positions)) {
      if (!holds_position(type, position, unit)) {
        return {ResponseStatus::rejected, fmt::format("{} does not hold the position {}", traits(type).name,
                                                      position_text(request, position))};
      }
      numbers.push_back(static_cast<double>(position) * unit);
    }
    retold.positions = number_tensor(type, request.positions.shape(), numbers);
    retold.spec.erase(std::string(position_unit_key));
  }
  return inner().ask(retold);
}

}  // namespace vernier
