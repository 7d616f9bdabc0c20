#include "reports/outputs/output.hpp"

namespace vernier {

std::span<const Output> outputs() {
  static const auto all = make_all(output_makers);
  return all;
}

}  // namespace vernier
