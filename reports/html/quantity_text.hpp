#pragma once

#include <cstdint>
#include <string>

namespace vernier {

/// A count, its digits grouped: "9999", "1 048 576".
std::string count_text(std::int64_t count);

/// A measurement in three significant digits, for people: "0.00772", "1540", "2.52 × 10¹⁰", "2.98 × 10⁻⁸".
/// Infinities and what is no number as number_text() has them.
std::string measure_text(double value);

}  // namespace vernier
