// All that is wrong with the keys of a document, told at once, and nothing that only follows from it.

#include "reference/json/key_faults.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/schemes/scheme_registry.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> faults_of(const std::string& spec) {
  try {
    read_telling_all_faults(parse_json(spec, "spec.json"), [](const JsonValue& document) {
      return parse_spec(ObjectReader(document, "spec.json", ""));
    });
  } catch (const SeveralFaults& faults) {
    return faults.sentences();
  } catch (const InputError& error) {
    return {error.what()};
  }
  return {};
}

TEST(KeyFaults, AreAllTold) {
  EXPECT_THAT(faults_of(R"({"scheme": "rope", "head_dim": "64", "rope_theta": 0, "layout": "halves",
                            "colour": 1, "max_position_embeddings": 0.5, "taste": 2})"),
              ElementsAre("spec.json: head_dim: found the string \"64\", expected an integer from 2 to 65536",
                          HasSubstr("rope_theta: found 0, expected a number greater than 1"),
                          HasSubstr("layout: found the string \"halves\", expected \"half\" or"),
                          HasSubstr("max_position_embeddings: found 0.5, expected an integer from 1 to"),
                          HasSubstr("found the unknown key \"colour\""),
                          HasSubstr("found the unknown key \"taste\"")));
  EXPECT_THAT(faults_of(R"({"scheme": "rope", "rope_theta": true,
                            "rope_scaling": {"rope_type": "linear", "factor": "2", "speed": 3}})"),
              ElementsAre(HasSubstr("head_dim: missing"), HasSubstr("rope_theta: found true"),
                          HasSubstr("rope_scaling.factor: found the string \"2\""),
                          HasSubstr("rope_scaling: found the unknown key \"speed\"")));
}

TEST(KeyFaults, AreToldOfEachObjectOfAList) {
  EXPECT_THAT(
      faults_of(
          R"({"scheme": "axial_rope", "head_dim": 12, "grid": [4, 4], "axes": [{"dims": 4, "rope_theta": 0},
                            {"dims": "4"}, {"dims": 4, "colour": 1}]})"),
      ElementsAre(HasSubstr("axes[0].rope_theta: found 0"), HasSubstr("axes[1].dims: found the string"),
                  HasSubstr("axes[2]: found the unknown key \"colour\"")));
}

TEST(KeyFaults, OneIsToldAsEver) {
  EXPECT_THAT(faults_of(R"({"scheme": "rope", "head_dim": 64})"), SizeIs(0));
  EXPECT_THAT(faults_of(R"({"scheme": "rope", "head_dim": 7})"),
              ElementsAre("spec.json: head_dim: found 7, expected an even number, as dimensions rotate in "
                          "pairs"));
  EXPECT_THAT(faults_of(R"({"scheme": "rope", "head_dim": 64, "colour": 1})"), SizeIs(1));
  EXPECT_THAT(
      faults_of(R"({"scheme": "rope", "head_dim": 2, "rope_scaling": {"rope_type": "ntk", "alpha": 8}})"),
      ElementsAre(HasSubstr("expected at least 4 rotating dimensions")))
      << "of no key";
}

/// What stands in the place of a wrong key makes no fault of others.
TEST(KeyFaults, NothingIsToldThatFollowsFromAnother) {
  // 48 is too many rotating dimensions of the least head, and not of others.
  EXPECT_THAT(faults_of(R"({"scheme": "rope", "head_dim": "64", "rotary_dim": 48})"), SizeIs(1));
  // Which keys there are depends on the scheme, and on the kind of scaling.
  EXPECT_THAT(faults_of(R"({"scheme": "rape", "head_dim": "64", "colour": 1})"), SizeIs(1));
  EXPECT_THAT(faults_of(R"({"scheme": "rope", "head_dim": 64, "rope_scaling": {"rope_type": "yern",
                            "factor": 4, "beta_fast": 32}})"),
              SizeIs(1));
  // tensor2tensor has requirements that the paper has not.
  EXPECT_THAT(faults_of(R"({"scheme": "sinusoidal", "d_model": 7, "frequency": "tensor2tensr",
                            "odd_width": "lone"})"),
              SizeIs(1));
}

TEST(KeyFaults, AreToldUpToAFew) {
  std::string spec = R"({"scheme": "rope", "head_dim": 64)";
  for (int i = 0; i < 1000; ++i) {
    spec += ", \"key" + std::to_string(i) + "\": 1";
  }
  EXPECT_THAT(faults_of(spec + "}"), SizeIs(20));
}

}  // namespace
}  // namespace vernier
