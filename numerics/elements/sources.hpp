#pragma once

#include <memory>
#include <span>

#include "numerics/elements/element_source.hpp"

namespace vernier {

/// \name The sources of element_source() that nobody needs to know more of \param rows, positions, relative
/// what they refer to outlives the source
/// @{

/// Tables of sines and cosines, of one position a row or of several, with a scale or without. An element
/// proves nothing where its budget is too large for the amplitude times the scale, or where the scale is
/// beyond 2^+-400; where it may be beyond the greatest number of the format any value may be the right one.
std::unique_ptr<ElementSource> turned_source(const TurnedTable& table, const SourceRows& rows);
/// Tables of values: rational ones, products of those with sines, and numbers that are computed. A sum may
/// cancel: the budget of a computed number, no small share of itself, proves something as long as it is a
/// small share of the greatest number of the table. \throws InputError for a position without a row
std::unique_ptr<ElementSource> value_source(const ExactTable& table, std::span<const std::int64_t> positions);
/// Buckets of relative positions, one a row.
std::unique_ptr<ElementSource> bucket_source(const BucketTable& table,
                                             std::span<const std::int64_t> relative);

/// @}

}  // namespace vernier
