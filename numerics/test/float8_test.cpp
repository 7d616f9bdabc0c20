// Tensors of eight bits, as case files hold them: correctly rounded ones conform in every format, an element
// off by one step does not, and what hardware and kernels get wrong is named.

#include <cmath>
#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/errors/overflow.hpp"
#include "numerics/formats/safetensors.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/tensors/case_file.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::array eight_bits{Format::float8_e4m3fn, Format::float8_e5m2, Format::float8_e4m3fnuz,
                                Format::float8_e5m2fnuz};
constexpr std::int64_t float8_rows = 300;
constexpr std::size_t float8_head_dim = 32;
const std::string float8_spec = R"({"scheme": "rope", "head_dim": 32})";

std::string role_words(Component component) {
  return component == Component::sine ? "sin" : "cos";
}

/// The certified cosines and sines of the format, [rows, pairs].
Tensor certified(Component component, Format format) {
  const auto table = RopeSpec{.head_dim = float8_head_dim}.table(component);
  const RoundedTable ladder(table, {0, 1, float8_rows}, format);
  std::vector<std::byte> bytes(static_cast<std::size_t>(float8_rows) * ladder.row_bytes());
  ladder.write(0, float8_rows, bytes);
  return {element_type_of(format),
          {static_cast<std::size_t>(float8_rows), table.columns.size()},
          std::move(bytes)};
}

/// The same in float32, as an implementation computes them.
std::vector<double> computed(Component component) {
  const auto& recipe = *std::ranges::find(recipes(), "float32-pow", &Recipe::id);
  const auto table = RopeSpec{.head_dim = float8_head_dim}.table(component);
  return values_of(RecipeTable(recipe, table, Format::binary32), positions_from(0, float8_rows));
}

CaseInput input_of(std::map<std::string, NamedTensor, std::less<>> tensors,
                   const Quantization& quantization = {}) {
  CaseInput parts{"a test", "made", "", std::move(tensors), std::nullopt};
  parts.quantization = quantization;
  return parts;
}

std::uint64_t failing_of_tables(const CaseInput& parts) {
  const auto subject = assemble_case(parts, parsed(float8_spec));
  std::uint64_t failing = 0;
  for (const auto& tensor : subject.tensors.all<TableTensor>()) {
    const auto report = audit_tensor(tensor, tensor.table.sines, subject.positions, 2);
    failing += report.failing + report.inconclusive;
  }
  return failing;
}

std::string told_of_float8(const Diagnosis& diagnosis) {
  if (!diagnosis.is_explained()) {
    return "unexplained: " + diagnosis.rest;
  }
  const auto& likeliest = diagnosis.explanations.front();
  EXPECT_EQ(likeliest.prediction.failing, 0U);
  std::string ids;
  for (const auto& finding : likeliest.findings) {
    ids += std::string(finding.kind->id) + " ";
  }
  return ids + sentence_of(likeliest);
}

class Float8Cases : public testing::TestWithParam<Format> {};

INSTANTIATE_TEST_SUITE_P(Formats, Float8Cases, testing::ValuesIn(eight_bits),
                         [](const auto& one) { return std::string(traits(one.param).name); });

TEST_P(Float8Cases, CertifiedTablesConformAndOneStepDoesNot) {
  const auto format = GetParam();
  for (const auto component : {Component::cosine, Component::sine}) {
    const auto role = role_words(component);
    for (const auto* contract : {"float32", "correctly-rounded"}) {
      auto parts = input_of({{role, {"made", certified(component, format)}}});
      parts.contract = contract;
      EXPECT_EQ(failing_of_tables(parts), 0U) << role << ", " << contract;
    }
    // Off by one step at one element after another, to either side.
    const auto right = certified(component, format);
    std::mt19937_64 random(7);
    for (int trial = 0; trial < 40; ++trial) {
      const auto index = static_cast<std::size_t>(random() % right.elements());
      std::vector<double> values(right.elements());
      right.numbers(0, values);
      int exponent = 0;
      if (std::fabs(std::frexp(values[index], &exponent)) == 0.5) {
        continue;  // the step below a power of two is half as wide, and just within the budget
      }
      values[index] = trial % 2 == 0 ? next_up(format, values[index]) : next_down(format, values[index]);
      EXPECT_GT(failing_of_tables(input_of({{role, {"made", tensor_of(format, right.shape(), values)}}})), 0U)
          << "element " << index << " is " << values[index];
    }
  }
}

