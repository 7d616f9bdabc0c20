// What turns vectors back: transposes, inverses and gradients. Honest ones are accepted within the budgets of
// rotations, faulty ones are told and named.

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Operation = RotationOperation;

constexpr auto plain_rope = R"({"scheme": "rope", "head_dim": 32})";
constexpr auto yarn_operation = R"({"scheme": "rope", "head_dim": 32, "rope_scaling":
  {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 1024}})";
constexpr auto xpos = R"({"scheme": "xpos", "head_dim": 16, "sequence_length": 300})";

std::unique_ptr<Encoding> encoding_of(std::string_view spec, Operation operation = Operation::forward) {
  auto json = OrderedJson::parse(spec);
  json["operation"] =
      std::array{"forward", "transpose", "inverse", "shift"}[static_cast<std::size_t>(operation)];
  return parsed(json.dump());
}

RopeSpec rope_of(std::string_view spec, Operation operation) {
  return dynamic_cast<const RopeEncoding&>(*encoding_of(spec, operation)).parameters();
}

/// What a kernel makes of vectors. \param x of one row
using RowKernel = std::function<void(std::int64_t position, std::span<const double> x, std::span<double> y)>;

/// An honest float32 kernel of a spec, whose vectors are then multiplied.
RowKernel kernel_of(const RopeSpec& spec, double factor = 1) {
  const auto recipe = std::ranges::find(recipes(), "float32-pow", &Recipe::id);
  auto rotation = std::make_shared<RecipeRotation>(*recipe, spec, Format::binary32);
  return [rotation, factor](std::int64_t position, std::span<const double> x, std::span<double> y) {
    rotation->rotate(position, x, y);
    for (auto& value : y) {
      value = round_to(Format::binary32, value * factor);
    }
  };
}

/// The vectors of a role, made by a kernel.
RotatedTensor made(const Encoding& encoding, std::string_view role, const RowKernel& kernel,
                   const std::vector<std::int64_t>& positions = positions_from(0, 300)) {
  const auto rotations = encoding.all<HeadRotation>();
  const auto rotation = std::ranges::find(rotations, role, &HeadRotation::role);
  std::mt19937_64 bits(5);
  std::vector<double> input(positions.size() * rotation->head_dim);
  for (auto& x : input) {
    x = round_to(Format::binary32, static_cast<double>(bits() >> 40) * 0x1p-22 - 2);
  }
  auto output = input;
  for (std::size_t r = 0; r < positions.size(); ++r) {
    kernel(positions[r], std::span(input).subspan(r * rotation->head_dim, rotation->head_dim),
           std::span(output).subspan(r * rotation->head_dim, rotation->head_dim));
  }
  const Shape shape{positions.size(), rotation->head_dim};
  return {*rotation,
          tensor_of(Format::binary32, shape, input),
          tensor_of(Format::binary32, shape, output),
          contract_named("float32"),
          positions,
          {}};
}

void expect_honest(const RotatedTensor& tensor) {
  const auto report = audit_rotated(tensor);
  EXPECT_EQ(report.elements.failing, 0U);
  EXPECT_EQ(report.elements.inconclusive, 0U);
  EXPECT_EQ(report.norms.failing, 0U);
  EXPECT_EQ(report.changed.count, 0U);
  EXPECT_GT(report.elements.worst->budget_ratio, 0.05);
}

/// The kinds of the faults that are found.
std::vector<std::string> kinds_of(const Encoding& encoding, const RotatedTensor& tensor) {
  EXPECT_GT(audit_rotated(tensor).elements.failing, 0U) << "the fault does not show";
  std::vector<std::string> result;
  for (const auto& explanation : diagnose_vectors(encoding, tensor, 2).explanations) {
    EXPECT_EQ(explanation.prediction.failing, 0U);
    for (const auto& finding : explanation.findings) {
      result.emplace_back(finding.kind->id);
    }
  }
  return result;
}

TEST(Operations, AcceptHonestOnes) {
  for (const auto* spec : {plain_rope, yarn_operation}) {
    for (const auto operation :
         {Operation::forward, Operation::transpose, Operation::inverse, Operation::shift}) {
      expect_honest(made(*encoding_of(spec, operation), "rotated", kernel_of(rope_of(spec, operation))));
    }
    expect_honest(made(*encoding_of(spec), "input_gradient", kernel_of(rope_of(spec, Operation::transpose))));
    expect_honest(made(*encoding_of(spec, Operation::transpose), "input_gradient",
                       kernel_of(rope_of(spec, Operation::forward))));
  }
}

