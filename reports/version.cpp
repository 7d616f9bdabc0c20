#include "reports/version.hpp"

namespace vernier {

std::string_view version() {
  return VERNIER_VERSION;
}

}  // namespace vernier
