#include <algorithm>
#include <cmath>

#include "reports/measures/kill_matrix/project.hpp"
#include "reports/measures/kill_matrix/projects/comparison.hpp"

namespace vernier::kill_matrix {
namespace {

/// The drift that was measured, which grows in proportion to the position, and the band around it.
constexpr double drift = 5.6e-4 / 32768;
constexpr double band = 4;
constexpr std::int64_t longest = 32768;

std::optional<bool> passes_tensorrt_llm(const Specimen& specimen) {
  const auto& honest = specimen.honest;
  if (!is_rope(specimen) || honest.encoding->has_tables_of_axes() || !scaling_type(specimen).empty() ||
      honest.stored() != Format::binary32 || !is_usual(specimen)) {
    return std::nullopt;
  }
  const auto rows = std::min(honest.length(), longest);
  const auto last = static_cast<double>(honest.positions.at(rows - 1));
  const auto frequencies = honest.encoding->plain_tables().front().frequencies;
  const auto pairs = static_cast<std::size_t>(frequencies.pairs());
  double greatest = 0;
  for (const auto* role : {"cos", "sin"}) {
    const auto got = values_of(specimen.design, {role}, rows, specimen.seed);
    const auto width = got.size() / static_cast<std::size_t>(rows);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto position = static_cast<double>(honest.positions.at(static_cast<std::int64_t>(i / width)));
      const double phase = position * frequencies.approximate(static_cast<int>(i % width % pairs));
      const double error = std::fabs(got[i] - (role[0] == 'c' ? std::cos(phase) : std::sin(phase)));
      greatest = error <= greatest ? greatest : error;  // NaN, too
    }
  }
  return greatest <= band * drift * std::max(last, 1024.0);
}

}  // namespace

ProjectTest tensorrt_llm_test() {
  return {
      "TensorRT-LLM", "tests/unittest/_torch/attention/test_rope_frequency_precision.py",
      "The table of plain RoPE against NumPy in float64: the greatest error within four times the measured "
      "drift, 1.5e-5 at 1024 positions, 5.6e-4 at 32768. float32; no vectors, and no other encoding.",
      passes_tensorrt_llm};
}

}  // namespace vernier::kill_matrix
