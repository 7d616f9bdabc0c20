#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vernier {

/// What an output is filled with before a call. As elements of any floating-point type such bytes are NaN, or
/// far from anything that an encoding holds. Two calls in a row get different ones.
std::byte poison_for(std::uint64_t sequence);

/// The elements that still hold the poison. \param width of an element, in bytes
std::vector<std::size_t> poisoned_elements(std::span<const std::byte> bytes, std::size_t width,
                                           std::byte poison);

}  // namespace vernier
