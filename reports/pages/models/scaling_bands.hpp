#pragma once

#include <optional>
#include <string>

#include "reference/frequencies.hpp"
#include "reports/html/charts/chart.hpp"

namespace vernier {

/// Which pairs a RoPE scaling leaves alone, blends and divides: each frequency as a share of the unscaled
/// one. Nothing where all pairs are treated alike.
std::optional<Figure> scaling_bands(const Frequencies& frequencies, const std::string& id);

}  // namespace vernier
