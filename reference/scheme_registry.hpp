#pragma once

#include <span>

#include "reference/encoding.hpp"

namespace vernier {

/// All schemes Vernier knows: schemes/schemes.hpp lists them.
std::span<const Scheme> schemes();

/// Reads a spec. \throws InputError naming the key and what was expected
std::unique_ptr<Encoding> parse_spec(ObjectReader spec);

}  // namespace vernier
