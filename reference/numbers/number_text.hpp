#pragma once

#include <string>

#include "reference/numbers/format.hpp"

namespace vernier {

/// The shortest decimal that reads back as this value of the format: "0.1" for the float32 nearest to one
/// tenth.
std::string shortest_text(Format format, double value);
/// The value in C's hexadecimal notation, exact: "0x1.99999ap-4".
std::string hex_text(double value);
/// The bit pattern, as wide as the format: "0x3dcccccd".
std::string bits_text(Format format, double value);
/// All three: "0.1 = 0x1.99999ap-4 = 0x3dcccccd".
std::string exact_text(Format format, double value);

}  // namespace vernier
