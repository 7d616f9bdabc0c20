#pragma once

#include "reference/schemes/encoding.hpp"
#include "reference/support/registry.hpp"

namespace vernier {

/// Every file of schemes. A new one is a file, which defines its function, and a line here; their order is
/// that of schemes.json.
// clang-format off
VERNIER_REGISTRY(scheme_makers, std::vector<Scheme>,
    sinusoidal_schemes,
    rope_schemes,
    axial_rope_schemes,
    xpos_schemes,
    alibi_schemes,
    logarithmic_bucket_schemes,
    exact_position_schemes,
    sinusoid_variant_schemes,
    clipped_offset_schemes,
    query_scale_schemes,
    decay_schemes,
    distance_bias_schemes,
    window_schemes,
    position_ids_schemes,
    resampled_schemes,
    fourier_features_schemes,
    compact_positions_schemes,
    fourier_sums_schemes);
// clang-format on

}  // namespace vernier
