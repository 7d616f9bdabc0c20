// Tests of kernels within a tolerance of tolerances_in_use.json: of its project, for the type of the vectors.

#include <limits>

#include "reports/measures/kill_matrix/project.hpp"
#include "reports/measures/kill_matrix/projects/comparison.hpp"
#include "reports/measures/tolerances/tolerances_in_use.hpp"

namespace vernier::kill_matrix {
namespace {

/// Who rotates by the very same cosines and sines, in the type of the vectors: these are cast to it.
std::optional<bool> passes_by_own_table(const Specimen& specimen, std::string_view project) {
  const auto stored = specimen.honest.stored();
  const auto* in_use = tolerance_of(project, stored);
  if (!is_rope(specimen) || in_use == nullptr) {
    return std::nullopt;
  }
  return applies_like(specimen, stored, stored, in_use->positions, in_use->tolerance);
}

std::optional<bool> passes_flashinfer(const Specimen& specimen) {
  const auto scaling = scaling_type(specimen);
  const bool has_reference = scaling.empty() || scaling == "llama3";
  const auto stored = specimen.honest.stored();
  const auto* in_use = tolerance_of("flashinfer", stored);
  if (!is_rope(specimen) || specimen.honest.encoding->has_tables_of_axes() || !has_reference ||
      in_use == nullptr) {
    return std::nullopt;
  }
  if (in_use->expected == Expected::same_table) {
    return applies_like(specimen, Format::binary32, Format::binary32, in_use->positions, in_use->tolerance);
  }
  if (!is_usual(specimen)) {
    return std::nullopt;
  }
  // Of the half layout two of its own kernels are compared with each other.
  const auto spec = OrderedJson::parse(specimen.honest.spec);
  return spec.value("layout", "half") == "half" ||
         rotates_like(specimen, independent(specimen, Format::binary32), in_use->positions,
                      in_use->tolerance);
}

std::optional<bool> passes_kernelbench(const Specimen& specimen) {
  const auto* in_use = tolerance_of("KernelBench", specimen.honest.stored());
  if (in_use == nullptr || !is_usual(specimen)) {
    return std::nullopt;
  }
  constexpr auto all = std::numeric_limits<std::int64_t>::max();
  return are_close(values_of(specimen.design, {}, all, specimen.seed),
                   values_of(independent(specimen, Format::binary32), {}, all, specimen.seed),
                   in_use->tolerance);
}

}  // namespace

ProjectTest vllm_test() {
  return {"vLLM", "tests/kernels/core/test_pos_encoding.py, tests/kernels/allclose_default.py",
          "Vectors rotated by the kernel against forward_native, both by the same table of cosines and "
          "sines, at positions below 8192. For float32, float16, bfloat16: atol 1e-5, 1e-3, 1e-2 and rtol "
          "1.3e-6, 1e-3, 1.6e-2. The table is never looked at.",
          [](const Specimen& specimen) { return passes_by_own_table(specimen, "vLLM"); }};
}

ProjectTest liger_test() {
  return {
      "Liger", "test/transformers/test_rope.py",
      "Vectors rotated by the kernel against Hugging Face's apply_rotary_pos_emb, both by the same cosines "
      "and sines, at up to 8192 positions. For float32, float16, bfloat16: atol 1e-5, 1e-2, 1e-1, rtol 1e-5.",
      [](const Specimen& specimen) { return passes_by_own_table(specimen, "Liger"); }};
}

ProjectTest flashinfer_test() {
  return {
      "flashinfer", "tests/test_rope.py",
      "float16: vectors rotated in the interleaved layout against a reference of its own, plain and Llama "
      "3.1, at positions below 303, atol = rtol = 1e-3; of the half layout only its own kernels with each "
      "other. bfloat16: against PyTorch by the same table, at positions below 512, 1e-2.",
      passes_flashinfer};
}

ProjectTest kernelbench_test() {
  return {
      "KernelBench", "src/kernelbench/eval.py",
      "Its rule, on every tensor and the whole context: against a reference module, atol = rtol = 1e-4 of "
      "float32, 1e-2 of 16 bits.",
      passes_kernelbench};
}

}  // namespace vernier::kill_matrix
