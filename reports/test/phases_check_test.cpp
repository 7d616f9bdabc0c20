// What rows of a case say together of their phases, and contracts that are kept in place of the default one.

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/parsed.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// cos and sin by a recipe, held to float32, with one phase turned.
struct Turned {
  std::int64_t position = 0;
  int pair = 0;
  double by = 0;  ///< radians
};

Case tables_by(std::string_view recipe, const RopeSpec& spec, Format stored,
               const std::vector<std::int64_t>& positions, const Turned& turned = {}) {
  Case subject{"made", "a test", std::make_unique<RopeEncoding>(spec), positions, {}};
  std::vector<std::vector<double>> values;
  std::vector<TrigTable> tables;
  for (const auto component : {Component::cosine, Component::sine}) {
    tables.push_back(spec.table(component));
    // Turned before it is stored, so that only the phase is off.
    values.push_back(
        values_of(RecipeTable(recipe_named(recipe), tables.back(), Format::binary32), positions));
  }
  const auto row = std::ranges::find(positions, turned.position) - positions.begin();
  if (turned.by != 0) {
    const auto at =
        static_cast<std::size_t>(row) * tables[0].columns.size() + static_cast<std::size_t>(turned.pair);
    const double c = values[0][at];
    const double s = values[1][at];
    values[0][at] = c * std::cos(turned.by) - s * std::sin(turned.by);
    values[1][at] = c * std::sin(turned.by) + s * std::cos(turned.by);
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (double& value : values[i]) {
      value = round_to(stored, value);
    }
    subject.tensors.all<TableTensor>().push_back(
        {tables[i], tensor_of(stored, {positions.size(), tables[i].columns.size()}, values[i]),
         contract_named("float32")});
  }
  return subject;
}

const RopeSpec llama3_rope{.head_dim = 128, .rope_theta = 500000};

TEST(Phases, AWindowShowsATurnOfAThousandthFarOut) {
  // Its budget alone excuses 2.6e-2 there: the error that the frequency may have, times the position.
  const auto positions = positions_from(100000, 64);
  EXPECT_EQ(exit_code(validate(tables_by("float32-pow", llama3_rope, Format::binary32, positions), "")), 0);
  const auto verdict =
      validate(tables_by("float32-pow", llama3_rope, Format::binary32, positions, {100020, 1, 1e-3}), "");
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/cos").status, Status::pass);
  EXPECT_EQ(check_named(verdict.checks, "trigonometry/cos").status, Status::fail);
}

TEST(Phases, SixteenBitsHideNoMoreThanTheyRound) {
  const auto positions = positions_from(100000, 512);
  EXPECT_EQ(exit_code(validate(tables_by("float32-pow", llama3_rope, Format::bfloat16, positions), "")), 0);
  const auto verdict =
      validate(tables_by("float32-pow", llama3_rope, Format::bfloat16, positions, {100020, 1, 0.015}), "");
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_EQ(check_named(verdict.checks, "accuracy/cos").status, Status::pass);
}

