#include "reports/checks/checks.hpp"

namespace vernier {

std::span<const CheckKind> check_kinds() {
  static const auto all = make_all(check_makers);
  return all;
}

}  // namespace vernier
