// Conventions found from tensors made with other conventions than are declared.

#include "reports/conventions.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/json.hpp"
#include "reference/scheme_registry.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

const Recipe& recipe_named(std::string_view id) {
  return *std::ranges::find(recipes(), id, &Recipe::id);
}

/// What was found, by name; a '!' before it where it is not as declared.
using Found = std::map<std::string, std::string>;

Found found_in(const std::vector<Convention>& conventions) {
  Found found;
  for (const auto& convention : conventions) {
    found[convention.name] = (convention.agrees ? "" : "!") + convention.found;
    EXPECT_EQ(convention.agrees, convention.found == convention.declared) << convention.name;
    EXPECT_FALSE(convention.evidence.empty());
  }
  return found;
}

/// Tables that a recipe makes of one encoding's definition, said to be another's.
Case said_to_be(std::unique_ptr<Encoding> declared, const std::vector<TrigTable>& declared_tables,
                const std::vector<TrigTable>& made_tables, std::string_view recipe, Format stored,
                std::int64_t shift = 0) {
  Case result{"made", "a test", std::move(declared), positions_from(0, 1500), {}, {}};
  const auto held = positions_from(shift, 1500);
  for (std::size_t i = 0; i < declared_tables.size(); ++i) {
    const auto values = values_of(RecipeTable(recipe_named(recipe), made_tables[i], stored), held);
    result.tensors.all<TableTensor>().push_back(
        {declared_tables[i], tensor_of(stored, {held.size(), made_tables[i].columns.size()}, values),
         contract_named("float32")});
  }
  return result;
}

Case sinusoid(const SinusoidalSpec& declared, const SinusoidalSpec& made, Format stored = Format::binary32,
              std::int64_t shift = 0) {
  return said_to_be(std::make_unique<SinusoidalEncoding>(declared),
                    SinusoidalEncoding(declared).all<TrigTable>(), SinusoidalEncoding(made).all<TrigTable>(),
                    "float32-pow", stored, shift);
}

const SinusoidalSpec vaswani{.d_model = 64};
const Found as_vaswani{{"layout", "interleaved"}, {"order", "sine first"}, {"sine", "as defined"},
                       {"amplitude", "1"},        {"first position", "0"}, {"base", "10000"}};

TEST(Conventions, AreFoundAsDeclaredInEveryFormat) {
  for (const auto stored : {Format::binary32, Format::binary16, Format::bfloat16}) {
    EXPECT_EQ(found_in(conventions_of(sinusoid(vaswani, vaswani, stored))), as_vaswani)
        << traits(stored).name;
  }
}

TEST(Conventions, EveryOtherOneOfASinusoidIsSeen) {
  const auto expect = [](const SinusoidalSpec& made, const std::string& name, const std::string& value) {
    auto expected = as_vaswani;
    expected[name] = value;
    EXPECT_EQ(found_in(conventions_of(sinusoid(vaswani, made))), expected) << name;
  };
  auto made = vaswani;
  made.layout = SinusoidalSpec::Layout::halves;
  expect(made, "layout", "!halves");
  made = vaswani;
  made.order = SinusoidalSpec::Order::cos_sin;
  expect(made, "order", "!cosine first");
  made = vaswani;
  made.scale = Rational(5, 2);
  expect(made, "amplitude", "!2.5");
  made = vaswani;
  made.base = 500000;
  expect(made, "base", "!500000");
}

TEST(Conventions, SeveralOthersTogetherAreSeen) {
  auto made = vaswani;
  made.layout = SinusoidalSpec::Layout::halves;
  made.order = SinusoidalSpec::Order::cos_sin;
  made.base = 777;
  const Found expected{{"layout", "!halves"}, {"order", "!cosine first"}, {"sine", "as defined"},
                       {"amplitude", "1"},    {"first position", "!3"},   {"base", "!777"}};
  EXPECT_EQ(found_in(conventions_of(sinusoid(vaswani, made, Format::binary32, 3))), expected);
}

TEST(Conventions, PositionsThatAreOffByOneAreSeenIn16Bits) {
  const auto found = found_in(conventions_of(sinusoid(vaswani, vaswani, Format::bfloat16, 1)));
  EXPECT_EQ(found.at("first position"), "!1");
}

const RopeSpec llama{.head_dim = 64};

std::vector<TrigTable> rope_tables(const RopeSpec& spec) {
  const RopeEncoding encoding(spec);
  return {encoding.table(Component::cosine), encoding.table(Component::sine)};
}

TEST(Conventions, OfRopesTablesAreSeen) {
  const Found as_declared{{"tables", "as named"},
                          {"sine", "as defined"},
                          {"amplitude", "1"},
                          {"first position", "0"},
                          {"base", "10000"}};
  const auto made = [](const std::vector<TrigTable>& tables, std::string_view recipe = "float32-pow") {
    return said_to_be(std::make_unique<RopeEncoding>(llama), rope_tables(llama), tables, recipe,
                      Format::binary32);
  };
  EXPECT_EQ(found_in(conventions_of(made(rope_tables(llama)))), as_declared);
  auto exchanged = rope_tables(llama);
  std::swap(exchanged[0], exchanged[1]);
  auto expected = as_declared;
  expected["tables"] = "!sine and cosine exchanged";
  EXPECT_EQ(found_in(conventions_of(made(exchanged))), expected);
  const auto coarse = found_in(conventions_of(made(rope_tables(llama), "bfloat16-frequency")));
  EXPECT_EQ(coarse.at("format of the frequencies"), "!bfloat16");
  EXPECT_FALSE(coarse.contains("base")) << "rounded frequencies are on no geometric line";
  auto negated = made(rope_tables(llama));
  std::vector<double> values(negated.tensors.all<TableTensor>()[1].tensor.elements());
  negated.tensors.all<TableTensor>()[1].tensor.numbers(0, values);
  std::ranges::transform(values, values.begin(), std::negate<>());
  negated.tensors.all<TableTensor>()[1].tensor =
      tensor_of(Format::binary32, negated.tensors.all<TableTensor>()[1].tensor.shape(), values);
  expected = as_declared;
  expected["sine"] = "!negated";
  EXPECT_EQ(found_in(conventions_of(negated)), expected);
}

