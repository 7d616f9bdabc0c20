#include "numerics/recipes/c_library.hpp"

#include <gnu/libc-version.h>

namespace vernier {

std::string c_library() {
  return std::string("glibc ") + gnu_get_libc_version();
}

}  // namespace vernier
