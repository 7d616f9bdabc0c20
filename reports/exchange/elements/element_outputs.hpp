#pragma once

#include <span>
#include <string>

#include "reference/schemes/encoding.hpp"
#include "reports/exchange/elements/element_value.hpp"

namespace vernier {

/// The elements of one position, in words: a heading, and for each element its truth, the nearest number of
/// each format with its neighbours, and what the recipe computes.
std::string element_text(const Encoding& encoding, std::int64_t position,
                         std::span<const ElementValue> values);

/// The same as JSON.
std::string element_json(const Encoding& encoding, std::int64_t position,
                         std::span<const ElementValue> values);

}  // namespace vernier
