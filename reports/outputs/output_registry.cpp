#include <array>

#include "reports/outputs/output.hpp"

namespace vernier {

std::span<const Output> outputs() {
  static const std::array all{
      json_output(), html_output(), junit_output(), sarif_output(), text_output(),
  };
  return all;
}

}  // namespace vernier
