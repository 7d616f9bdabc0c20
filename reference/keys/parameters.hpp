#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "reference/json/json.hpp"
#include "reference/keys/domain.hpp"
#include "reference/numbers/constant.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// The largest d_model or head_dim a spec may have: several times that of any model. The truth of one row
/// takes some 50 us a pair in multiprecision, so that the widest table starts within a few seconds.
inline constexpr std::int64_t largest_dimension = std::int64_t{1} << 16;

/// The most positions, or offsets to one side, that a spec may list.
inline constexpr std::int64_t most_listed_positions = std::int64_t{1} << 20;

/// The most heads, and the most layers, that a spec or a config may have.
inline constexpr std::int64_t most_heads = std::int64_t{1} << 16;
inline constexpr std::int64_t most_layers = std::int64_t{1} << 16;

/// The most buckets of relative positions a spec may have.
inline constexpr std::int64_t most_buckets = 1024;

/// \name Ranges that keys of several schemes have
/// @{
/// The base of a geometric progression of frequencies: greater than 1, and at most 1e30, so that no frequency
/// underflows.
const NumberRange& base_range();
/// 1e-30 to 1e30.
const NumberRange& positive_range();
/// 1e-12 to 1e12, of positions and frequencies.
const NumberRange& factor_range();
/// @}

/// Every constant in use lies well within 1e12; beyond, sines say nothing or need more bits than are kept.
const Rational& greatest_constant();

/// An array of numbers, each written as a number or as text ("0.1", "1/3"): read exactly, never by way of a
/// double. \param within the array's path from the reader: "frequencies", "values[3]"
/// \param accepts the condition on each number that `expected` says in words
std::vector<Rational> read_exact_numbers(const ObjectReader& reader, const std::string& within,
                                         const JsonValue::Array& array,
                                         const std::function<bool(const Rational&)>& accepts,
                                         std::string_view expected);
/// A JSON number where its text says the value exactly, else text.
OrderedJson exact_json_number(const Rational& value);
/// The same, or text such as "pi/2".
OrderedJson exact_json_number(const Constant& value);

/// A rational as a JSON number: an integer where it is one, else the nearest double. Decimals of up to three
/// places and eight digits read back as they were; of longer ones nlohmann writes about one in 800 with a
/// digit too many.
OrderedJson json_number(const Rational& value);

}  // namespace vernier
