#pragma once

#include "props/evidence/evidence.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// All evidence, by topic. A new topic is a file here, which defines its function, and a line here.
VERNIER_REGISTRY(topic_makers, std::vector<Evidence>,
                 alternative_evidence,      // alternatives.cpp
                 attention_evidence,        // attention.cpp
                 bilinear_evidence,         // bilinear.cpp
                 collision_evidence,        // collisions.cpp
                 concatenation_evidence,    // concatenation.cpp
                 decay_integral_evidence,   // decay_integrals.cpp
                 decay_sum_evidence,        // decay_sums.cpp
                 dot_product_evidence,      // dot_products.cpp
                 example_evidence,          // examples.cpp
                 figure_evidence,           // figures.cpp
                 identity_evidence,         // identities.cpp
                 linear_bias_evidence,      // linear_biases.cpp
                 listing_evidence,          // listings.cpp
                 recipe_error_evidence,     // recipe_errors.cpp
                 relative_scheme_evidence,  // relative_schemes.cpp
                 return_evidence,           // returns.cpp
                 rotary_evidence,           // rotary.cpp
                 rounded_table_evidence,    // rounded_tables.cpp
                 scaling_evidence,          // scaling.cpp
                 shift_evidence,            // shift.cpp
                 sine_only_evidence,        // sine_only.cpp
                 sinusoid_evidence,         // sinusoid.cpp
                 step_evidence,             // steps.cpp
                 taylor_evidence,           // taylor.cpp
                 uniqueness_evidence,       // uniqueness.cpp
                 wavelength_evidence        // wavelengths.cpp
);

}  // namespace vernier
