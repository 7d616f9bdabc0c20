#pragma once

#include <span>
#include <vector>

namespace vernier {

/// A label that wants to stand at one height, its middle, and takes so much room.
struct WantedPlace {
  double middle;
  double height;
};

/// Middles of the labels so that none overlaps another, each as near to where it wants to be as that allows,
/// in their order of height, between `top` and `bottom` where there is room for all.
std::vector<double> spread_labels(std::span<const WantedPlace> wanted, double top, double bottom);

}  // namespace vernier
