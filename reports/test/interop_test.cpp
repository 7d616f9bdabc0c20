// Lists of implementations, and what the study of one tells. The implementations that it is about are tested
// by the label `interop`; here are those that are absent, broken or nonsense.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/studies/field_study.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/test/refusal.hpp"
#include "reports/implementations/comparison.hpp"
#include "reports/implementations/implementation_list.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ImplementationList : public ::testing::Test {
 protected:
  ImplementationList() { folder_.write("spec.json", R"({"scheme": "rope", "head_dim": 64})"); }

  static std::string encoding(const std::string& more = "") {
    return R"({"spec": "spec.json", "dtype": "float32", "contract": "float32", "expected": "conforms",
               "reason": "because")" +
           more + "}";
  }
  static std::string implementation(const std::string& run, const std::string& encodings) {
    return R"({"id": "it", "name": "It", )" + run + R"(, "encodings": [)" + encodings + "]}";
  }

  std::filesystem::path written(const std::string& implementations, const std::string& places = "{}") {
    folder_.write("list.json",
                  R"({"places": )" + places + R"(, "implementations": [)" + implementations + "]}");
    return folder_.path() / "list.json";
  }
  std::vector<ListedImplementation> read(const std::string& implementations,
                                         const std::string& places = "{}") {
    return read_implementation_list(written(implementations, places));
  }
  /// What is wrong with a list.
  std::string refused(const std::string& implementations, const std::string& places = "{}") {
    return refusal_of([&] { read(implementations, places); });
  }
  /// What becomes of an implementation that is run so, at the first 300 positions.
  ComparedImplementation studied(const std::string& run) {
    const auto list = written(implementation(run, encoding(R"(, "positions": 300)")));
    const auto entries = study_implementations(list, most_, {});
    EXPECT_EQ(entries.size(), 1U);
    return entries.front();
  }

  std::int64_t most_ = std::int64_t{1} << 20;
  TemporaryFolder folder_;
};

TEST_F(ImplementationList, PutsPathsInThePlaceOfTheirNames) {
  const auto list = read(implementation(R"("server": "'{here}/it' {here}")", encoding()),
                         R"({"here": {"path": "/some where"}})");
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].server, "'/some where/it' /some where");
  EXPECT_EQ(list[0].absent, std::nullopt);
  ASSERT_EQ(list[0].encodings.size(), 1U);
  EXPECT_EQ(list[0].encodings[0].spec, folder_.path() / "spec.json");
  EXPECT_EQ(list[0].encodings[0].positions, 131072);
}

TEST_F(ImplementationList, TellsWhyWhatItNeedsIsAbsent) {
  const auto list = read(implementation(R"("plugin": "{there}")", encoding()),
                         R"({"there": {"absent": "no such library"}, "here": {"absent": "unused"}})");
  EXPECT_EQ(list.at(0).absent, "no such library");
}

TEST_F(ImplementationList, RefusesWhatItCannotMean) {
  const std::string plugin = R"("plugin": "it.so")";
  EXPECT_THAT(refused(implementation(plugin + R"(, "server": "it")", encoding())), HasSubstr("found both"));
  EXPECT_THAT(refused(implementation(R"("colour": "red")", encoding())), HasSubstr("found neither"));
  EXPECT_THAT(refused(implementation(plugin, encoding(R"(, "colour": "red")"))), HasSubstr("colour"));
  EXPECT_THAT(refused(implementation(plugin, encoding(R"(, "positions": 0)"))), HasSubstr("positions"));
  const auto twice = implementation(plugin, encoding());
  EXPECT_THAT(refused(twice + "," + twice), HasSubstr("\"it\" twice"));
  EXPECT_EQ(refused(twice), "");
}

TEST_F(ImplementationList, ANamedFailureIsExpectedOnlyWithItsChecks) {
  auto failing = encoding(R"(, "failing": ["accuracy/cos"])");
  failing.replace(failing.find("\"conforms\""), 10, "\"does_not_conform\"");
  const auto list = read(implementation(R"("plugin": "it.so")", failing));
  EXPECT_EQ(list.at(0).encodings.at(0).conforms, false);
  EXPECT_THAT(list.at(0).encodings.at(0).failing, ElementsAre("accuracy/cos"));
}

TEST_F(ImplementationList, AnHonestPluginIsMeasured) {
  const auto entry = studied(R"("plugin": ")" VERNIER_HONEST_PLUGIN R"(")");
  ASSERT_TRUE(entry.result) << entry.reason;
  EXPECT_EQ(entry.result->failing, 0U);
  EXPECT_THAT(entry.found, HasSubstr("glibc"));
  EXPECT_EQ(entry.result->statistics.count(), 300U * 32 * 2);
  EXPECT_EQ(entry.result->first_unusable, std::nullopt);
  EXPECT_THAT(entry.result->side_effects, IsEmpty());
}

TEST_F(ImplementationList, ABrokenPluginIsFoundOut) {
  const auto list = written(
      implementation(R"("plugin": ")" VERNIER_BROKEN_PLUGIN R"(")", encoding(R"(, "positions": 40000)")));
  const auto entries = study_implementations(list, most_, {});
  ASSERT_TRUE(entries.at(0).result) << entries.at(0).reason;
  EXPECT_GT(entries[0].result->failing, 0U);
  EXPECT_GT(entries[0].result->greatest_budget_ratio, 1);
}

TEST_F(ImplementationList, TheLimitOfPositionsIsKept) {
  most_ = 100;
  const auto entry = studied(R"("plugin": ")" VERNIER_HONEST_PLUGIN R"(")");
  ASSERT_TRUE(entry.result) << entry.reason;
  EXPECT_EQ(entry.result->statistics.count(), 100U * 32 * 2);
}

// Hugging Face's dynamic NTK takes the length from the last position: the first 100 of 300 are those of
// another length.
TEST_F(ImplementationList, FrequenciesOfALengthAreAskedForAtTheWholeLength) {
  most_ = 100;
  folder_.write("spec.json",
                R"({"scheme": "rope", "head_dim": 64, "max_position_embeddings": 200, "sequence_length": 300,
    "rope_scaling": {"rope_type": "dynamic", "factor": 4, "original_max_position_embeddings": 200}})");
  const auto entry = studied(R"("plugin": ")" VERNIER_HONEST_PLUGIN R"(")");
  EXPECT_EQ(entry.positions, 300);
}

TEST_F(ImplementationList, WhatCannotBeRunIsAnEntryThatSaysSo) {
  for (const std::string run : {R"("server": "false")", R"("server": "true")", R"("server": "cat")",
                                R"("server": "/no/such/program")", R"("server": "cat {request}")",
                                R"("plugin": "/no/such/library.so")"}) {
    const auto entry = studied(run);
    EXPECT_FALSE(entry.result) << run;
    EXPECT_THAT(entry.reason, Not(IsEmpty())) << run;
  }
}

}  // namespace
}  // namespace vernier
