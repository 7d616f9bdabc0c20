// The rate of audits with all their statistics beside that of certified tables, each the whole call with its
// seeds, of 131072 positions, 64 pairs, base 500000 (Llama 3.1's), sines and cosines. What is audited is the
// float32 recipe that people ship, as a tensor in memory, against its contract.

#include <cstddef>
#include <limits>

#include <benchmark/benchmark.h>

#include "numerics/audit/kernel.hpp"
#include "numerics/audit/range_audit.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/ladder/rounded_table.hpp"

namespace vernier {
namespace {

constexpr PositionRange positions{0, 1, 131072};
constexpr int pairs = 64;

TrigTable sines_and_cosines() {
  TrigTable result{"encoding", GeometricFrequencies{500000, Rational(1, pairs), pairs}, 1, {}, std::nullopt};
  for (const auto component : {Component::sine, Component::cosine}) {
    for (int pair = 0; pair < pairs; ++pair) {
      result.columns.push_back({pair, component});
    }
  }
  return result;
}

void count_values(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * positions.count * 2 * pairs);
}

const Tensor& tensor_of_recipe() {
  static const auto tensor = [] {
    const auto table = sines_and_cosines();
    const RecipeTable recipe(recipes().front(), table, Format::binary32);
    std::vector<double> row(table.columns.size());
    std::vector<std::byte> bytes;
    for (std::int64_t r = 0; r < positions.count; ++r) {
      recipe.row(positions.at(r), row);
      const std::vector<float> elements(row.begin(), row.end());
      const auto raw = std::as_bytes(std::span(elements));
      bytes.insert(bytes.end(), raw.begin(), raw.end());
    }
    return Tensor(ElementType::float32, {static_cast<std::size_t>(positions.count), row.size()},
                  std::move(bytes));
  }();
  return tensor;
}

void audit(benchmark::State& state, std::size_t kernel_set, unsigned threads) {
  const auto table = sines_and_cosines();
  const TensorRows rows(tensor_of_recipe(), 0);
  const RangeInput subject{&rows, contract_named("float32")->bind(table, Format::binary32)};
  for (auto _ : state) {
    benchmark::DoNotOptimize(audit_range(table, positions, std::span(&subject, 1),
                                         {.threads = threads, .kernel_set = kernel_set}));
  }
  count_values(state);
}

/// Not streamed, so that the ratio to it goes on meaning what it did.
void table(benchmark::State& state, const KernelSet& kernels) {
  std::vector<float> out(static_cast<std::size_t>(positions.count) * 2 * pairs);
  for (auto _ : state) {
    const RoundedTable table(
        sines_and_cosines(), positions, Format::binary32,
        {.kernels = &kernels, .streamed_bytes = std::numeric_limits<std::size_t>::max()});
    table.write(0, positions.count, std::as_writable_bytes(std::span(out)));
    benchmark::ClobberMemory();
  }
  count_values(state);
}

/// Those of each instruction set, and one of two threads.
[[maybe_unused]] const bool registered = [] {
  for (std::size_t set = 0; set < kernel_sets().size(); ++set) {
    const auto& kernels = kernel_sets()[set];
    const auto name = std::string(kernels.name);
    benchmark::RegisterBenchmark(("audit/" + name).c_str(), audit, set, 1U)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("table/" + name).c_str(), table, kernels)->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("audit/two_threads", audit, kernel_sets().size() - 1, 2U)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace vernier
