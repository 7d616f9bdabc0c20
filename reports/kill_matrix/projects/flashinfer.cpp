#include "reports/kill_matrix/project.hpp"
#include "reports/kill_matrix/projects/comparison.hpp"

namespace vernier::kill_matrix {
namespace {

constexpr Tolerance of_float16{1e-3, 1e-3};
constexpr Tolerance of_bfloat16{1e-2, 1e-2};
constexpr std::int64_t independent_positions = 99 + 204;  // offset + qkv_len
constexpr std::int64_t shared_positions = 512;            // seq_len

std::optional<bool> passes_flashinfer(const Specimen& specimen) {
  const auto scaling = scaling_type(specimen);
  const bool has_reference = scaling.empty() || scaling == "llama3";
  if (!is_rope(specimen) || specimen.honest.encoding->has_tables_of_axes() || !has_reference) {
    return std::nullopt;
  }
  switch (specimen.honest.stored()) {
    case Format::binary16: {
      if (!is_usual(specimen)) {
        return std::nullopt;
      }
      // Of the half layout two of its own kernels are compared with each other.
      const auto spec = OrderedJson::parse(specimen.honest.spec);
      return spec.value("layout", "half") == "half" ||
             rotates_like(specimen, independent(specimen, Format::binary32), independent_positions,
                          of_float16);
    }
    case Format::bfloat16:
      return applies_like(specimen, Format::binary32, Format::binary32, shared_positions, of_bfloat16);
    default:
      return std::nullopt;
  }
}

}  // namespace

ProjectTest flashinfer_test() {
  return {
      "flashinfer", "tests/test_rope.py",
      "float16: vectors rotated in the interleaved layout against a reference of its own, plain and Llama "
      "3.1, at positions below 303, atol = rtol = 1e-3; of the half layout only its own kernels with each "
      "other. bfloat16: against PyTorch by the same table, at positions below 512, 1e-2.",
      passes_flashinfer};
}

}  // namespace vernier::kill_matrix
