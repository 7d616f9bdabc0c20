#pragma once

#include <span>

namespace vernier {

/// The C library's sinf and cosf of each phase, to the bit: by vectors where those are certain to be its bits
/// (kernel.cpp says why), else by the library itself; all by the library if it is one that computes in
/// another way, as a comparison shows at the first call.
/// \param phases float values \param sines, cosines as many
void single_sines_cosines(std::span<const double> phases, std::span<double> sines, std::span<double> cosines);

}  // namespace vernier
