#pragma once

#include "props/literature/evidence.hpp"
#include "reference/support/registry.hpp"

namespace vernier {

/// All evidence, by topic. A new topic is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(topic_makers, std::vector<Evidence>,
    alternative_evidence,  // alternatives.cpp
    attention_evidence,
    base_criterion_evidence,  // base_criterion.cpp
    bilinear_evidence,
    collision_evidence,  // collisions.cpp
    decay_integral_evidence,  // decay_integrals.cpp
    decay_sum_evidence,  // decay_sums.cpp
    dot_product_evidence,  // dot_products.cpp
    example_evidence,  // examples.cpp
    figure_evidence,  // figures.cpp
    identity_evidence,  // identities.cpp
    listing_evidence,  // listings.cpp
    paper_score_evidence,  // paper_scores.cpp
    relative_scheme_evidence,  // relative_schemes.cpp
    rotary_evidence,
    rounded_table_evidence,  // rounded_tables.cpp
    shift_evidence,
    sine_only_evidence,
    sinusoid_evidence,
    step_evidence,  // steps.cpp
    taylor_evidence,
    uniqueness_evidence);
// clang-format on

}  // namespace vernier