TEST(Phases, OneRotatedPairThatIsTurnedIsFound) {
  const RecipeRotation rotation(recipe_named("float32-pow"), llama3_rope, Format::binary32);
  const auto positions = positions_from(130900, 256);
  std::mt19937_64 random(3);
  std::vector<double> input;
  for (std::size_t i = 0; i < positions.size() * 128; ++i) {
    input.push_back(std::ldexp(static_cast<double>(random() % (1 << 24)), -22) - 2);
  }
  std::vector<double> output(input.size());
  for (std::size_t r = 0; r < positions.size(); ++r) {
    rotation.rotate(positions[r], std::span(input).subspan(r * 128, 128),
                    std::span(output).subspan(r * 128, 128));
  }
  const auto judged = [&](double by) {
    auto values = output;
    const std::size_t at = 100 * 128;  // position 131000, pair 1: dimensions 1 and 65
    const double a = output[at + 1];
    const double b = output[at + 65];
    values[at + 1] = round_to(Format::binary32, a * std::cos(by) - b * std::sin(by));
    values[at + 65] = round_to(Format::binary32, a * std::sin(by) + b * std::cos(by));
    Case subject{"made", "a test", std::make_unique<RopeEncoding>(llama3_rope), positions, {}};
    const Shape shape{positions.size(), 128};
    subject.tensors.add(RotatedTensor{llama3_rope.rotation(),
                                      tensor_of(Format::binary32, shape, input),
                                      tensor_of(Format::binary32, shape, values),
                                      contract_named("float32"),
                                      positions,
                                      {}});
    return validate(subject, "");
  };
  EXPECT_EQ(exit_code(judged(0)), 0);
  for (const double by : {3e-2, 1e-4}) {
    const auto verdict = judged(by);
    EXPECT_EQ(exit_code(verdict), 1) << by;
    EXPECT_EQ(check_named(verdict.checks, "accuracy/rotated").status, Status::pass) << by;
    EXPECT_THAT(check_named(verdict.checks, "trigonometry/rotated").reason,
                HasSubstr("pair 1 at position 131000"));
  }
}

TEST(Phases, PhasesMayBeScaledInPlaceOfFrequencies) {
  // As kernels do that take factors by which to divide the phases of an unscaled model.
  constexpr auto spec =
      R"({"scheme":"rope","head_dim":128,"rope_theta":500000,"max_position_embeddings":131072,"rope_scaling":{)"
      R"("rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192}})";
  const auto positions = positions_from(0, 8192);
  Case subject{"made", "a test", parsed(spec), positions, {}};
  for (const auto& table : subject.encoding->plain_tables()) {
    const auto unscaled = llama3_rope.table(table.columns.front().component);
    std::vector<float> frequencies;
    std::vector<float> factors;
    for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
      const double frequency = unscaled.frequencies.approximate(pair);
      frequencies.push_back(static_cast<float>(frequency));
      factors.push_back(static_cast<float>(frequency / table.frequencies.approximate(pair)));
    }
    std::vector<double> values;
    for (const auto position : positions) {
      for (const auto& [pair, component] : table.columns) {
        const auto i = static_cast<std::size_t>(pair);
        const double x = static_cast<float>(position) * frequencies[i] / factors[i];
        values.push_back(
            round_to(Format::binary32, component == Component::sine ? std::sin(x) : std::cos(x)));
      }
    }
    subject.tensors.all<TableTensor>().push_back(
        {table, tensor_of(Format::binary32, {positions.size(), table.columns.size()}, values),
         contract_named("float32")});
  }
  const auto verdict = validate(subject, "");
  EXPECT_EQ(exit_code(verdict), 0) << render_text(verdict);
}

TEST(Phases, AContractThatIsKeptInPlaceOfTheDefaultIsNamed) {
  const auto positions = positions_from(0, 256);
  const RopeSpec narrow{.head_dim = 64};
  for (const auto* recipe : {"float32-iterated", "float32-interpolated"}) {
    const auto verdict = validate(tables_by(recipe, narrow, Format::binary32, positions), "");
    EXPECT_EQ(exit_code(verdict), 1) << recipe;
    EXPECT_THAT(verdict.kept_contracts, testing::Contains(recipe));
    EXPECT_THAT(render_full_text(verdict), HasSubstr(std::string("keep the contract ") + recipe));
  }
  // Far out the budget of float32 proves nothing, and that of float64 decides.
  const auto far_out = positions_from(std::int64_t{1} << 23, 64);
  const auto undecided = validate(tables_by("float64-pow", narrow, Format::binary32, far_out), "");
  EXPECT_EQ(exit_code(undecided), 4);
  EXPECT_THAT(undecided.kept_contracts, testing::Contains("float64"));
  EXPECT_THAT(render_text(undecided), HasSubstr("keep the contract"));
  const auto broken =
      validate(tables_by("float32-pow", narrow, Format::binary32, positions, {17, 3, 0.5}), "");
  EXPECT_THAT(broken.kept_contracts, ElementsAre());
}

}  // namespace
}  // namespace vernier
