#include "reports/outputs/number_json.hpp"

#include <cmath>

#include "reports/value_text.hpp"

namespace vernier {

OrderedJson real_json(double value) {
  if (std::isfinite(value)) {
    return value;
  }
  return std::isnan(value) ? "nan" : value > 0 ? "infinity" : "-infinity";
}

OrderedJson value_json(Format format, double value) {
  return {{"decimal", shortest_text(format, value)},
          {"hex", hex_text(value)},
          {"bits", bits_text(format, value)}};
}

std::string document_text(const OrderedJson& document) {
  return document.dump(2, ' ', /*ensure_ascii=*/false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace vernier
