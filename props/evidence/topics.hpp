#pragma once

#include <vector>

#include "props/evidence/evidence.hpp"

namespace vernier {

// Each topic is one file here and one line in evidence_registry.cpp.
std::vector<Evidence> alternative_evidence();
std::vector<Evidence> attention_evidence();
std::vector<Evidence> bilinear_evidence();
std::vector<Evidence> collision_evidence();
std::vector<Evidence> concatenation_evidence();
std::vector<Evidence> decay_integral_evidence();
std::vector<Evidence> decay_sum_evidence();
std::vector<Evidence> dot_product_evidence();
std::vector<Evidence> example_evidence();
std::vector<Evidence> figure_evidence();
std::vector<Evidence> identity_evidence();
std::vector<Evidence> linear_bias_evidence();
std::vector<Evidence> listing_evidence();
std::vector<Evidence> recipe_error_evidence();
std::vector<Evidence> relative_scheme_evidence();
std::vector<Evidence> return_evidence();
std::vector<Evidence> rotary_evidence();
std::vector<Evidence> rounded_table_evidence();
std::vector<Evidence> scaling_evidence();
std::vector<Evidence> shift_evidence();
std::vector<Evidence> sine_only_evidence();
std::vector<Evidence> sinusoid_evidence();
std::vector<Evidence> step_evidence();
std::vector<Evidence> taylor_evidence();
std::vector<Evidence> uniqueness_evidence();
std::vector<Evidence> wavelength_evidence();

}  // namespace vernier
