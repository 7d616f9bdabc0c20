#pragma once

#include <string>

namespace vernier {

/// The C library whose pow, exp, sin and cos the recipes compute with, as it names itself: "glibc 2.36".
/// Another library's functions give the recipes other errors.
std::string c_library();

}  // namespace vernier
