#include "reports/commands/quantization_option.hpp"

namespace vernier {

std::optional<Quantization> read_quantization_option(const std::string& json) {
  if (json.empty()) {
    return std::nullopt;
  }
  const auto document = parse_json(json, "--quantization");
  return read_quantization(ObjectReader(document, "--quantization", ""));
}

}  // namespace vernier
