#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numerics/tolerances/tolerance.hpp"
#include "reports/measures/kill_matrix/mutant.hpp"

namespace vernier::kill_matrix {

/// The same encoding, written independently: in float32, frequencies 1/pow(b, 2i/d), vectors rotated in
/// `arithmetic`. The specimen without its faults where no recipe computes such frequencies.
rates::Design independent(const Specimen& specimen, Format arithmetic);

/// The values of all tensors of some roles for the first rows of the context, one after another; vectors are
/// drawn from the standard normal distribution. \param roles empty for all
std::vector<double> values_of(const rates::Design& design, std::vector<std::string> roles, std::int64_t rows,
                              std::uint64_t seed);

bool are_close(const std::vector<double>& got, const std::vector<double>& expected, Tolerance tolerance);
/// sum (got - expected)^2 / sum expected^2; NaN if an element is none
double normalised_square_error(const std::vector<double>& got, const std::vector<double>& expected);

/// Whether the rotated vectors of the first rows are close to those of the other design.
bool rotates_like(const Specimen& specimen, const rates::Design& other, std::int64_t rows,
                  Tolerance tolerance);
/// The same of who rotates by the very cosines and sines of the specimen, stored in the format of `table`, in
/// `arithmetic`: what the specimen rotates by is no part of the test. \pre a rope
bool applies_like(const Specimen& specimen, Format table, Format arithmetic, std::int64_t rows,
                  Tolerance tolerance);

bool is_rope(const Specimen& specimen);
/// "yarn", "llama3" ...; empty where nothing is scaled
std::string scaling_type(const Specimen& specimen);
/// Whether it is held to the default contract: others allow what an independent computation does not do.
bool is_usual(const Specimen& specimen);

}  // namespace vernier::kill_matrix
