#pragma once

#include <string>
#include <string_view>

namespace vernier {

/// The SHA-256 digest of bytes (FIPS 180-4), 64 hexadecimal digits as sha256sum prints them.
std::string sha256(std::string_view bytes);

}  // namespace vernier
