#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// The floating-point types, by their names: what an option usually takes.
std::vector<std::string> stored_formats();

/// What integers an option takes besides.
enum class Integers { none, of_indices };

/// The type that --dtype names: "bfloat16", or as people write it "bf16". \param option what to call it in
/// errors \throws InputError for another word
ElementType read_dtype(const std::string& word, Integers integers = Integers::none,
                       std::string_view option = "--dtype");

}  // namespace vernier
