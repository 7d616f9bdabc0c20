#pragma once

#include <string_view>
#include <vector>

#include "numerics/tensors/case.hpp"
#include "reference/tables/tensor_definition.hpp"

namespace vernier {

/// \file
/// Tensors in the forms in which engines hold them, and the tensors of an encoding that they hold.

/// The roles of tensors that hold several others: "cos_sin_cache", "freqs_cis" (packed_forms.hpp).
std::vector<std::string_view> packed_roles();

/// The role of the frequencies of the pairs, [pairs].
inline constexpr std::string_view frequencies_role = "inv_freq";

/// The frequencies of the pairs as a tensor, if the encoding turns pairs by one frequency each and positions
/// as they are given. An honest one is off by what its contract allows the frequency
/// (Contract::of_frequency).
std::vector<TensorDefinition> frequency_definitions(const Encoding& encoding);

/// The case with its tensors as the encoding defines them:
/// - a packed form becomes cos and sin (packed_forms.hpp);
/// - a table [heads, T, W] becomes [T, heads W] where the encoding has that width alone;
/// - a table [T] becomes [T, 1] where the encoding has the width 1;
/// - positions without the rows of `zero_prefix` get those in front.
/// \throws InputError for a packed tensor beside one that it holds, or of an odd width
CaseInput in_defined_forms(CaseInput parts, const Encoding& encoding);

}  // namespace vernier
