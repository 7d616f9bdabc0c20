#include "props/method.hpp"

namespace vernier {

std::string_view name_of(Method method) {
  switch (method) {
    case Method::exact:
      return "exact";
    case Method::interval:
      return "interval";
    case Method::exhaustive:
      return "exhaustive";
    case Method::search:
      break;
  }
  return "search";
}

}  // namespace vernier
