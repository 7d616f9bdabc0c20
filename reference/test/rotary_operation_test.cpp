// What is computed of a rotation: forward, its transpose, its inverse, and the gradient of each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto operated_yarn =
    R"("rope_scaling":{"rope_type":"yarn","factor":4,"original_max_position_embeddings":4096})";
constexpr auto operated_longrope =
    R"("sequence_length":8192,"max_position_embeddings":8192,"rope_scaling":{"rope_type":"longrope","original_max_position_embeddings":4096,"factor":2,"short_factor":[1,1],"long_factor":[2,3]})";

std::unique_ptr<Encoding> operated_rope(const std::string& keys) {
  return parsed(R"({"scheme":"rope","head_dim":4,)" + keys + "}");
}

/// y of x = (1, 2, ...) at a position, as intervals.
std::vector<Interval> made_by(const HeadRotation& rotation, std::vector<Interval> x, std::int64_t position) {
  auto y = x;
  for (const auto& d : rotation.rotated) {
    const auto pair = static_cast<std::size_t>(d.pair);
    const int frequency = rotation.table.columns[pair].pair;
    const Interval scale = rotation.scale ? rotation.scale->at(position, d.pair)() : enclose(std::int64_t{1});
    const Interval c = rotation.table.value(position, frequency, Component::cosine)();
    const Interval s = rotation.table.value(position, frequency, Component::sine)();
    y[d.out] = scale * (x[d.own] * c + d.sign * x[d.other] * s);
  }
  return y;
}

std::vector<Interval> counted(std::size_t count) {
  std::vector<Interval> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(enclose(static_cast<std::int64_t>(i) + 1));
  }
  return result;
}

void expect_equal(const std::vector<Interval>& one, const std::vector<Interval>& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_NEAR(middle(one[i]), middle(other[i]), 1e-12) << i;
  }
}

TEST(RotaryOperation, IsWrittenWhereItIsNotForward) {
  EXPECT_EQ(operated_rope(R"("operation":"forward")")->spec().dump(),
            operated_rope(R"("rope_theta":10000)")->spec().dump());
  for (const auto* operation : {"transpose", "inverse", "shift"}) {
    const auto encoding = operated_rope(R"("operation":")" + std::string(operation) + "\"");
    EXPECT_EQ(encoding->spec()["operation"], operation);
    EXPECT_THAT(encoding->summary(), HasSubstr(", the " + std::string(operation)));
    EXPECT_EQ(parsed(encoding->spec().dump())->spec(), encoding->spec());
  }
  EXPECT_THAT(refusal_of([] { operated_rope(R"("operation":"backward")"); }),
              HasSubstr("spec.operation: found the string \"backward\", expected \"forward\", "
                        "\"transpose\", \"inverse\" or \"shift\""));
}

TEST(RotaryOperation, LeavesTablesAlone) {
  for (const auto* operation : {"forward", "transpose", "inverse"}) {
    const auto encoding = operated_rope(std::string(operated_yarn) + R"(,"operation":")" + operation + "\"");
    for (const auto& table : encoding->plain_tables()) {
      EXPECT_EQ(table.amplitude, dynamic_cast<const RopeEncoding&>(*encoding).parameters().amplitude());
    }
  }
}

/// A shift takes A R x at p to A R x at p + d: with the frequencies of the scaling, and its amplitude once.
TEST(RotaryOperation, MovesWhatWasTurned) {
  const WorkingPrecision precision(128);
  for (const auto& spec : {R"({"scheme":"rope","head_dim":4,)" + std::string(operated_yarn) + "}",
                           R"({"scheme":"rope","head_dim":4,)" + std::string(operated_longrope) + "}",
                           std::string(R"({"scheme":"rope","head_dim":4,"direction":"clockwise"})"),
                           std::string(R"({"scheme":"xpos","head_dim":8,"sequence_length":64})")}) {
    SCOPED_TRACE(spec);
    const auto forward = parsed(spec)->all<HeadRotation>();
    const auto shift =
        parsed(spec.substr(0, spec.size() - 1) + R"(,"operation":"shift"})")->all<HeadRotation>();
    ASSERT_EQ(forward.size(), shift.size());
    for (std::size_t i = 0; i < forward.size() / 2; ++i) {
      EXPECT_FALSE(shift[i].turns_back());
      const auto x = counted(forward[i].head_dim);
      expect_equal(made_by(shift[i], made_by(forward[i], x, 37), -12), made_by(forward[i], x, 25));
    }
  }
  EXPECT_THAT(refusal_of([] {
                parsed(R"({"scheme":"axial_rope","head_dim":8,"grid_width":5,"operation":"shift"})");
              }),
              HasSubstr("found the string \"shift\""));
}

