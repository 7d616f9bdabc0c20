#include <limits>

#include "reports/kill_matrix/project.hpp"
#include "reports/kill_matrix/projects/comparison.hpp"

namespace vernier::kill_matrix {
namespace {

std::optional<bool> passes_kernelbench(const Specimen& specimen) {
  const auto format = specimen.honest.stored();
  if (format == Format::binary64 || !is_usual(specimen)) {
    return std::nullopt;
  }
  const double either = format == Format::binary32 ? 1e-4 : 1e-2;
  constexpr auto all = std::numeric_limits<std::int64_t>::max();
  return are_close(values_of(specimen.design, {}, all, specimen.seed),
                   values_of(independent(specimen, Format::binary32), {}, all, specimen.seed),
                   {either, either});
}

}  // namespace

ProjectTest kernelbench_test() {
  return {
      "KernelBench", "src/kernelbench/eval.py",
      "Its rule, on every tensor and the whole context: against a reference module, atol = rtol = 1e-4 of "
      "float32, 1e-2 of 16 bits.",
      passes_kernelbench};
}

}  // namespace vernier::kill_matrix
