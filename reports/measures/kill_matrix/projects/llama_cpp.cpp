#include <algorithm>
#include <cmath>

#include "reports/measures/kill_matrix/project.hpp"
#include "reports/measures/kill_matrix/projects/comparison.hpp"

namespace vernier::kill_matrix {
namespace {

constexpr double rope_error = 1e-7;                // max_nmse_err of test_case
constexpr double soft_max_error = 1e-6;            // of test_soft_max
constexpr std::int64_t llama_cpp_positions = 512;  // rand() % 512
constexpr std::size_t keys = 16;                   // a shape of test_soft_max

bool is_within(double error, double most) {
  return error <= most;  // false for NaN
}

/// The CPU kernel. It is handed the frequencies of every scaling but the linear one: YaRN's ramp is
/// degenerate in the cases (n_ctx_orig 0), the factors of others are an input.
rates::Design cpu_kernel(const Specimen& specimen) {
  auto design = independent(specimen, Format::binary32);
  const auto scaling = scaling_type(specimen);
  if (!scaling.empty() && scaling != "linear") {
    design.frequencies = specimen.design.frequencies;
    design.amplitude = specimen.design.amplitude;
  }
  return design;
}

/// Softmax of scores and slope times mask, head by head.
std::vector<double> attention(const rates::Design& design, std::size_t heads, std::uint64_t seed) {
  rates::Draw draw(seed);
  std::vector<double> result;
  for (std::size_t head = 0; head < heads; ++head) {
    std::vector<double> weights(keys);
    double sum = 0;
    for (auto& weight : weights) {
      const double score = 2 * draw.share() - 1;
      const double mask = 2 * draw.share() - 1;
      weight = std::exp(score + design.sloping(head) * mask);
      sum += weight;
    }
    std::ranges::transform(weights, std::back_inserter(result), [sum](double w) { return w / sum; });
  }
  return result;
}

std::optional<bool> passes_llama_cpp(const Specimen& specimen) {
  const auto& honest = specimen.honest;
  const auto stored = honest.stored();
  if ((stored != Format::binary32 && stored != Format::binary16) || !is_usual(specimen)) {
    return std::nullopt;
  }
  if (is_rope(specimen)) {
    const auto expected = values_of(cpu_kernel(specimen), {"rotated"}, llama_cpp_positions, specimen.seed);
    const auto got = values_of(specimen.design, {"rotated"}, llama_cpp_positions, specimen.seed);
    return is_within(normalised_square_error(got, expected), rope_error);
  }
  if (honest.sloping) {
    const auto heads = honest.encoding->all<BiasTable>().front().slopes.size();
    return is_within(normalised_square_error(attention(specimen.design, heads, specimen.seed),
                                             attention(honest, heads, specimen.seed)),
                     soft_max_error);
  }
  return std::nullopt;
}

}  // namespace

ProjectTest llama_cpp_test() {
  return {
      "llama.cpp", "tests/test-backend-ops.cpp (test_rope, test_soft_max)",
      "Vectors rotated by the backend against the CPU kernel, at positions below 512: normalised mean square "
      "error at most 1e-7. Both get the frequencies of a scaling from outside, and YaRN's ramp is not "
      "exercised. ALiBi by the softmax of random masks, at most 1e-6. float32 and float16; no tables.",
      passes_llama_cpp};
}

}  // namespace vernier::kill_matrix
