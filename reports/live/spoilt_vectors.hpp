#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/cases/rotated_tensor.hpp"
#include "numerics/implementations/covering/coordinates.hpp"

namespace vernier {

/// A number that depends on every bit of another one: the finalizer of SplitMix64.
std::uint64_t mixed(std::uint64_t x);

/// The dimensions of a vector that numbers that are not finite stand in, or may change.
struct Spoilt {
  std::size_t first;                  ///< holds the number
  std::optional<std::size_t> second;  ///< of its pair
};

/// Every third vector of a question about such numbers is spoilt. \param vectors that are rotated
/// \return nothing for a vector that stays finite
std::optional<Spoilt> spoilt_at(const RotatedTensor& vectors, const QuestionPoint& point, std::size_t index);

/// Whether an element that is not finite left its mark in what it belongs to. \param turns whether the
/// position turns the pair
bool passes_on(const Spoilt& spoilt, NotFinite kind, const Tensor& answer, std::size_t index, bool turns);

/// Sets the elements that may be anything to zero. \param width in bytes, of an element
void blank(const Spoilt& spoilt, std::size_t width, std::vector<std::byte>& row);

/// The number itself. \pre there is one
double special_of(NotFinite kind);

}  // namespace vernier