TEST(Conventions, TheAmplitudeOfAScalingIsToldAsTheFieldSaysIt) {
  const auto yarn =
      parse_spec(ObjectReader(parse_json(R"({"scheme": "rope", "head_dim": 64, "rope_theta": 1000000,
                     "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 32768}})",
                                         "a test"),
                              "a test", ""));
  const auto spec = dynamic_cast<const RopeEncoding&>(*yarn).parameters();
  const auto found =
      found_in(conventions_of(said_to_be(std::make_unique<RopeEncoding>(spec), rope_tables(spec),
                                         rope_tables(spec), "float32-pow", Format::binary32)));
  EXPECT_EQ(found.at("amplitude"), "1.13863");
  EXPECT_EQ(found.at("frequencies"), "as declared");
  auto unscaled = spec;
  unscaled.scaling = Unscaled{};
  const auto other =
      found_in(conventions_of(said_to_be(std::make_unique<RopeEncoding>(spec), rope_tables(spec),
                                         rope_tables(unscaled), "float32-pow", Format::binary32)));
  EXPECT_EQ(other.at("amplitude"), "!1");
  EXPECT_THAT(other.at("frequencies"), testing::StartsWith("!others in "));
}

/// Vectors that a recipe rotates as one spec says, said to be rotated as another does.
Found found_in_rotation(const RopeSpec& declared, const RopeSpec& made, Format stored = Format::binary32) {
  const auto positions = positions_from(0, 1200);
  const auto width = static_cast<std::size_t>(made.head_dim);
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<double> input(positions.size() * width);
  std::ranges::generate(input, [&] { return round_to(stored, normal(random)); });
  std::vector<double> rotated(input.size());
  const RecipeRotation rotation(recipe_named("float32-pow"), made, stored);
  for (std::size_t r = 0; r < positions.size(); ++r) {
    rotation.rotate(positions[r], std::span(input).subspan(r * width, width),
                    std::span(rotated).subspan(r * width, width));
  }
  Case subject{"made", "a test", std::make_unique<RopeEncoding>(declared), positions, {}, {}};
  const Shape shape{positions.size(), width};
  subject.tensors.all<RotatedTensor>().push_back(RotatedTensor{rotation_of(RopeEncoding(declared)),
                                                               tensor_of(stored, shape, input),
                                                               tensor_of(stored, shape, rotated),
                                                               contract_named("float32"),
                                                               positions,
                                                               {}});
  return found_in(conventions_of(subject));
}

TEST(Conventions, OfRotationsAreSeen) {
  const Found as_declared{{"rotating dimensions", "64"},
                          {"layout", "half"},
                          {"direction", "counter-clockwise"},
                          {"amplitude", "1"},
                          {"first position", "0"},
                          {"base", "10000"}};
  EXPECT_EQ(found_in_rotation(llama, llama), as_declared);
  EXPECT_EQ(found_in_rotation(llama, llama, Format::bfloat16), as_declared);
  auto made = llama;
  made.layout = RopeSpec::Layout::interleaved;
  auto expected = as_declared;
  expected["layout"] = "!interleaved";
  EXPECT_EQ(found_in_rotation(llama, made), expected);
  made.direction = RopeSpec::Direction::clockwise;
  expected["direction"] = "!clockwise";
  EXPECT_EQ(found_in_rotation(llama, made), expected);
  const RopeSpec partial{.head_dim = 64, .partial_rotary_factor = Rational(1, 2)};
  EXPECT_EQ(found_in_rotation(llama, partial).at("rotating dimensions"), "!32");
  EXPECT_EQ(found_in_rotation(partial, partial).at("base"), "10000");
}

TEST(Conventions, PositionsThatWrapAreNotCalledShifted) {
  auto wrapped = sinusoid(vaswani, vaswani);
  std::vector<double> values(wrapped.tensors.all<TableTensor>()[0].tensor.elements());
  wrapped.tensors.all<TableTensor>()[0].tensor.numbers(0, values);
  std::copy_n(values.begin(), 500 * 64, values.begin() + 1000 * 64);
  wrapped.tensors.all<TableTensor>()[0].tensor =
      tensor_of(Format::binary32, wrapped.tensors.all<TableTensor>()[0].tensor.shape(), values);
  EXPECT_FALSE(found_in(conventions_of(wrapped)).contains("first position"));
}

TEST(Conventions, NoiseHasNone) {
  auto noise = sinusoid(vaswani, vaswani);
  std::mt19937_64 random(2);
  std::vector<double> values(noise.tensors.all<TableTensor>()[0].tensor.elements());
  std::ranges::generate(values, [&] { return static_cast<double>(random() % 1001) / 512 - 1; });
  noise.tensors.all<TableTensor>()[0].tensor =
      tensor_of(Format::binary32, noise.tensors.all<TableTensor>()[0].tensor.shape(), values);
  EXPECT_TRUE(conventions_of(noise).empty());
}

}  // namespace
}  // namespace vernier
