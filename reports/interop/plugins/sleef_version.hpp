#pragma once

#include <sleef.h>

namespace interop {

/// "3.5.1"
inline const char* sleef_version() {
  static constexpr char version[] = {'0' + SLEEF_VERSION_MAJOR,      '.', '0' + SLEEF_VERSION_MINOR, '.',
                                     '0' + SLEEF_VERSION_PATCHLEVEL, '\0'};
  static_assert(SLEEF_VERSION_MAJOR < 10 && SLEEF_VERSION_MINOR < 10 && SLEEF_VERSION_PATCHLEVEL < 10);
  return version;
}

}  // namespace interop
