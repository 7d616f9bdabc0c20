#pragma once

#include <cstdint>

namespace vernier {

/// The seed of every random test: the environment variable VERNIER_SEED, or a fixed one. Printed when a test
/// program starts.
std::uint64_t test_seed();

}  // namespace vernier