/// The transpose takes A R x to A^2 x, the inverse to x, whatever the amplitude, the axes and the scale.
TEST(RotaryOperation, TakesBackWhatWasTurned) {
  const WorkingPrecision precision(128);
  for (const auto& spec : {R"({"scheme":"rope","head_dim":4,)" + std::string(operated_yarn) + "}",
                           R"({"scheme":"rope","head_dim":4,)" + std::string(operated_longrope) + "}",
                           std::string(R"({"scheme":"rope","head_dim":8,"partial_rotary_factor":0.5})"),
                           std::string(R"({"scheme":"axial_rope","head_dim":8,"grid_width":5})"),
                           std::string(R"({"scheme":"xpos","head_dim":8,"sequence_length":64})")}) {
    SCOPED_TRACE(spec);
    const auto with = [&](std::string_view operation) {
      return parsed(spec.substr(0, spec.size() - 1) + R"(,"operation":")" + std::string(operation) + "\"}");
    };
    const auto forward = with("forward")->all<HeadRotation>();
    const auto transpose = with("transpose")->all<HeadRotation>();
    const auto inverse = with("inverse")->all<HeadRotation>();
    ASSERT_EQ(forward.size(), transpose.size());
    const auto maps = forward.size() / 2;
    for (std::size_t i = 0; i < maps; ++i) {
      const auto x = counted(forward[i].head_dim);
      constexpr std::int64_t position = 37;
      const auto y = made_by(forward[i], x, position);
      expect_equal(made_by(inverse[i], y, position), x);
      auto squared = x;
      for (const auto& d : forward[i].rotated) {
        const Interval amplitude = enclose(forward[i].table.amplitude);
        const Interval scale =
            forward[i].scale ? forward[i].scale->at(position, d.pair)() : enclose(std::int64_t{1});
        squared[d.out] = x[d.out] * amplitude * amplitude * scale * scale;
      }
      expect_equal(made_by(transpose[i], y, position), squared);
      expect_equal(made_by(forward[maps + i], y, position), squared);
      expect_equal(made_by(transpose[maps + i], x, position), y);
    }
  }
}

/// What the spec says of vectors is so of the rotation that it defines.
TEST(RotaryOperation, IsThatOfTheSpecsVectors) {
  const auto parameters = [](const std::string& keys) {
    return dynamic_cast<const RopeEncoding&>(*operated_rope(operated_yarn + keys)).parameters();
  };
  for (const std::string direction : {"clockwise", "counterclockwise"}) {
    for (const std::string operation : {"forward", "transpose", "inverse", "shift"}) {
      SCOPED_TRACE(direction + ", " + operation);
      const auto spec = parameters(R"(,"direction":")" + direction + R"(","operation":")" + operation + "\"");
      const auto rotation = RopeEncoding(spec).all<HeadRotation>().front();
      EXPECT_EQ(spec.sense(), rotation.direction());
      EXPECT_EQ(spec.amplitude_of_vectors(), rotation.table.amplitude);
      EXPECT_EQ(spec.table_of_vectors(Component::sine).amplitude, rotation.table.amplitude);
      const auto transposed = spec.transposed();
      ASSERT_EQ(transposed.has_value(), operation == "forward" || operation == "transpose");
      if (transposed) {
        const auto back = RopeEncoding(*transposed).all<HeadRotation>().front();
        EXPECT_EQ(back.rotated, gradient_of(rotation).rotated);
        EXPECT_EQ(back.table.amplitude, rotation.table.amplitude);
      }
    }
  }
}

TEST(RotaryOperation, NamesTheVectorsOfEachPass) {
  const auto roles = [](const Encoding& encoding) {
    std::vector<std::string> result;
    for (const auto& rotation : encoding.all<HeadRotation>()) {
      result.push_back(std::string(rotation.role()) + " of " + std::string(rotation.vectors().input));
    }
    return result;
  };
  EXPECT_THAT(roles(*operated_rope(R"("rope_theta":10000)")),
              ElementsAre("rotated of input", "input_gradient of output_gradient"));
  EXPECT_THAT(roles(*parsed(R"({"scheme":"xpos","head_dim":8,"sequence_length":64})")),
              ElementsAre("rotated of input", "rotated_k of input_k", "input_gradient of output_gradient",
                          "input_gradient_k of output_gradient_k"));
}

TEST(Amplitude, HasAReciprocal) {
  const WorkingPrecision precision(128);
  for (const auto& amplitude : {Amplitude(1), Amplitude(Rational(3, 2)), Amplitude(LogarithmicRatio{4, 1, 0}),
                                Amplitude(LogarithmicRoot{4, 4096})}) {
    EXPECT_NEAR(middle(Interval(enclose(amplitude) * enclose(amplitude.reciprocal()))), 1, 1e-15);
    EXPECT_EQ(amplitude.reciprocal().reciprocal(), amplitude);
    EXPECT_EQ(amplitude.reciprocal().is_reciprocal(), !amplitude.is_one());
  }
}

}  // namespace
}  // namespace vernier