/// An inverse may also turn back by the tables of the forward pass, and divide by the square of what they
/// carry.
TEST(Operations, AcceptAnInverseThatDividesByTheSquare) {
  const double amplitude =
      round_to(Format::binary32, approximately(rope_of(yarn_operation, Operation::forward).amplitude()));
  const double square = round_to(Format::binary32, amplitude * amplitude);
  expect_honest(made(*encoding_of(yarn_operation, Operation::inverse), "rotated",
                     kernel_of(rope_of(yarn_operation, Operation::transpose), 1 / square)));
}

TEST(OperationDiagnosis, NamesAGradientThatRotatesForward) {
  for (const auto* spec : {plain_rope, yarn_operation}) {
    const auto encoding = encoding_of(spec);
    EXPECT_THAT(
        kinds_of(*encoding, made(*encoding, "input_gradient", kernel_of(rope_of(spec, Operation::forward)))),
        ElementsAre("direction/gradient-forward"));
  }
}

TEST(OperationDiagnosis, NamesTheAmplitudeOfAGradient) {
  const auto encoding = encoding_of(yarn_operation);
  const auto transpose = rope_of(yarn_operation, Operation::transpose);
  const double amplitude = approximately(transpose.amplitude());
  const auto of = [&](const RowKernel& kernel) {
    return kinds_of(*encoding, made(*encoding, "input_gradient", kernel));
  };
  EXPECT_THAT(of(kernel_of(transpose, 1 / amplitude)), ElementsAre("amplitude/back-left-out"));
  EXPECT_THAT(of(kernel_of(transpose, amplitude)), ElementsAre("amplitude/back-twice"));
  EXPECT_THAT(of(kernel_of(rope_of(yarn_operation, Operation::inverse))),
              ElementsAre("amplitude/back-divides"));
}

TEST(OperationDiagnosis, NamesAnInverseThatIsTheTranspose) {
  const auto encoding = encoding_of(yarn_operation, Operation::inverse);
  const auto tensor = made(*encoding, "rotated", kernel_of(rope_of(yarn_operation, Operation::transpose)));
  EXPECT_THAT(kinds_of(*encoding, tensor), ElementsAre("amplitude/back-multiplies"));
  const auto found = diagnose_vectors(*encoding, tensor, 2);
  EXPECT_EQ(found.explanations.front().findings.front().edit[0]["value"], "transpose");
}

TEST(OperationDiagnosis, NamesAnInverseThatRotatesForward) {
  const auto encoding = encoding_of(plain_rope, Operation::inverse);
  EXPECT_THAT(
      kinds_of(*encoding, made(*encoding, "rotated", kernel_of(rope_of(plain_rope, Operation::forward)))),
      ElementsAre("direction/not-back"));
}

/// LMCache 4666 and 242: keys that are moved by the rotation of another model, without its scaling, and with
/// its amplitude once more.
TEST(OperationDiagnosis, NamesTheMistakesOfMovedKeys) {
  const auto encoding = encoding_of(yarn_operation, Operation::shift);
  const auto shifts = positions_from(-150, 300);
  const auto of = [&](const RowKernel& kernel) {
    return kinds_of(*encoding, made(*encoding, "rotated", kernel, shifts));
  };
  expect_honest(made(*encoding, "rotated", kernel_of(rope_of(yarn_operation, Operation::shift)), shifts));
  EXPECT_EQ(of(kernel_of(rope_of(yarn_operation, Operation::forward))).front(), "amplitude/twice");
  EXPECT_THAT(of(kernel_of(rope_of(plain_rope, Operation::shift))), Contains(HasSubstr("frequency")));
  const auto unscaled = encoding_of(plain_rope, Operation::shift);
  auto other = rope_of(plain_rope, Operation::shift);
  other.rope_theta = 500000;
  EXPECT_THAT(kinds_of(*unscaled, made(*unscaled, "rotated", kernel_of(other), shifts)),
              Contains(HasSubstr("frequency")));
}

TEST(OperationDiagnosis, NamesTheLayoutOfAGradient) {
  const auto encoding = encoding_of(plain_rope);
  auto other = rope_of(plain_rope, Operation::transpose);
  other.layout = RopeSpec::Layout::interleaved;
  EXPECT_THAT(kinds_of(*encoding, made(*encoding, "input_gradient", kernel_of(other))),
              ElementsAre("mapping/layout"));
}

