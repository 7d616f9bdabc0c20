// `vernier arithmetic`: what it says of one case and of two, and when it fails. The drawn arithmetics of
// arithmetic/drawn_arithmetics.py hold the search to code of its own.

#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "numerics/tolerances/frequency_order.hpp"
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
    for (const auto& recipe : every_recipe()) {
      const std::string name(recipe.id);
      const auto stored = recipe.compute() == Format::binary64 ? Format::binary64 : Format::binary32;
      auto values = values_of(RecipeTable(recipe, table, stored), positions);
      write_table(name, stored, values);
      if (name == "float64-pow") {
        values[1000] = next_up(stored, values[1000]);
        write_table("touched", stored, values);
      }
    }
  }

  /// 32 rows from a position on, stored in float32.
  void write_rows(const std::string& name, const std::string& id, std::int64_t first) {
    const auto positions = positions_from(first, 32);
    const auto recipe = std::ranges::find(recipes(), id, &Recipe::id);
    const RecipeTable table(*recipe, SinusoidalSpec{.d_model = 32}.table(), Format::binary32);
    folder_.write(name + ".npy",
                  npy_bytes(tensor_of(Format::binary32, {32, 32}, values_of(table, positions))));
    folder_.write(name + "-rows.npy", npy_bytes(integer_tensor({32}, positions)));
    auto text = sinusoidal_case("\"d_model\": 32", name + ".npy");
    text.insert(text.rfind("}}"), R"(, "positions": ")" + name + "-rows.npy\"");
    folder_.write(name + ".json", text);
  }

  /// Vectors of 4 dimensions at 64 positions, two each, their tables, and gradients that are turned back by
  /// fused products.
  void write_vectors() {
    std::vector<double> cosines;
    std::vector<double> sines;
    std::array<std::vector<double>, 2> inputs;
    std::array<std::vector<double>, 2> rotated;
    for (int head = 0; head < 2; ++head) {
      for (int position = 0; position < 64; ++position) {
        std::array<std::array<float, 8>, 2> row{};
        for (std::size_t pair = 0; pair < 2; ++pair) {
          const float phase = static_cast<float>(position) * (pair == 0 ? 1.0F : 0.01F);
          const float c = std::cos(phase);
          const float s = std::sin(phase);
          if (head == 0) {
            cosines.push_back(static_cast<double>(c));
            sines.push_back(static_cast<double>(s));
          }
          for (std::size_t of = 0; of < 2; ++of) {
            const auto x0 =
                std::sin(static_cast<float>(7 * position + head + 1) + static_cast<float>(of + pair));
            const auto x1 =
                std::cos(static_cast<float>(5 * position + head) * 1.7F + static_cast<float>(of + pair));
            const bool is_gradient = of == 1;
            const float first = x1 * s;
            const float second = x0 * s;
            row[of][pair] = x0;
            row[of][pair + 2] = x1;
            row[of][pair + 4] = is_gradient ? std::fma(x0, c, first) : x0 * c - first;
            row[of][pair + 6] = is_gradient ? std::fma(x1, c, -second) : x1 * c + second;
          }
        }
        for (std::size_t of = 0; of < 2; ++of) {
          inputs[of].insert(inputs[of].end(), row[of].begin(), row[of].begin() + 4);
          rotated[of].insert(rotated[of].end(), row[of].begin() + 4, row[of].end());
        }
      }
    }
    const auto write = [&](const std::string& name, Shape shape, const std::vector<double>& values) {
      folder_.write(name + ".npy", npy_bytes(tensor_of(Format::binary32, std::move(shape), values)));
    };
    write("cos", {64, 2}, cosines);
    write("sin", {64, 2}, sines);
    write("input", {2, 64, 4}, inputs[0]);
    write("output_gradient", {2, 64, 4}, inputs[1]);
    write("rotated", {2, 64, 4}, rotated[0]);
    write("input_gradient", {2, 64, 4}, rotated[1]);
    folder_.write("vectors.json",
                  R"({"name": "vectors", "spec": {"scheme": "rope", "head_dim": 4, )"
                  R"("rope_theta": 10000, "layout": "half"}, "tensors": {"cos": "cos.npy", )"
                  R"("sin": "sin.npy", "input": "input.npy", "output_gradient": "output_gradient.npy", )"
                  R"("rotated": "rotated.npy", "input_gradient": "input_gradient.npy"}})");
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

TEST_F(ArithmeticCommand, ValidateHoldsBitsToAContract) {
  const auto validate = [&](const std::string& name, const std::string& ways) {
    return run("validate " + name + ".json -v --contract 'arithmetic:" + ways + "'");
  };
  const auto kept = validate("float64-pow", own_ways);
  EXPECT_EQ(kept.exit_code, 0) << kept.out;
  EXPECT_THAT(kept.out, HasSubstr("arithmetic/tables: all 2048 numbers are predicted"));
  const auto broken = validate("float64-pow", "phase=float32,sine=float32-glibc");
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.out,
              AllOf(HasSubstr(" of 2048 numbers are not predicted\n"), HasSubstr("counterexample: position "),
                    HasSubstr("phase: found phase in float64, expected phase in float32"),
                    HasSubstr("The tensors keep the contract float64")));
  EXPECT_THAT(validate("touched", own_ways).out,
              AllOf(HasSubstr("FAIL  arithmetic/tables: 1 of 2048 numbers are not predicted\n"),
                    HasSubstr("counterexample: position 31;")));
  // Its errors are beyond the format's budgets; the bits are what is judged.
  EXPECT_EQ(validate("bfloat16-frequency", "frequency=bfloat16").exit_code, 0);
  EXPECT_EQ(run("validate bfloat16-frequency.json").exit_code, 1);
  EXPECT_EQ(validate("float64-pow", "products=float32-each").exit_code, 4);
}

