#pragma once

#include "props/literature/evidence.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// All evidence, by topic. A new topic is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(topic_makers, std::vector<Evidence>,
    alternative_evidence,  // alternatives.cpp
    attention_evidence,
    bilinear_evidence,
    collision_evidence,  // collisions.cpp
    concatenation_evidence,
    decay_integral_evidence,  // decay_integrals.cpp
    decay_sum_evidence,  // decay_sums.cpp
    dot_product_evidence,  // dot_products.cpp
    example_evidence,  // examples.cpp
    figure_evidence,  // figures.cpp
    identity_evidence,  // identities.cpp
    linear_bias_evidence,  // linear_biases.cpp
    listing_evidence,  // listings.cpp
    recipe_error_evidence,  // recipe_errors.cpp
    relative_scheme_evidence,  // relative_schemes.cpp
    return_evidence,  // returns.cpp
    rotary_evidence,
    rounded_table_evidence,  // rounded_tables.cpp
    scaling_evidence,
    shift_evidence,
    sine_only_evidence,
    sinusoid_evidence,
    step_evidence,  // steps.cpp
    taylor_evidence,
    uniqueness_evidence,
    wavelength_evidence);  // wavelengths.cpp
// clang-format on

}  // namespace vernier
