#include "reports/live/live_check.hpp"

namespace vernier {

std::span<const LiveCheckKind> live_check_kinds() {
  static const auto all = make_all(live_check_makers);
  return all;
}

}  // namespace vernier