/// The forward kernel with negated positions, in a table that ends at half the context: what is looked up
/// before its start is a row from its end.
TEST(OperationDiagnosis, TellsNegatedPositionsInATableThatEnds) {
  const auto encoding = encoding_of(plain_rope);
  const auto forward = kernel_of(rope_of(plain_rope, Operation::forward));
  constexpr std::int64_t rows = 150;
  const auto tensor = made(*encoding, "input_gradient", [&](std::int64_t p, auto x, auto y) {
    forward(((-p) % rows + rows) % rows, x, y);
  });
  for (const auto& kind : kinds_of(*encoding, tensor)) {
    EXPECT_THAT(kind, ::testing::AnyOf(HasSubstr("position/"), HasSubstr("direction/gradient-forward")));
  }
}

/// The partner's sine taken from the next pair: one dimension of each pair tells it.
TEST(OperationDiagnosis, TellsThePartnersSineOfAnotherPair) {
  const auto encoding = encoding_of(plain_rope);
  const auto spec = rope_of(plain_rope, Operation::transpose);
  const auto tensor = made(*encoding, "input_gradient", [&](std::int64_t p, auto x, auto y) {
    for (int pair = 0; pair < spec.pairs(); ++pair) {
      const auto [first, second] = spec.dimensions(pair);
      const auto a = static_cast<std::size_t>(first);
      const auto b = static_cast<std::size_t>(second);
      const auto phase = [&](int of) {
        return static_cast<double>(p) * spec.frequencies().approximate(std::min(of, spec.pairs() - 1));
      };
      y[a] = round_to(Format::binary32, x[a] * std::cos(phase(pair)) + x[b] * std::sin(phase(pair + 1)));
      y[b] = round_to(Format::binary32, x[b] * std::cos(phase(pair)) - x[a] * std::sin(phase(pair)));
    }
  });
  EXPECT_THAT(kinds_of(*encoding, tensor), ElementsAre("frequency/exponent"));
}

/// A case with both passes, as files have it.
CaseInput parts_of(const RotatedTensor& forward, const RotatedTensor& backward) {
  CaseInput parts{"a case", "a case", "", {}, "float32"};
  parts.tensors.emplace("input", NamedTensor{"x.npy", forward.input});
  parts.tensors.emplace("rotated", NamedTensor{"y.npy", forward.rotated});
  parts.tensors.emplace("output_gradient", NamedTensor{"g.npy", backward.input});
  parts.tensors.emplace("input_gradient", NamedTensor{"d.npy", backward.rotated});
  return parts;
}

std::string refusal(const CaseInput& parts) {
  return refusal_of([&] { assemble_case(parts, encoding_of(yarn_operation)); });
}

TEST(OperationCases, HoldBothPasses) {
  const auto encoding = encoding_of(yarn_operation);
  const auto forward = made(*encoding, "rotated", kernel_of(rope_of(yarn_operation, Operation::forward)));
  const auto backward =
      made(*encoding, "input_gradient", kernel_of(rope_of(yarn_operation, Operation::transpose)));
  const auto parts = parts_of(forward, backward);
  const auto both = assemble_case(parts, encoding_of(yarn_operation));
  ASSERT_EQ(both.tensors.all<RotatedTensor>().size(), 2U);
  for (const auto& tensor : both.tensors.all<RotatedTensor>()) {
    expect_honest(tensor);
  }
  EXPECT_EQ(both.tensors.all<RotatedTensor>()[1].role(), "input_gradient");
  auto without = parts;
  without.tensors.erase("output_gradient");
  EXPECT_THAT(refusal(without),
              HasSubstr("tensors.output_gradient: missing, expected both the gradient of the "
                        "output and that of the input"));
  without = parts;
  without.tensors.erase("input_gradient");
  EXPECT_THAT(refusal(without), HasSubstr("tensors.input_gradient: missing"));
}

/// xPos shrinks the gradient of a query as it shrinks the query.
TEST(OperationCases, HoldGradientsOfScaledKeys) {
  const auto encoding = encoding_of(xpos);
  std::vector<std::string> roles;
  for (const auto& rotation : encoding->all<HeadRotation>()) {
    roles.emplace_back(rotation.role());
    EXPECT_EQ(rotation.scale->is_reciprocal, rotation.is_of_keys);
  }
  EXPECT_THAT(roles, ElementsAre("rotated", "rotated_k", "input_gradient", "input_gradient_k"));
}

}  // namespace
}  // namespace vernier