TEST_P(Float8Cases, WhatIsComputedInFloat32AndRoundedOnceConforms) {
  const auto format = GetParam();
  for (const auto component : {Component::cosine, Component::sine}) {
    for (const double scale : {1.0, 100.0, 1.0 / 3}) {
      auto values = computed(component);
      for (auto& value : values) {
        const double scaled = round_to(Format::binary32, value * round_to(Format::binary32, scale));
        value = round_to(format, scaled);
      }
      const Quantization quantization{exact_rational(scale), Overflow::saturate};
      const auto tensor =
          tensor_of(format, {static_cast<std::size_t>(float8_rows), float8_head_dim / 2}, values);
      EXPECT_EQ(failing_of_tables(input_of({{role_words(component), {"made", tensor}}}, quantization)), 0U)
          << scale;
    }
  }
}

/// With a scale that takes cosines beyond the greatest number, whatever is declared to become of them.
TEST_P(Float8Cases, TablesThatOverflowAsIsDeclaredConformAndOthersDoNot) {
  const auto format = GetParam();
  const auto own = traits(format).has_infinity() ? Overflow::infinite : Overflow::nan;
  for (const auto overflow : {Overflow::saturate, own}) {
    const Quantization quantization{Rational(3 * static_cast<std::int64_t>(traits(format).largest()) / 2),
                                    overflow};
    auto values = computed(Component::cosine);
    for (auto& value : values) {
      const double scaled = round_to(Format::binary32, value * quantization.approximate_factor());
      value = rounded_with(overflow, format, scaled);
    }
    const auto failing = [&](const std::vector<double>& stored, const Quantization& declared) {
      const Shape shape{static_cast<std::size_t>(float8_rows), float8_head_dim / 2};
      return failing_of_tables(input_of({{"cos", {"made", tensor_of(format, shape, stored)}}}, declared));
    };
    EXPECT_EQ(failing(values, quantization), 0U);
    EXPECT_GT(failing(values, {quantization.factor, Overflow::undeclared}), 0U);
    EXPECT_GT(failing(values, {quantization.factor, overflow == own ? Overflow::saturate : own}), 0U);
    values.front() = next_down(format, traits(format).largest());
    EXPECT_EQ(failing(values, quantization), 1U);
  }
}

/// Vectors in bfloat16, as kernels take them, up to `bound`.
std::vector<double> vectors(double bound) {
  std::mt19937_64 random(5);
  std::vector<double> result(static_cast<std::size_t>(float8_rows) * float8_head_dim);
  for (auto& x : result) {
    x = round_to(Format::bfloat16, bound * (static_cast<double>(random() >> 40) * 0x1p-23 - 1));
  }
  return result;
}

/// A fused kernel: rotates in float32, scales, and stores as it is told.
struct Float8Kernel {
  Format format;
  Quantization quantization = {1, Overflow::saturate};
  double bound = 4;
  std::function<double(double)> stores = nullptr;  ///< else as is declared
  std::function<Tensor(Tensor)> reads = nullptr;

  Case run() const {
    const auto in = vectors(bound);
    const auto c = computed(Component::cosine);
    const auto s = computed(Component::sine);
    const auto single = [](double value) { return round_to(Format::binary32, value); };
    const double factor = single(quantization.approximate_factor());
    std::vector<double> out(in.size());
    for (std::size_t row = 0; row < static_cast<std::size_t>(float8_rows); ++row) {
      for (std::size_t pair = 0; pair < float8_head_dim / 2; ++pair) {
        const auto turn = row * float8_head_dim / 2 + pair;
        const double x = in[row * float8_head_dim + pair];
        const double y = in[row * float8_head_dim + pair + float8_head_dim / 2];
        const double a = single(single(x * c[turn]) - single(y * s[turn]));
        const double b = single(single(y * c[turn]) + single(x * s[turn]));
        const auto store = [&](double value) {
          return stores ? stores(value) : rounded_with(quantization.overflow, format, single(value * factor));
        };
        out[row * float8_head_dim + pair] = store(a);
        out[row * float8_head_dim + pair + float8_head_dim / 2] = store(b);
      }
    }
    const Shape shape{static_cast<std::size_t>(float8_rows), float8_head_dim};
    auto rotated = tensor_of(format, shape, out);
    if (reads) {
      rotated = reads(std::move(rotated));
    }
    return assemble_case(input_of({{"input", {"made", tensor_of(Format::bfloat16, shape, in)}},
                                   {"rotated", {"made", rotated}}},
                                  quantization),
                         parsed(float8_spec));
  }

