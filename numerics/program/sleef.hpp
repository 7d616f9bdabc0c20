#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "reference/numbers/format.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// \file
/// SLEEF's functions of one ulp, which PyTorch calls, by the machine's libsleef.so.3 where there is one. A
/// sine of a vector chooses its reduction for all lanes at once, so a lane's bits depend on its neighbours.

/// "sleef-3.5.1"; empty without the library. \throws InputError where it is loaded and cannot be looked at
const std::string& sleef_version();

/// Whether this processor takes vectors of so many float32 or float64 numbers.
bool has_sleef_lanes(Format format, std::size_t lanes);

/// The sines or cosines of a vector, in place. \pre has_sleef_lanes(format, numbers.size())
void sleef_lanes(Format format, Component component, std::span<double> numbers);

/// a^b in float32 or float64, as vectors compute it with fused products; nothing without the library.
std::optional<double> sleef_power(Format format, double a, double b);

}  // namespace vernier
