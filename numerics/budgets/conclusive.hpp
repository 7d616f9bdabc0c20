#pragma once

namespace vernier {

/// What is off by more than this share of a size proves nothing of what has that size: the amplitude of a
/// sine, the norm of a pair, the magnitude of a value.
inline constexpr double conclusive_share = 0.25;

/// Whether an error that is allowed to something of a size proves nothing; also of one that is no number.
constexpr bool proves_nothing(double allowed, double size) {
  return !(allowed <= conclusive_share * size);
}

}  // namespace vernier