  std::string verdict() const {
    const auto subject = run();
    const auto& tensor = subject.tensors.all<RotatedTensor>().front();
    const auto report = audit_rotated(tensor);
    EXPECT_EQ(report.norms.failing > 0 && report.elements.failing == 0, false);
    return report.elements.failing == 0 && report.non_finite.count == 0
               ? ""
               : told_of_float8(diagnose_vectors(*subject.encoding, tensor, 2));
  }
};

TEST_P(Float8Cases, AFusedRotationConformsAndOneStepDoesNot) {
  const auto format = GetParam();
  for (const double scale : {1.0, 16.0, 0.3}) {
    EXPECT_THAT((Float8Kernel{format, {exact_rational(scale), Overflow::saturate}}.verdict()), IsEmpty())
        << scale;
  }
  const auto own = traits(format).has_infinity() ? Overflow::infinite : Overflow::nan;
  // With numbers far beyond the greatest, whatever becomes of them.
  const double great = traits(format).largest();
  EXPECT_THAT((Float8Kernel{format, {1, Overflow::saturate}, 2 * great}.verdict()), IsEmpty());
  EXPECT_THAT((Float8Kernel{format, {1, own}, 2 * great}.verdict()), IsEmpty());
  int calls = 0;
  const Float8Kernel off{format, {1, Overflow::saturate}, 4, [&](double value) {
                           const double stored = round_saturating(format, value);
                           return ++calls == 77 ? next_up(format, stored) : stored;
                         }};
  EXPECT_THAT(off.verdict(), HasSubstr("1 of 9600 elements fail"));
}

TEST_P(Float8Cases, RotatedToBfloat16FirstIsNamed) {
  const auto format = GetParam();
  const Float8Kernel twice{format, {1, Overflow::saturate}, 4, [&](double value) {
                             return round_saturating(format, round_to(Format::bfloat16, value));
                           }};
  EXPECT_THAT(twice.verdict(), HasSubstr("storage/twice values are rounded to bfloat16 and then to"));
  const double scale = 0.37;
  const Float8Kernel before{format, {exact_rational(scale), Overflow::saturate}, 4, [&](double value) {
                              const auto product =
                                  static_cast<float>(round_to(Format::bfloat16, value) * scale);
                              return round_saturating(format, static_cast<double>(product));
                            }};
  EXPECT_THAT(before.verdict(),
              HasSubstr("storage/twice values are rounded to bfloat16, then multiplied by the scale and"));
}

TEST_P(Float8Cases, AScaleThatIsNotAsDeclaredIsNamed) {
  const auto format = GetParam();
  const Quantization declared{Rational(16), Overflow::saturate};
  const auto stored_times = [&](double factor) {
    return Float8Kernel{format, declared, 1,
                        [format, factor](double value) { return round_saturating(format, value * factor); }}
        .verdict();
  };
  EXPECT_THAT(stored_times(16), IsEmpty());
  EXPECT_THAT(stored_times(1), HasSubstr("amplitude/scale the scale is dropped"));
  EXPECT_THAT(stored_times(1.0 / 16), HasSubstr("amplitude/scale the scale is inverted"));
  EXPECT_THAT(stored_times(3), testing::Not(HasSubstr("amplitude/scale")));
}

TEST_P(Float8Cases, BitsOfAnotherFormatAreNamed) {
  const auto format = GetParam();
  for (const auto other : eight_bits) {
    if (other == format) {
      continue;
    }
    const auto reads = [&](Tensor tensor) { return std::move(tensor).viewed_as(element_type_of(format)); };
    Float8Kernel misread{other, {1, Overflow::saturate}, 4, nullptr, reads};
    EXPECT_THAT(misread.verdict(), HasSubstr(std::string("storage/bits the bits are those of ") +
                                             std::string(traits(other).name)));
  }
}

