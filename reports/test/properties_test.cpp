// Every property that tensors are judged by: honest tensors of every scheme that has it keep it, stored
// and live, in every format; and at least two broken implementations break it.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/asking/questions.hpp"
#include "numerics/processes/rows.hpp"
#include "props/judging/property.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/parsed.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/test/property_faults.hpp"
#include "reports/verdict/live/validate_live.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::SizeIs;

/// Which judges see the tensors of a spec.
std::string kind_of(const std::string& spec) {
  const auto encoding = parsed(spec);
  return encoding->bucket_rule() != nullptr        ? "buckets"
         : encoding->first<BiasTable>() != nullptr ? "biases"
                                                   : "turns";
}

/// Whether live questions can show the property: each relative position is asked for once.
bool is_judged_live(const std::string& spec, std::string_view property) {
  return property != "offset-only" || kind_of(spec) != "buckets";
}

constexpr VerdictDetails checks_alone{.error_splits = false, .reasons = false};

/// Relative positions, each twice; others from 0 on.
PositionRange asked_positions(const Encoding& encoding) {
  return encoding.bucket_rule() != nullptr ? PositionRange{-200, 1, 401} : PositionRange{0, 1, 400};
}

Verdict live_verdict(const std::string& spec, const staged::Stages& stages,
                     ElementType type = ElementType::float32) {
  auto encoding = parsed(spec);
  staged::Implementation implementation(spec, stages);
  LiveOptions options{.name = "live", .source = "spec", .cases = 1, .details = checks_alone};
  options.questions.type = type;
  options.questions.quick = true;
  options.questions.positions = asked_positions(*encoding);
  return validate_live(implementation, std::move(encoding), options);
}

/// The same implementation's tensors, as files hold them: relative positions twice, distances of 16
/// queries.
Verdict stored_verdict(const std::string& spec, const staged::Stages& stages,
                       ElementType type = ElementType::float32,
                       const std::optional<std::string>& contract = std::nullopt) {
  auto encoding = parsed(spec);
  staged::Implementation implementation(spec, stages);
  QuestionOptions options;
  options.type = type;
  options.positions = asked_positions(*encoding);
  CaseInput parts{"a test", "stored", "", {}, contract};
  for (const auto& question : questions_of(*encoding, options)) {
    auto request = question.ways.front();
    if (request.input) {
      continue;
    }
    const bool has_buckets = request.wanted.front().role == "buckets";
    if (has_buckets) {
      auto positions = integers_of(request.positions);
      positions.insert(positions.end(), positions.begin(), positions.begin() + 401);
      request.positions = integer_tensor({positions.size()}, positions);
      request.wanted.front().shape = {positions.size()};
    }
    if (spec == staged::distances && request.wanted.front().role == "bias") {
      const auto& shape = request.wanted.front().shape;
      request.wanted.front().shape = {shape.front(), 16, shape.back()};
    }
    const auto response = implementation.ask(request);
    for (const auto& [role, tensor] : response.tensors) {
      parts.tensors.emplace(role, NamedTensor{role, tensor});
    }
    parts.tensors.insert_or_assign(has_buckets ? "relative_positions" : "positions",
                                   NamedTensor{"positions", request.positions});
  }
  return validate(assemble_case(parts, std::move(encoding)), "", checks_alone);
}

std::string check_id(const std::string& spec, std::string_view property) {
  return "property/" + std::string(parsed(spec)->scheme()) + "/" + std::string(property);
}

/// The ids of the properties that have a check.
std::set<std::string> judged_properties(const Verdict& verdict, Status status) {
  std::set<std::string> result;
  for (const auto& id : ids(verdict.checks, status)) {
    const auto last = id.substr(id.rfind('/') + 1);
    const auto* property = id.starts_with("property/") ? property_named(last) : nullptr;
    if (property != nullptr && property->judges_tensors()) {
      result.insert(last);
    }
  }
  return result;
}

std::set<std::string> owned_by(const char* spec) {
  std::set<std::string> result;
  for (const auto& [property, specs] : staged::owners()) {
    if (std::ranges::find(specs, spec) != specs.end()) {
      result.insert(property);
    }
  }
  return result;
}

TEST(Properties, HonestTensorsHaveWhatTheirSchemeHas) {
  for (const auto* spec : staged::all_specs()) {
    const auto stored = stored_verdict(spec, {});
    EXPECT_EQ(judged_properties(stored, Status::pass), owned_by(spec)) << spec;
    EXPECT_EQ(exit_code(stored), 0) << spec << ": " << summary(stored);
    auto expected = owned_by(spec);
    std::erase_if(expected, [&](const auto& property) { return !is_judged_live(spec, property); });
    const auto live = live_verdict(spec, {});
    EXPECT_EQ(judged_properties(live, Status::pass), expected) << spec;
    EXPECT_EQ(exit_code(live), 0) << spec << ": " << summary(live);
  }
}

TEST(Properties, NarrowFormatsAreNotAccused) {
  for (const auto type : {ElementType::float64, ElementType::float16, ElementType::bfloat16}) {
    for (const auto* spec : staged::all_specs()) {
      const auto verdict = stored_verdict(spec, {}, type);
      EXPECT_THAT(ids(verdict.checks, Status::fail), SizeIs(0)) << spec;
    }
  }
}

/// Whatever the contract: a property fails only where an element does.
TEST(Properties, NoContractIsStricterInPropertiesThanInElements) {
  for (const auto& contract : contracts()) {
    for (const auto* spec : staged::all_specs()) {
      try {
        const auto verdict = stored_verdict(spec, {}, ElementType::float32, std::string(contract.id));
        const auto failing = ids(verdict.checks, Status::fail);
        EXPECT_TRUE(
            judged_properties(verdict, Status::fail).empty() ||
            std::ranges::any_of(failing, [](const std::string& id) { return !id.starts_with("property/"); }))
            << contract.id << ", " << spec;
      } catch (const InputError&) {
        continue;  // a contract that says nothing of such a tensor
      }
    }
  }
}

TEST(Properties, EachIsBrokenByTwoImplementationsAtLeast) {
  std::map<std::string, std::set<std::string>> broken_by;
  for (const auto& fault : staged::faults()) {
    for (const auto* spec : fault.specs) {
      ASSERT_THAT(staged::owners().at(fault.property), Contains(spec)) << fault.property;
      const auto stored = stored_verdict(spec, fault.stages);
      EXPECT_EQ(check_named(stored.checks, check_id(spec, fault.property)).status, Status::fail)
          << fault.name << ", " << spec;
      if (spec == fault.specs.front() && is_judged_live(spec, fault.property)) {
        const auto live = live_verdict(spec, fault.stages);
        EXPECT_EQ(check_named(live.checks, check_id(spec, fault.property)).status, Status::fail)
            << fault.name << ", live, " << spec;
      }
    }
    broken_by[fault.property + ("/" + kind_of(fault.specs.front()))].insert(fault.name);
  }
  for (const auto& property : properties()) {
    for (const auto& [kind, is_judged] :
         {std::pair("buckets", property.buckets != nullptr), std::pair("biases", property.biases != nullptr),
          std::pair("turns", property.turns != nullptr)}) {
      const auto judge = std::string(property.id) + "/" + kind;
      EXPECT_TRUE(!is_judged || broken_by[judge].size() >= 2) << judge;
    }
  }
}

}  // namespace
}  // namespace vernier