TEST_F(ArithmeticCommand, TakesAContractFromACaseInIdsAndInWords) {
  const auto named = [&](const std::string& contract) {
    auto text = slurp("float64-pow.json");
    text.insert(text.size() - 1, R"(, "contract": ")" + contract + "\"");
    folder_.write("named.json", text);
    return run("validate named.json").exit_code;
  };
  EXPECT_EQ(named(std::string("arithmetic:") + own_ways), 0);
  EXPECT_EQ(named("arithmetic:phase=bfloat16"), 1);
  const auto document = nlohmann::json::parse(run("arithmetic float64-pow.json --json -").out);
  EXPECT_EQ(named("arithmetic:" + document.at("arithmetics").at(0).at("sentence").get<std::string>()), 0);
}

TEST_F(ArithmeticCommand, RefusesContractsThatPinNothing) {
  const auto refused = [&](const std::string& ways) {
    const auto outcome = run("validate float64-pow.json --contract 'arithmetic:" + ways + "'");
    EXPECT_EQ(outcome.exit_code, 2) << ways;
    return outcome.err;
  };
  EXPECT_THAT(refused(""), HasSubstr("expected STAGE=WAY of these: order (1/pow, "));
  EXPECT_THAT(refused("phase=float33"), HasSubstr("phase: found \"float33\", expected float32, float64, "));
  EXPECT_THAT(refused("phase=float32,phase=float64"), HasSubstr("found phase twice"));
  EXPECT_THAT(refused("sine=float64@glibc-1.0"),
              HasSubstr("found the version \"glibc-1.0\", expected glibc-"));
  EXPECT_THAT(refused("phase=float64@glibc-1.0"), HasSubstr("expected none"));
  EXPECT_THAT(run("explain contract/arithmetic").out, HasSubstr("float32-glibc@glibc-"));
}

TEST_F(ArithmeticCommand, WaiversCountExceptions) {
  const auto waived = [&](const std::string& share) {
    folder_.write("waivers.json", R"([{"check": "arithmetic/tables", "ceiling": {"failing": )" + share +
                                      R"(}, "reason": "one bit", "issue": "#1", "expires": "2100-01-01"}])");
    return run(std::string("validate touched.json --waivers waivers.json --contract arithmetic:") + own_ways)
        .exit_code;
  };
  EXPECT_EQ(waived("0.0005"), 0);
  EXPECT_EQ(waived("0.0004"), 1);
}

TEST_F(ArithmeticCommand, VerdictsSayTheArithmeticIfAsked) {
  EXPECT_THAT(run("validate float64-pow.json -v").out,
              AllOf(HasSubstr("\narithmetic: "), HasSubstr(" every bit: "), HasSubstr("phase in float64")));
  EXPECT_THAT(run("validate float64-pow.json").out, Not(HasSubstr("every bit")));
  EXPECT_THAT(run("validate touched.json -v").out, HasSubstr("nothing is claimed"));
}

TEST_F(ArithmeticCommand, FindsTheSmallestInputThatNobodyStored) {
  write_rows("near", "float32-pow", 40);
  write_rows("far", "float64-pow", 80);
  const auto outcome = run("arithmetic near.json far.json --json parts.json");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("no stored number of one input parts; the smallest input that would: "
                                     "position "));
  const auto part = nlohmann::json::parse(slurp("parts.json")).at("parts").at(0);
  EXPECT_FALSE(part.at("is_stored"));
  EXPECT_LT(part.at("input").at("position"), 40);
}

TEST_F(ArithmeticCommand, JudgesGradientsByThemselves) {
  write_vectors();
  const auto outcome = run("arithmetic vectors.json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("y0_products: both products and the sum rounded to float32"),
                                 HasSubstr("input_gradient: "),
                                 HasSubstr("y0_products: fused on x0's product in float32")));
  const auto held = run("validate vectors.json -v --contract arithmetic:products=float32-each");
  EXPECT_EQ(held.exit_code, 1);
  EXPECT_THAT(held.out, AllOf(HasSubstr("arithmetic/rotated: all 512 numbers are predicted"),
                              HasSubstr("FAIL  arithmetic/input_gradient: ")));
  EXPECT_EQ(run("arithmetic vectors.json vectors.json").exit_code, 0);
}

TEST_F(ArithmeticCommand, RefusesWhatHasNoTable) {
  EXPECT_EQ(run("arithmetic absent.json").exit_code, 2);
  EXPECT_EQ(run("arithmetic").exit_code, 2);
}

}  // namespace
}  // namespace vernier
