#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "numerics/elements/element_source.hpp"
#include "numerics/errors/elementwise_report.hpp"

namespace vernier {

/// Judges rows of results as arithmetic in `compute` and one rounding to the narrower `stored`. The contract
/// may allow more, as to vectors the products of their stored format: an element that is within its budget
/// and fails here was not computed so. Tables, products or sums were rounded to fewer bits than those of
/// `compute`, or the result was cut off. What is allowed is the contract's budget of results stored in
/// `compute`, all before the last rounding, and half an ulp of `stored`.
/// \param source of the tensor, bound to results in `compute` afterwards \param contract one that computes in
/// `compute` \param got an element by its index in the tensor
/// \returns nothing judged where the contract says nothing of the tensor
ElementwiseReport audit_one_rounding(ElementSource& source, const Contract& contract, Format compute,
                                     Format stored, std::span<const std::size_t> rows,
                                     const std::function<double(std::size_t)>& got);

}  // namespace vernier
