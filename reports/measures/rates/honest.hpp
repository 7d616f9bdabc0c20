#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/measures/rates/design.hpp"
#include "reports/measures/rates/draw.hpp"

namespace vernier::rates {

/// An implementation without fault: some spec, computed in a way that people ship, stored in some format,
/// asked through some interface, for a context of some length. \param longest context, >= 64 \param elements
/// of a table, about \param wanted what it is to be of: see is_of()
Design draw_honest(Draw& draw, std::int64_t longest, std::int64_t elements = 1 << 18,
                   std::string_view wanted = {});

/// The same of a given spec. \param spec JSON text \param length of the context, in rows \throws InputError
Design draw_honest_of(Draw& draw, const std::string& spec, std::int64_t length);

/// Stores an honest float32 design in a format of eight bits, by the usual scale: the greatest number of the
/// format over the greatest of a table. \return whether it can: it has sines of one amplitude
bool store_in_eight_bits(Draw& draw, Design& design);

}  // namespace vernier::rates