TEST_P(Float8Cases, AnOverflowThatIsNotAsDeclaredIsNamed) {
  const auto format = GetParam();
  const double bound = 2 * traits(format).largest();
  const auto own = traits(format).has_infinity() ? Overflow::infinite : Overflow::nan;
  const Float8Kernel lost{
      format, {1, Overflow::saturate}, bound, [&](double value) { return round_to(format, value); }};
  EXPECT_THAT(lost.verdict(), HasSubstr("storage/overflow numbers beyond"));
  const Float8Kernel clamped{
      format, {1, own}, bound, [&](double value) { return round_saturating(format, value); }};
  EXPECT_THAT(clamped.verdict(), HasSubstr("storage/overflow numbers beyond"));
  // Nobody declared what becomes of them.
  const Float8Kernel undeclared{format, {1, Overflow::undeclared}, bound, [&](double value) {
                                  return round_saturating(format, value);
                                }};
  EXPECT_THAT(undeclared.verdict(), HasSubstr("become the greatest number (nothing is declared)"));
}

/// An error that no edit computes has no name.
TEST_P(Float8Cases, NoiseIsUnexplained) {
  const auto format = GetParam();
  std::mt19937_64 random(11);
  const Float8Kernel noisy{format, {1, Overflow::saturate}, 4, [&](double value) {
                             const double off = 1 + 0.2 * (static_cast<double>(random() >> 11) * 0x1p-52 - 1);
                             return round_saturating(format, value * off);
                           }};
  EXPECT_THAT(noisy.verdict(), HasSubstr("unexplained"));
}

class Float8Files : public testing::Test {
 protected:
  std::string refusal(const std::string& rest) const {
    return refusal_of([&] {
      read_case(folder_.write("case.json", R"({"name": "n", "spec": )" + float8_spec + ", " + rest + "}"));
    });
  }

  TemporaryFolder folder_;
};

TEST_F(Float8Files, KeepTheirTypesInSafetensorsAndGoAsBitsInNpy) {
  for (const auto format : eight_bits) {
    const auto tensor = certified(Component::cosine, format);
    const auto file = folder_.path() / (std::string(traits(format).name) + ".safetensors");
    write_safetensors(file, {{"cos", tensor}}, {});
    const auto read = read_safetensors(file).tensor("cos");
    EXPECT_EQ(read.type(), tensor.type());
    EXPECT_TRUE(std::ranges::equal(read.bytes(), tensor.bytes()));
  }
  folder_.write("bits.npy", npy_bytes(certified(Component::cosine, Format::float8_e4m3fn)));
  const std::string rest = R"("tensors": {"cos": "bits.npy"}, "dtype": {"cos": "float8_e4m3fn"})";
  EXPECT_THAT(refusal(rest), IsEmpty());
  EXPECT_THAT(refusal(rest + R"(, "quantization": {"scale": 1, "overflow": "saturate"})"), IsEmpty());
}

TEST_F(Float8Files, RefuseAQuantizationThatMeansNothing) {
  folder_.write("bits.npy", npy_bytes(certified(Component::cosine, Format::float8_e4m3fn)));
  folder_.write("wide.npy", npy_bytes(tensor_of(Format::binary32, {3, 16}, std::vector<double>(48))));
  const std::string cos =
      R"("tensors": {"cos": "bits.npy"}, "dtype": {"cos": "float8_e4m3fn"}, "quantization": )";
  EXPECT_THAT(refusal(cos + R"({"scale": 0})"),
              HasSubstr("scale: found 0, expected a number greater than 0"));
  EXPECT_THAT(refusal(cos + R"({"direction": "up"})"), HasSubstr("\"multiply\" or \"divide\""));
  EXPECT_THAT(refusal(cos + R"({"overflow": "wrap"})"), HasSubstr("\"saturate\", \"nan\" or \"infinity\""));
  EXPECT_THAT(refusal(cos + R"({"overflow": "infinity"})"), HasSubstr("expected \"saturate\" or \"nan\""));
  EXPECT_THAT(refusal(cos + R"({"zero_point": 3})"), HasSubstr("zero_point"));
  EXPECT_THAT(refusal(R"("tensors": {"cos": "wide.npy"}, "quantization": {"scale": 2})"),
              HasSubstr("found cos of float32, expected a format of eight bits"));
}

}  // namespace
}  // namespace vernier
