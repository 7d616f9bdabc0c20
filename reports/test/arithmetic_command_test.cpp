// `vernier arithmetic`: what it says of one case and of two, and when it fails. The drawn arithmetics of
// arithmetic/drawn_arithmetics.py hold the search to code of its own.

#include <nlohmann/json.hpp>

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr auto own_ways = "order=1/pow,library=float64,phase=float64,sine=float64,table=nearest";

class ArithmeticCommand : public Program {
 protected:
  ArithmeticCommand() {
    const auto table = SinusoidalSpec{.d_model = 32}.table();
    const auto positions = positions_from(0, 64);
    for (const auto& recipe : recipes()) {
      const std::string name(recipe.id);
      const auto stored = recipe.compute == Format::binary64 ? Format::binary64 : Format::binary32;
      auto values = values_of(RecipeTable(recipe, table, stored), positions);
      write_table(name, stored, values);
      if (name == "float64-pow") {
        values[1000] = next_up(stored, values[1000]);
        write_table("touched", stored, values);
      }
    }
  }

  void write_table(const std::string& name, Format stored, const std::vector<double>& values) {
    folder_.write(name + ".npy", npy_bytes(tensor_of(stored, {64, 32}, values)));
    folder_.write(name + ".json", sinusoidal_case("\"d_model\": 32", name + ".npy"));
  }
};

TEST_F(ArithmeticCommand, FindsTheRecipe) {
  const auto outcome = run("arithmetic float64-pow.json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("every bit of 2048 numbers"), HasSubstr("phase: phase in float64"),
                                 HasSubstr("sine: sine and cosine in float64 by the C library")));
  const auto document = nlohmann::json::parse(run("arithmetic float64-pow.json --json -").out);
  EXPECT_EQ(document.at("arithmetics").at(0).at("predicted"), 2048);
  EXPECT_EQ(document.at("count"), document.at("arithmetics").size());
}

TEST_F(ArithmeticCommand, PredictsEveryRecipe) {
  for (const auto* name :
       {"float32-pow", "float32-exp-log", "float32-reciprocal-exp", "float32-iterated", "float32-ratio-power",
        "float32-interpolated", "bfloat16-frequency", "float16-position", "float32-rounded-frequency"}) {
    EXPECT_EQ(run(std::string("arithmetic ") + name + ".json").exit_code, 0) << name;
  }
}

TEST_F(ArithmeticCommand, NamesNothingWholeOfATouchedTable) {
  const auto outcome = run("arithmetic touched.json");
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("no computation of the space predicts every bit"),
                                 Not(HasSubstr("predicts:"))));
}

TEST_F(ArithmeticCommand, SaysWhereTwoPart) {
  EXPECT_EQ(run("arithmetic float32-pow.json float32-pow.json").exit_code, 0);
  const auto outcome = run("arithmetic float32-pow.json float32-iterated.json");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("float32-pow.json and float32-iterated.json part\n"),
                                 HasSubstr("order: float32-iterated.json has phase *= q from pair to pair"),
                                 HasSubstr("first at position")));
}

TEST_F(ArithmeticCommand, HoldsToAContract) {
  const auto held = [&](const std::string& name, const std::string& ways) {
    return run("arithmetic " + name + ".json --contract " + ways).exit_code;
  };
  EXPECT_EQ(held("float64-pow", own_ways), 0);
  EXPECT_EQ(held("float64-pow", "phase=float32"), 1);
  EXPECT_EQ(held("touched", own_ways), 1);
  EXPECT_EQ(held("float64-pow", "phase=float33"), 2);
  EXPECT_EQ(held("float64-pow", "phrase=float32"), 2);
}

TEST_F(ArithmeticCommand, RefusesWhatHasNoTable) {
  EXPECT_EQ(run("arithmetic absent.json").exit_code, 2);
  EXPECT_EQ(run("arithmetic").exit_code, 2);
}

}  // namespace
}  // namespace vernier
