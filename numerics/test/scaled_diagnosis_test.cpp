// Faults of xPos, made by its code and named.

#include <algorithm>
#include <functional>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "numerics/computation/prediction.hpp"
#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/test/made_relative.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "numerics/test/xpos_code.hpp"

namespace vernier {
namespace {

/// An implementation: the code itself, or edits of what it gives.
struct MadeXpos {
  XposCode code = {.style = "torchscale", .length = 300};
  std::int64_t offset = 0;  ///< of its positions
  std::function<double(double value, std::size_t index)> change = nullptr;
  std::function<std::int64_t(std::int64_t position)> computed = [](std::int64_t p) { return p; };
};

Case case_of(const MadeXpos& made, const std::string& spec, Format stored) {
  const auto& code = made.code;
  std::vector<std::int64_t> positions;
  for (std::int64_t position = 0; position < code.length; ++position) {
    positions.push_back(position);
  }
  auto asked = positions;
  for (auto& position : asked) {
    position = made.computed(position) + made.offset;
  }
  const auto head_dim = static_cast<std::size_t>(code.head_dim);
  CaseInput parts{"a test", "made", "", {}, std::nullopt};
  const auto add = [&](std::string_view role, Format format, std::size_t width, std::vector<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_changed = made.change && role != "input";
      values[i] = round_to(format, is_changed ? made.change(values[i], i) : values[i]);
    }
    parts.tensors.emplace(role, NamedTensor{"made", tensor_of(format, {positions.size(), width}, values)});
  };
  for (const auto* role : {"cos", "sin", "cos_k", "sin_k", "scale"}) {
    add(role, stored, head_dim / 2, code.table(role, asked));
  }
  std::mt19937_64 bits(5);
  std::vector<double> input(positions.size() * head_dim);
  std::ranges::generate(input, [&] { return static_cast<double>(bits() >> 48) * 0x1p-14 - 2; });
  add("input", Format::binary32, head_dim, input);
  add("rotated", stored, head_dim, code.rotated(input, asked, false));
  add("rotated_k", stored, head_dim, code.rotated(input, asked, true));
  parts.tensors.emplace("positions", NamedTensor{"made", integer_tensor({positions.size()}, positions)});
  return assemble_case(parts, parsed(spec));
}

/// Of the tables together, of vectors of queries, and of vectors of keys.
std::vector<Diagnosis> diagnosed(const MadeXpos& made, const std::string& spec,
                                 Format stored = Format::binary32) {
  const auto subject = case_of(made, spec, stored);
  std::vector<Diagnosis> result{diagnose_tables(subject, 1)};
  for (const auto& vectors : subject.tensors.all<RotatedTensor>()) {
    result.push_back(diagnose_vectors(*subject.encoding, vectors, 1));
  }
  return result;
}

const std::string nothing = told({});
const std::string declared_xpos = XposCode{.style = "torchscale", .length = 300}.spec();

struct XposFault {
  std::string_view kind;
  MadeXpos made;
};

TEST(ScaledDiagnosis, NamesFaultsOfBothOperands) {
  const XposCode right{.style = "torchscale", .length = 300};
  const auto with = [&](auto change) {
    auto code = right;
    change(code);
    return MadeXpos{code};
  };
  const std::vector<XposFault> faults{
      {"amplitude/growth-centre", with([](XposCode& code) { code.centre_shift = -150; })},
      {"amplitude/growth-centre", with([](XposCode& code) { code.centre_shift = 77; })},
      {"amplitude/growth-base", with([](XposCode& code) { code.scale_base = 256; })},
      {"amplitude/growth-base", with([](XposCode& code) { code.scale_base = 700; })},
      {"amplitude/growth-missing", with([](XposCode& code) { code.scale_base = 1e30F; })},
      {"position/offset", {right, 1}},
      {"position/offset", {right, 17}},
  };
  for (const auto& fault : faults) {
    for (const auto stored : {Format::binary32, Format::bfloat16}) {
      for (const auto& found : diagnosed(fault.made, declared_xpos, stored)) {
        EXPECT_EQ(named(found), fault.kind)
            << fault.kind << ", " << traits(stored).name << ", " << told(found);
      }
    }
  }
}

TEST(ScaledDiagnosis, NamesACentreThatIsOffByOne) {
  const XposCode code{.style = "torchscale", .length = 300, .centre_shift = 1};
  for (const auto& found : diagnosed({code}, declared_xpos)) {
    EXPECT_EQ(named(found), "amplitude/growth-centre") << told(found);
    EXPECT_EQ(sentence_of(found.explanations.at(0)), "sequence_length is 302, not 300");
  }
}

TEST(ScaledDiagnosis, NamesKeysThatAreScaledAsQueries) {
  const auto found =
      diagnosed({{.style = "torchscale", .length = 300, .keys_like_queries = true}}, declared_xpos);
  EXPECT_EQ(named(found[0]), "amplitude/growth-keys") << told(found[0]);
  EXPECT_EQ(told(found[1]), nothing) << "queries are as declared";
  EXPECT_EQ(named(found[2]), "amplitude/growth-keys") << told(found[2]);
}

TEST(ScaledDiagnosis, NamesTwoFaultsOfDifferentStages) {
  const XposCode code{.style = "torchscale", .length = 300, .scale_base = 256, .keys_like_queries = true};
  const auto found = diagnosed({code}, declared_xpos);
  EXPECT_EQ(named(found[0]), "amplitude/growth-keys + amplitude/growth-base") << told(found[0]);
}

TEST(ScaledDiagnosis, SaysWhatAnEditOfTheSpecIs) {
  const XposCode code{.style = "torchscale", .length = 300, .scale_base = 256};
  for (const auto& found : diagnosed({code}, declared_xpos)) {
    ASSERT_TRUE(found.is_explained());
    EXPECT_EQ(found.explanations.front().findings.front().edit.dump(),
              R"([{"op":"add","path":"/scale_base","value":256}])");
  }
}

TEST(ScaledDiagnosis, SaysNothingOfHonestTensors) {
  for (const auto* style : {"torchscale", "x_transformers", "flash_attn"}) {
    const XposCode code{.style = style, .length = 300};
    for (const auto& found : diagnosed({code}, code.spec())) {
      EXPECT_EQ(told(found), nothing);
    }
  }
}

TEST(ScaledDiagnosis, NamesWhatTheyHaveInCommonWithOtherTables) {
  const XposCode right{.style = "torchscale", .length = 300};
  const auto at = [&](auto computed) { return MadeXpos{right, 0, nullptr, computed}; };
  const std::vector<XposFault> faults{
      {"direction/sign", {{.style = "torchscale", .length = 300, .turns_backwards = true}}},
      {"position/clamped", at([](std::int64_t p) { return std::min<std::int64_t>(p, 255); })},
      {"position/reversed", at([](std::int64_t p) { return 299 - p; })},
      {"position/staircase", at([](std::int64_t p) { return p / 4 * 4; })},
      {"damage/non-finite",
       {right, 0,
        [](double value, std::size_t index) {
          return index == 1234 ? std::numeric_limits<double>::infinity() : value;
        }}},
      {"damage/element",
       {right, 0, [](double value, std::size_t index) { return index == 1234 ? value + 1 : value; }}},
  };
  for (const auto& fault : faults) {
    for (const auto stored : {Format::binary32, Format::bfloat16}) {
      for (const auto& found : diagnosed(fault.made, declared_xpos, stored)) {
        EXPECT_EQ(std::string(named(found)).substr(0, fault.kind.size()), fault.kind)
            << traits(stored).name << ", " << told(found);
      }
    }
  }
}

TEST(ScaledDiagnosis, NamesAFaultOfTheScaleBesideOneOfThePositions) {
  const XposCode code{.style = "torchscale", .length = 300, .scale_base = 256};
  const MadeXpos made{code, 0, nullptr, [](std::int64_t p) { return std::min<std::int64_t>(p, 255); }};
  for (const auto& found : diagnosed(made, declared_xpos)) {
    EXPECT_EQ(named(found), "position/clamped + amplitude/growth-base") << told(found);
  }
}

TEST(ScaledDiagnosis, LeavesWhatNothingPredictsUnexplained) {
  const XposCode right{.style = "torchscale", .length = 300};
  const auto garbage = [](double value, std::size_t index) { return index % 7 == 3 ? value * 1.01 : value; };
  for (const auto& found : diagnosed(MadeXpos{right, 0, garbage}, declared_xpos)) {
    EXPECT_FALSE(found.is_explained()) << told(found);
    EXPECT_FALSE(found.rest.empty());
  }
}

TEST(ScaledPrediction, AgreesWithTheAuditOfTheDeclaredComputation) {
  for (const auto stored : {Format::binary32, Format::bfloat16}) {
    const auto subject = case_of({{.style = "torchscale", .length = 300}}, declared_xpos, stored);
    const auto& tables = subject.tensors.all<TableTensor>();
    double largest = 0;
    for (const auto& table : tables) {
      largest =
          std::max(largest, audit_elements(table, {.positions = subject.positions}).worst->budget_ratio);
    }
    const auto of_tables = Suspect::of_tables(subject);
    EXPECT_NEAR(Predictor(of_tables, of_tables.declared()).compare_all(1).largest_budget_ratio, largest,
                0.002);
    for (const auto& vectors : subject.tensors.all<RotatedTensor>()) {
      const auto of_vectors = Suspect::of_vectors(*subject.encoding, vectors);
      EXPECT_NEAR(Predictor(of_vectors, of_vectors.declared()).compare_all(1).largest_budget_ratio,
                  audit_rotated(vectors, 1).elements.worst->budget_ratio, 0.002);
    }
  }
}

}  // namespace
}  // namespace vernier
