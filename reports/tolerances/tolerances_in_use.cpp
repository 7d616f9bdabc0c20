#include "reports/tolerances/tolerances_in_use.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "props/specs.hpp"
#include "reports/rates/design.hpp"

namespace vernier {
namespace {

using enum ElementType;

constexpr std::string_view rope_64_spec = R"({"scheme": "rope", "head_dim": 64, "rope_theta": 10000})";
constexpr std::size_t most_examples = 3;

constexpr double of_uniform = 1;  ///< of numbers from 0 to 1
constexpr double of_table = 0;

// What a thread does not tell of a relative part is none here. torch's own of assert_close are 1e-5
// and 1.3e-6, 1e-3, 1.6e-2 of float32, float16, bfloat16.
constexpr std::array tolerances_used{
    ToleranceInUse{"vLLM",
                   "tests/kernels/core/test_pos_encoding.py, tests/kernels/allclose_default.py",
                   "a kernel and forward_native, by one table",
                   float32,
                   8192,
                   {1e-5, 1.3e-6}},
    ToleranceInUse{"vLLM", "the same files", "the same", float16, 8192, {1e-3, 1e-3}},
    ToleranceInUse{"vLLM", "the same files", "the same", bfloat16, 8192, {1e-2, 1.6e-2}},
    ToleranceInUse{"vLLM",
                   "vllm-project/vllm#51083, before",
                   "a fused kernel and AITER's, by one table",
                   bfloat16,
                   4096,
                   {1e-3, 0}},
    ToleranceInUse{"vLLM", "vllm-project/vllm#51083, after: keys", "the same", bfloat16, 4096, {2e-2, 0}},
    ToleranceInUse{"vLLM", "vllm-project/vllm#51083, after: queries", "the same", bfloat16, 4096, {4e-2, 0}},
    ToleranceInUse{"flashinfer",
                   "tests/test_rope.py",
                   "a kernel and a reference of its own",
                   float16,
                   303,
                   {1e-3, 1e-3},
                   Expected::another},
    ToleranceInUse{"flashinfer",
                   "tests/test_rope.py",
                   "a kernel and PyTorch, by one table",
                   bfloat16,
                   512,
                   {1e-2, 1e-2}},
    ToleranceInUse{"flashinfer for AMD",
                   "AMD-Ecosystem/flashinfer, AITER's rope test",
                   "AITER's kernel and PyTorch",
                   float16,
                   33,
                   {1e-2, 1e-2}},
    ToleranceInUse{"flashinfer for AMD",
                   "AMD-Ecosystem/flashinfer, AITER's rope test",
                   "the same",
                   bfloat16,
                   33,
                   {7e-2, 7e-2}},
    ToleranceInUse{"Liger",
                   "test/transformers/test_rope.py",
                   "a kernel and Hugging Face's, by one table",
                   float32,
                   8192,
                   {1e-5, 1e-5}},
    ToleranceInUse{"Liger", "test/transformers/test_rope.py", "the same", float16, 8192, {1e-2, 1e-5}},
    ToleranceInUse{"Liger", "test/transformers/test_rope.py", "the same", bfloat16, 8192, {1e-1, 1e-5}},
    ToleranceInUse{"Transformer Engine",
                   "tests/pytorch/test_fused_rope.py (torch's defaults)",
                   "the fused kernel and float32, by the same phases",
                   float32,
                   4096,
                   {1e-5, 1.3e-6},
                   Expected::same_table,
                   of_uniform},
    ToleranceInUse{"Transformer Engine",
                   "tests/pytorch/test_fused_rope.py (torch's defaults)",
                   "the same",
                   float16,
                   4096,
                   {1e-5, 1e-3},
                   Expected::same_table,
                   of_uniform},
    ToleranceInUse{"Transformer Engine",
                   "tests/pytorch/test_fused_rope.py (torch's defaults)",
                   "the same",
                   bfloat16,
                   4096,
                   {1e-5, 1.6e-2},
                   Expected::same_table,
                   of_uniform},
    ToleranceInUse{"Megatron-LM",
                   "NVIDIA/Megatron-LM#4640",
                   "a fused kernel and the unfused code",
                   bfloat16,
                   4096,
                   {5e-2, 2e-2}},
    ToleranceInUse{"MLX",
                   "python/tests/test_fast.py, test_rope",
                   "mx.fast.rope and its operations one by one",
                   float32,
                   4,
                   {1e-6, 0},
                   Expected::another,
                   of_uniform},
    ToleranceInUse{"MLX",
                   "python/tests/test_fast.py, test_rope",
                   "the same, in float32",
                   float16,
                   4,
                   {1e-3, 0},
                   Expected::certified,
                   of_uniform},
    ToleranceInUse{"MLX",
                   "python/tests/test_fast.py, test_rope",
                   "the same, in float32",
                   bfloat16,
                   4,
                   {1e-2, 0},
                   Expected::certified,
                   of_uniform},
    ToleranceInUse{"MLX",
                   "python/tests/test_fast.py, test_rope_large_input",
                   "the same",
                   float32,
                   8192,
                   {5e-3, 0},
                   Expected::another},
    ToleranceInUse{"MLX",
                   "python/tests/test_fast.py, test_rope_with_large_offset",
                   "bfloat16 and float32",
                   bfloat16,
                   5024,
                   {1e-1, 0},
                   Expected::certified},
    ToleranceInUse{"SGLang",
                   "sgl-project/sglang#35795, before",
                   "a fused kernel and float32, by one table",
                   bfloat16,
                   4096,
                   {6e-2, 0},
                   Expected::same_table,
                   30},
    ToleranceInUse{"KernelBench",
                   "src/kernelbench/eval.py",
                   "a kernel and a reference module",
                   float32,
                   4096,
                   {1e-4, 1e-4},
                   Expected::another},
    ToleranceInUse{
        "KernelBench", "src/kernelbench/eval.py", "the same", float16, 4096, {1e-2, 1e-2}, Expected::another},
    ToleranceInUse{"KernelBench",
                   "src/kernelbench/eval.py",
                   "the same",
                   bfloat16,
                   4096,
                   {1e-2, 1e-2},
                   Expected::another},
    ToleranceInUse{"TensorRT-LLM",
                   "tests/unittest/_torch/attention/test_rope_frequency_precision.py",
                   "the table and NumPy in float64",
                   float32,
                   1024,
                   {6e-5, 0},
                   Expected::certified,
                   of_table},
    ToleranceInUse{"TensorRT-LLM",
                   "tests/unittest/_torch/attention/test_rope_frequency_precision.py",
                   "the same",
                   float32,
                   32768,
                   {2.24e-3, 0},
                   Expected::certified,
                   of_table}};

ToleranceQuestion question_of(const ToleranceInUse& in_use, std::int64_t positions,
                              std::shared_ptr<const Encoding> encoding) {
  ToleranceQuestion question;
  question.encoding = std::move(encoding);
  question.positions = {0, 1, std::min(in_use.positions, positions)};
  question.type = in_use.type;
  question.contract = contract_named("float32");
  question.frequencies = FrequencyOrder::any;
  question.expected = in_use.expected;
  if (in_use.input_bound != of_table) {
    question.rotation =
        RotationOrder{Format::binary32, Format::binary32, question.stored(), false, in_use.input_bound};
  }
  return question;
}

std::optional<bool> holds_of_own_type(const ToleranceInUse& in_use, ToleranceQuestion question) {
  if (!question.rotation || question.stored() == Format::binary32) {
    return std::nullopt;
  }
  question.rotation->tables = question.stored();
  question.rotation->math = question.stored();
  return holds_of_all_honest(in_use.tolerance, question, study_tolerance(question));
}

/// Those that can be judged together: of one type, length and comparison.
auto group_of(const ToleranceInUse& in_use, std::int64_t positions) {
  return std::tuple(in_use.type, std::min(in_use.positions, positions), in_use.expected, in_use.input_bound);
}

/// What of the judgement is of one tolerance. \param index of it; the last is the smallest one
void take(const ToleranceJudgement& judgement, std::size_t index, ToleranceWorth& worth) {
  const auto smallest = judgement.tolerances.size() - 1;
  worth.smallest = judgement.tolerances.back();
  worth.honest = judgement.honest.size();
  worth.rejected = judgement.rejected(index).size();
  worth.faults = judgement.faults.size();
  const auto slipping = judgement.slipping(index);
  worth.slipping = slipping.size();
  worth.slipping_smallest = judgement.slipping(smallest).size();
  for (const auto* fault : slipping) {
    if (!fault->slips_through(smallest) && worth.examples.size() < most_examples) {
      worth.examples.emplace_back(fault->kind->description);
    }
  }
}

}  // namespace

std::span<const ToleranceInUse> tolerances_in_use() {
  return tolerances_used;
}

std::vector<ToleranceWorth> judge_tolerances_in_use(std::int64_t positions, const JudgementOptions& options) {
  const std::shared_ptr<const Encoding> encoding = encoding_of(std::string(rope_64_spec));
  std::vector<ToleranceWorth> worths(tolerances_used.size());
  std::map<decltype(group_of(tolerances_used.front(), 0)), std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < tolerances_used.size(); ++i) {
    groups[group_of(tolerances_used[i], positions)].push_back(i);
  }
  for (const auto& [group, members] : groups) {
    const auto question = question_of(tolerances_used[members.front()], positions, encoding);
    const auto study = study_tolerance(question);
    std::vector<Tolerance> tolerances;
    for (const auto i : members) {
      tolerances.push_back(tolerances_used[i].tolerance);
    }
    tolerances.push_back(smallest_tolerance(study.whole(), question.stored(), question.expected));
    const auto judgement = judge_tolerances(question, tolerances, options);
    for (std::size_t k = 0; k < members.size(); ++k) {
      auto& worth = worths[members[k]];
      worth.in_use = &tolerances_used[members[k]];
      worth.positions = question.positions.count;
      worth.needed_absolute = absolute_part_needed(worth.in_use->tolerance.relative, question, study);
      worth.holds_of_own_type = holds_of_own_type(*worth.in_use, question);
      take(judgement, k, worth);
    }
  }
  return worths;
}

}  // namespace vernier
