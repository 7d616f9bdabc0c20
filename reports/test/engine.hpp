#pragma once

// An engine that computes RoPE, of every interface and with every fault, and the verdict on it.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/processes/rows.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/live/validate_live.hpp"

namespace vernier {

inline constexpr std::int64_t engine_context = 5000;
inline constexpr std::size_t engine_head_dim = 16;
inline constexpr std::size_t engine_pairs = engine_head_dim / 2;
inline const auto engine_frequencies = [] {
  std::array<double, engine_pairs> powers{};
  for (std::size_t pair = 0; pair < engine_pairs; ++pair) {
    powers[pair] = std::pow(10000.0, -static_cast<double>(pair) / static_cast<double>(engine_pairs));
  }
  return powers;
}();

/// A row of a question.
struct EngineRow {
  const Request& request;
  std::size_t copy;   ///< of all batches and heads
  std::size_t index;  ///< within the copy
  std::size_t rows;   ///< of a copy

  std::int64_t at(std::size_t i) const { return *request.positions.integer(i); }
  std::int64_t first() const { return at(0); }
  std::int64_t last() const { return at(rows - 1); }
  /// The position that it should have.
  std::int64_t position() const {
    const auto& shape = request.positions.shape();
    const auto copies = request.wanted.front().shape.size() == 2 ? 1 : request.wanted.front().shape[0];
    const auto heads = request.input ? request.input->elements() / engine_head_dim / rows / copies : 1;
    return at(shape.size() == 1 ? index : copy / heads * rows + index);
  }
};

/// RoPE in float64, stored in float32, and what may be wrong with it.
class Engine : public LiveImplementation {
 public:
  std::string description() const override { return "an engine"; }
  bool observes_memory() const override { return true; }
  bool costs_a_process() const override { return process; }
  Takes takes() const override { return says; }
  void start_afresh() override { begin(); }
  Response ask(const Request& request) override {
    if (const auto status = refuses(request); status != ResponseStatus::answered) {
      return {status, "it says why"};
    }
    begin_question(request);
    Response response;
    for (const auto& wanted : request.wanted) {
      const auto rows = rows_of(request);
      const auto width = wanted.shape.back();
      const auto all =
          std::accumulate(wanted.shape.begin(), wanted.shape.end(), std::size_t{1}, std::multiplies{});
      std::vector<double> values(all);
      for (std::size_t i = 0; i < all / width; ++i) {
        compute(wanted.role, {request, i / rows, i % rows, rows},
                std::span(values).subspan(i * width, width));
      }
      finish(values);
      const auto format = *traits(wanted.type).format;
      std::ranges::transform(values, values.begin(), [&](double x) { return round_to(format, x); });
      response.tensors.emplace(wanted.role, tensor_of(format, wanted.shape, values));
    }
    return response;
  }

  Takes says = {};
  bool process = false;
  double sense_of_gradients = -1;
  std::function<std::int64_t(const EngineRow&)> position = [](const EngineRow& row) {
    return row.position();
  };
  std::function<double(double)> element = [](double x) { return x; };
  std::function<double(const EngineRow&)> scale_of_phase = [](const EngineRow&) { return 1.0; };
  std::function<ResponseStatus(const Request&)> refuses = [](const Request&) {
    return ResponseStatus::answered;
  };
  std::function<void()> begin = [] {};
  std::function<void(const Request&)> begin_question = [](const Request&) {};
  std::function<void(std::vector<double>&)> finish = [](std::vector<double>&) {};

 private:
  void compute(const std::string& role, const EngineRow& row, std::span<double> out) const {
    const double scaled = scale_of_phase(row) * static_cast<double>(position(row));
    for (std::size_t pair = 0; pair < engine_pairs; ++pair) {
      const double phase = scaled * engine_frequencies[pair];
      const double c = std::cos(phase);
      const double s = std::sin(phase) * (role == "input_gradient" ? sense_of_gradients : 1);
      if (!row.request.input) {
        out[pair] = role == "cos" ? c : s;
        continue;
      }
      const auto start = (row.copy * row.rows + row.index) * engine_head_dim;
      const double x = element(row.request.input->number(start + pair));
      const double y = element(row.request.input->number(start + pair + engine_pairs));
      out[pair] = x * c - y * s;
      out[pair + engine_pairs] = x * s + y * c;
    }
  }
};

inline Verdict judge(Engine& engine, std::vector<std::string> roles, bool bitwise = false) {
  constexpr std::string_view spec = R"({"scheme": "rope", "head_dim": 16, "max_position_embeddings": 5000})";
  LiveOptions options{.name = "engine", .source = "spec", .cases = 1, .bitwise = bitwise, .all = true};
  options.questions.roles = std::move(roles);
  options.questions.positions = PositionRange{0, 1, engine_context};
  options.details = {.error_splits = false, .reasons = false};
  return validate_live(engine, parsed(spec), options);
}

inline Verdict judge_vectors(Engine& engine) {
  return judge(engine, {"rotated"});
}

inline std::vector<std::string> uses(const Verdict& verdict, Status status) {
  auto found = ids(verdict.checks, status);
  std::erase_if(found, [](const std::string& id) { return !id.starts_with("use/"); });
  return found;
}

/// The reason of the check that must find the fault. Beside those of uses only a law may, which draws many
/// lengths.
inline std::string found_by(const Verdict& verdict, std::string_view id) {
  EXPECT_THAT(ids(verdict.checks, Status::fail),
              testing::Each(testing::AnyOf(testing::StartsWith("use/"), testing::StartsWith("law/"),
                                           testing::StartsWith("property/"))))
      << id;
  EXPECT_THAT(ids(verdict.checks, Status::error), testing::IsEmpty()) << id;
  EXPECT_EQ(exit_code(verdict), 1) << id;
  const auto& check = check_named(verdict.checks, id);
  EXPECT_EQ(check.status, Status::fail) << id << ": " << check.reason;
  return check.reason;
}

}  // namespace vernier
