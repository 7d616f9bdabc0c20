#pragma once

#include "reference/schemes/encoding.hpp"
#include "reference/support/registry.hpp"

namespace vernier {

/// Every scheme. A new one is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(scheme_makers, Scheme,
    sinusoidal_scheme,
    rope_scheme,
    axial_rope_scheme,
    xpos_scheme,
    alibi_scheme,
    t5_bucket_scheme,
    deberta_bucket_scheme,
    integer_index_scheme,
    normalised_scheme,
    binary_scheme,
    learned_scheme,
    one_hot_scheme,
    scaled_sinusoid_scheme,
    no_encoding_scheme,
    sine_only_scheme,
    sine_powers_of_two_scheme,
    frequency_list_scheme,
    frequency_family_scheme,
    shaw_scheme,
    transformer_xl_scheme,
    deberta_span_scheme,
    query_scale_scheme,
    decay_scheme,
    kerple_scheme,
    sandwich_scheme,
    window_index_scheme,
    position_ids_scheme,
    resampled_scheme,
    log_coordinates_scheme,
    fourier_features_scheme,
    alphafold_bin_scheme,
    time_bucket_scheme,
    compact_positions_scheme,
    fourier_sums_scheme);
// clang-format on

}  // namespace vernier
