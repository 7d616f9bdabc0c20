#include "reports/kill_matrix/project.hpp"
#include "reports/kill_matrix/projects/comparison.hpp"

namespace vernier::kill_matrix {
namespace {

constexpr std::int64_t vllm_positions = 8192;

std::optional<Tolerance> tolerance_of(Format format) {
  switch (format) {
    case Format::binary32:
      return Tolerance{1e-5, 1.3e-6};
    case Format::binary16:
      return Tolerance{1e-3, 1e-3};
    case Format::bfloat16:
      return Tolerance{1e-2, 1.6e-2};
    default:
      return std::nullopt;
  }
}

std::optional<bool> passes_vllm(const Specimen& specimen) {
  const auto tolerance = tolerance_of(specimen.honest.stored());
  if (!is_rope(specimen) || !tolerance) {
    return std::nullopt;
  }
  // Cosines and sines are cast to the type of the vectors, which are multiplied in it.
  const auto stored = specimen.honest.stored();
  return applies_like(specimen, stored, stored, vllm_positions, *tolerance);
}

}  // namespace

ProjectTest vllm_test() {
  return {
      "vLLM", "tests/kernels/core/test_pos_encoding.py, tests/kernels/allclose_default.py",
      "Vectors rotated by the kernel against forward_native, both by the same table of cosines and sines, at "
      "positions below 8192: atol 1e-5, 1e-3, 1e-2 and rtol 1.3e-6, 1e-3, 1.6e-2 of float32, float16, "
      "bfloat16. The table is never looked at.",
      passes_vllm};
}

}  // namespace vernier::kill_matrix
