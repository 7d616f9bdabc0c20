#include "reports/kill_matrix/project.hpp"
#include "reports/kill_matrix/projects/comparison.hpp"

namespace vernier::kill_matrix {
namespace {

constexpr std::int64_t liger_positions = 8192;  // the longest seq_len
constexpr double relative = 1e-5;

std::optional<double> absolute_of(Format format) {
  switch (format) {
    case Format::binary32:
      return 1e-5;
    case Format::binary16:
      return 1e-2;
    case Format::bfloat16:
      return 1e-1;
    default:
      return std::nullopt;
  }
}

std::optional<bool> passes_liger(const Specimen& specimen) {
  const auto absolute = absolute_of(specimen.honest.stored());
  if (!is_rope(specimen) || !absolute) {
    return std::nullopt;
  }
  const auto stored = specimen.honest.stored();
  return applies_like(specimen, stored, stored, liger_positions, {*absolute, relative});
}

}  // namespace

ProjectTest liger_test() {
  return {
      "Liger", "test/transformers/test_rope.py",
      "Vectors rotated by the kernel against Hugging Face's apply_rotary_pos_emb, both by the same cosines "
      "and sines, at up to 8192 positions: atol 1e-5, 1e-2, 1e-1 of float32, float16, bfloat16, rtol 1e-5.",
      passes_liger};
}

}  // namespace vernier::kill_matrix
