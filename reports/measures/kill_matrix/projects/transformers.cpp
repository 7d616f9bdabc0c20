#include <algorithm>
#include <cmath>
#include <set>

#include "reports/measures/kill_matrix/project.hpp"
#include "reports/measures/kill_matrix/projects/comparison.hpp"

namespace vernier::kill_matrix {
namespace {

constexpr Tolerance of_frequencies{1e-5, 1.3e-6};  // torch.testing.assert_close's own for float32
constexpr Tolerance of_sinusoids{1e-4, 1e-5};      // tolerance = 1e-4, and torch.allclose's rtol
constexpr double of_float32 = 1e-6;                // an amplitude that is equal but for its rounding
constexpr std::int64_t transformers_positions = 3;
constexpr std::size_t sinusoid_columns = 5;

/// As the file writes it, with five significant digits.
double as_written(double value) {
  if (value == 0) {
    return 0;
  }
  const double unit = std::pow(10, std::floor(std::log10(std::fabs(value))) - 4);
  return std::round(value / unit) * unit;
}

bool frequencies_pass(const Specimen& specimen) {
  const auto rotation = specimen.honest.encoding->all<HeadRotation>().front();
  std::vector<double> expected;
  for (int pair = 0; pair < rotation.table.frequencies.pairs(); ++pair) {
    expected.push_back(as_written(rotation.table.frequencies.approximate(pair)));
  }
  const double amplitude = approximately(rotation.table.amplitude);
  return are_close(specimen.design.frequencies, expected, of_frequencies) &&
         std::fabs(specimen.design.amplitude - amplitude) <= of_float32 * amplitude;
}

/// The first columns of the first rows against four decimals.
bool sinusoids_pass(const Specimen& specimen) {
  const auto table = specimen.honest.encoding->plain_tables().front();
  const auto got = values_of(specimen.design, {"encoding"}, transformers_positions, specimen.seed);
  const auto width = table.columns.size();
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i / width);
    const auto& [pair, component] = table.columns[i % width];
    const auto position = specimen.honest.positions.at(row);
    if (i % width >= sinusoid_columns || table.is_zero(position, i % width)) {
      continue;
    }
    const double phase = static_cast<double>(position) * table.frequencies.approximate(pair);
    const double value =
        approximately(table.amplitude) * (component == Component::sine ? std::sin(phase) : std::cos(phase));
    if (!are_close({got[i]}, {std::round(value * 1e4) / 1e4}, of_sinusoids)) {
      return false;
    }
  }
  return true;
}

std::optional<bool> passes_transformers(const Specimen& specimen) {
  const std::set<std::string> scalings{"", "linear", "dynamic", "yarn", "longrope", "llama3"};
  if (specimen.honest.stored() != Format::binary32 || !is_usual(specimen)) {
    return std::nullopt;
  }
  const auto scheme = specimen.honest.encoding->scheme();
  if (is_rope(specimen) && !specimen.honest.encoding->has_tables_of_axes() &&
      scalings.contains(scaling_type(specimen))) {
    return frequencies_pass(specimen);
  }
  return scheme == "sinusoidal" ? std::optional(sinusoids_pass(specimen)) : std::nullopt;
}

}  // namespace

ProjectTest transformers_test() {
  return {
      "transformers",
      "tests/utils/test_modeling_rope_utils.py; tests/models/roformer/test_modeling_roformer.py",
      "Inverse frequencies against five written digits, by assert_close (atol 1e-5, rtol 1.3e-6), and the "
      "attention factor; not cosines, sines or vectors. Five columns of the first three rows of sinusoids, "
      "within 1e-4. float32.",
      passes_transformers};
}

}  // namespace vernier::kill_matrix
