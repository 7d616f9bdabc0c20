#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/studies/field_study.hpp"

namespace vernier {

/// How many configurations a recipe serves to the end of what was examined.
struct Served {
  std::string_view recipe;
  Format stored = Format::binary32;
  std::int64_t served = 0;
  std::int64_t all = 0;
  std::int64_t repeating = 0;  ///< in so many some row repeats one before it
  /// The earliest row of all that repeats one before it: two positions, one encoding.
  std::optional<std::int64_t> first_repeated = {};

  bool serves_all() const { return served == all; }
  bool serves_none() const { return served == 0; }
};

/// All recipes that models are judged with, as they are listed there.
std::vector<Served> served(const std::vector<FieldEncoding>& field);

/// The same of one recipe that stores float32; nothing where models are not judged with it.
std::optional<Served> served_in_float32(const std::vector<FieldEncoding>& field, std::string_view recipe);

/// "good" if it serves all, "bad" if none, else "neutral"; "none" where it is not known.
std::string_view class_of(const std::optional<Served>& served);

/// "1 of the 11 ways that models are judged with stays within a step of bfloat16 in all 226 model
/// configurations to the end, 3 in none"
std::string headline_of_recipes(const std::vector<FieldEncoding>& field);

/// Which these ways are: "... 9 of 15 recipes that store float32, and 2 ways that store other formats."
std::string judged_ways(const std::vector<FieldEncoding>& field);

}  // namespace vernier
