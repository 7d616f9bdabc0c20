// The rate of certified tables beside the ways people compute tables. Work A: 5000 positions, 256 pairs, base
// 10000 (the Transformer's). Work B: 131072 positions, 64 pairs, base 500000 (Llama 3.1's). A value is one
// sine or one cosine. Compare rates within one run only: reports/bench/ratios.mjs does.

#include <cmath>
#include <cstring>

#include <benchmark/benchmark.h>
#include <boost/multiprecision/mpfr.hpp>

#include "reference/ladder/rounded_table.hpp"

namespace vernier {
namespace {

struct Work {
  std::int64_t positions;
  int pairs;
  int base;

  std::size_t values() const {
    return 2 * static_cast<std::size_t>(positions) * static_cast<std::size_t>(pairs);
  }
  TrigTable table() const {
    TrigTable result{"encoding", GeometricFrequencies{base, Rational(1, pairs), pairs}, 1, {}, std::nullopt};
    for (const auto component : {Component::sine, Component::cosine}) {
      for (int pair = 0; pair < pairs; ++pair) {
        result.columns.push_back({pair, component});
      }
    }
    return result;
  }
};

constexpr Work work_a{5000, 256, 10000};
constexpr Work work_b{131072, 64, 500000};

void count_values(benchmark::State& state, std::size_t values) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values));
}

/// Rows only: the seeds are made before.
void ladder(benchmark::State& state, Work work, Format format, LadderOptions options) {
  const RoundedTable table(work.table(), {0, 1, work.positions}, format, options);
  std::vector<std::byte> out(static_cast<std::size_t>(work.positions) * table.row_bytes());
  for (auto _ : state) {
    table.write(0, work.positions, out);
    benchmark::ClobberMemory();
  }
  count_values(state, work.values());
}

/// The whole call: frequencies, seeds, rows.
void end_to_end(benchmark::State& state, Work work, LadderOptions options) {
  std::vector<std::byte> out(work.values() * sizeof(float));
  for (auto _ : state) {
    const RoundedTable table(work.table(), {0, 1, work.positions}, Format::binary32, options);
    table.write(0, work.positions, out);
    benchmark::ClobberMemory();
  }
  count_values(state, work.values());
}

std::vector<double> frequencies(const Work& work) {
  std::vector<double> result;
  for (int pair = 0; pair < work.pairs; ++pair) {
    result.push_back(std::pow(static_cast<double>(work.base), -static_cast<double>(pair) / work.pairs));
  }
  return result;
}

/// The C library's double functions, frequencies made before. Not certified.
void libm(benchmark::State& state, Work work) {
  const auto w = frequencies(work);
  std::vector<double> out(work.values());
  for (auto _ : state) {
    double* to = out.data();
    for (std::int64_t position = 0; position < work.positions; ++position) {
      for (const double frequency : w) {
        const double phase = static_cast<double>(position) * frequency;
        *to++ = std::sin(phase);
        *to++ = std::cos(phase);
      }
    }
    benchmark::ClobberMemory();
  }
  count_values(state, work.values());
}

/// Boost's mpfr_float_50, frequencies made before, at positions spread over the work. Not certified.
void mpfr_50(benchmark::State& state, Work work) {
  using Number = boost::multiprecision::mpfr_float_50;
  constexpr std::int64_t sampled = 64;
  std::vector<Number> w;
  for (int pair = 0; pair < work.pairs; ++pair) {
    w.push_back(pow(Number(work.base), -Number(pair) / work.pairs));
  }
  for (auto _ : state) {
    for (std::int64_t sample = 0; sample < sampled; ++sample) {
      for (const auto& frequency : w) {
        const Number phase = frequency * (sample * (work.positions / sampled));
        benchmark::DoNotOptimize(static_cast<float>(sin(phase)));
        benchmark::DoNotOptimize(static_cast<float>(cos(phase)));
      }
    }
  }
  count_values(state, 2 * static_cast<std::size_t>(sampled) * w.size());
}

/// The least that writing the float32 table can take.
void memory(benchmark::State& state, Work work) {
  std::vector<std::byte> out(work.values() * sizeof(float));
  for (auto _ : state) {
    std::memset(out.data(), 1, out.size());
    benchmark::ClobberMemory();
  }
  count_values(state, work.values());
}

BENCHMARK_CAPTURE(memory, B, work_b)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(libm, A, work_a)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(libm, B, work_b)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(mpfr_50, B, work_b)->Unit(benchmark::kMillisecond);

/// Those of each instruction set, and one of two threads.
[[maybe_unused]] const bool registered = [] {
  for (const auto& kernels : kernel_sets()) {
    for (const auto format : all_formats()) {
      benchmark::RegisterBenchmark(
          ("ladder/B/" + std::string(traits(format).name) + "/" + std::string(kernels.name)).c_str(), ladder,
          work_b, format, LadderOptions{.kernels = &kernels})
          ->Unit(benchmark::kMillisecond);
    }
    for (const auto& [name, work] : {std::pair{"A", work_a}, std::pair{"B", work_b}}) {
      benchmark::RegisterBenchmark(
          ("end_to_end/" + std::string(name) + "/" + std::string(kernels.name)).c_str(), end_to_end, work,
          LadderOptions{.kernels = &kernels})
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RegisterBenchmark("ladder/B/float32/two_threads", ladder, work_b, Format::binary32,
                               LadderOptions{.threads = 2})
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace vernier
