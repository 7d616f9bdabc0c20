// The verdict on plug-ins: the examples conform, and each hostile one has the verdict, the exit code and the
// check that its fault calls for.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/processes/plugin_process.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/schemes/xpos.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/live/validate_live.hpp"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path plugin_folder = VERNIER_TEST_PLUGINS;

Verdict judge(const std::string& plugin, std::unique_ptr<Encoding> encoding, ElementType type,
              const PluginOptions& plugin_options = {}, bool quick = false) {
  PluginProcess implementation(plugin_folder / (plugin + ".so"), plugin_options);
  LiveOptions options;
  options.name = plugin;
  options.source = "the test";
  options.questions.type = type;
  options.questions.quick = quick;
  options.cases = quick ? 2 : 10;
  options.details = {.error_splits = false, .reasons = false};
  return validate_live(implementation, std::move(encoding), options);
}

std::unique_ptr<Encoding> plugin_rope() {
  RopeSpec spec;
  // Five pairs: bytes are left between the end of a table and the guard, which starts at a multiple of 64.
  spec.head_dim = 10;
  spec.max_position_embeddings = 4096;
  return std::make_unique<RopeEncoding>(spec);
}

TEST(PluginVerdict, TheExamplesConformInBothTypes) {
  for (const auto type : {ElementType::float32, ElementType::float64}) {
    const auto rotary = judge("rope_plugin", plugin_rope(), type);
    EXPECT_EQ(exit_code(rotary), 0) << told(rotary);
    EXPECT_THAT(rotary.producer, HasSubstr("RoPE in C 1.0"));
    for (const auto* id : {"accuracy/cos", "accuracy/sin", "effects/determinism", "effects/memory",
                           "effects/environment", "effects/input", "effects/output", "use/strides"}) {
      const auto& check = check_named(rotary.checks, id);
      EXPECT_EQ(check.status, Status::pass) << id << ": " << check.reason;
    }
    SinusoidalSpec spec;
    spec.d_model = 16;
    const auto absolute = judge("sinusoidal_plugin", std::make_unique<SinusoidalEncoding>(spec), type);
    EXPECT_EQ(exit_code(absolute), 0) << told(absolute);
  }
}

/// Queries and keys, which rotate() can tell apart by the spec alone.
TEST(PluginVerdict, TheExampleOfXposConformsByEveryCentre) {
  for (const auto& centre : xpos_centres()) {
    const XposSpec spec{.head_dim = 10, .layout = centre.layout, .centre = &centre, .sequence_length = 301};
    const auto verdict = judge("xpos_plugin", std::make_unique<XposEncoding>(spec), ElementType::float32);
    EXPECT_EQ(exit_code(verdict), 0) << centre.name << told(verdict);
    for (const auto* id : {"scaled/cos", "scaled/sin_k", "scaled/scale", "accuracy/rotated",
                           "accuracy/rotated_k", "norm/rotated_k"}) {
      const auto& check = check_named(verdict.checks, id);
      EXPECT_EQ(check.status, Status::pass) << id << ": " << check.reason;
    }
  }
}

TEST(PluginVerdict, EnginesOfOffsetAndLengthConformAndAreAskedEveryLaw) {
  for (const auto& [plugin, note] :
       {std::pair("offset_plugin", "It takes only contiguous blocks of positions: "),
        std::pair("silent_offset_plugin", "without declaring it")}) {
    const auto verdict = judge(plugin, plugin_rope(), ElementType::float32);
    EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
    EXPECT_THAT(verdict.asking.notes, ElementsAre(HasSubstr(note), HasSubstr("It rotates vectors in place")))
        << plugin;
    for (const auto& check : verdict.checks) {
      const bool is_law = (check.id.starts_with("property/") || check.id.starts_with("law/")) &&
                          check.id != "law/rope/pass-through";
      EXPECT_TRUE(!is_law || check.status == Status::pass) << check.id << ": " << check.reason;
    }
  }
}

/// Those of whole vectors, and those that do not turn whole: what passes through is not written.
TEST(PluginVerdict, AnEngineThatRotatesInPlaceConformsAndIsAskedEveryLaw) {
  for (const auto& factor : {Rational(1), Rational(3, 5)}) {
    const RopeSpec spec{.head_dim = 10, .partial_rotary_factor = factor, .max_position_embeddings = 4096};
    const auto verdict =
        judge("rotates_in_place", std::make_unique<RopeEncoding>(spec), ElementType::float32);
    EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
    EXPECT_THAT(verdict.asking.notes, ElementsAre(HasSubstr("It rotates vectors in place")));
    for (const auto& check : verdict.checks) {
      const bool is_law = (check.id.starts_with("property/") || check.id.starts_with("law/")) &&
                          (check.id != "law/rope/pass-through" || spec.rotary_dim() < spec.head_dim);
      EXPECT_TRUE(!is_law || check.status == Status::pass) << check.id << ": " << check.reason;
    }
    EXPECT_EQ(check_named(verdict.checks, "effects/input").status, Status::pass);
    const auto& unwritten = check_named(verdict.checks, "effects/output");
    EXPECT_EQ(unwritten.status, Status::skipped);
    EXPECT_THAT(unwritten.reason, HasSubstr("hold their input where nothing is written"));
  }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
TEST(PluginVerdict, ALibraryBuiltForSpeedConformsWithANote) {
  const auto verdict = judge("hostile_is_built_for_speed", plugin_rope(), ElementType::float32);
  EXPECT_EQ(exit_code(verdict), 0) << told(verdict);
  EXPECT_THAT(verdict.asking.notes,
              ElementsAre(HasSubstr("when it is loaded (flush to zero, denormals are zero")));
}
#endif

TEST(PluginVerdict, WhatAPluginDoesNotSupportIsNoPass) {
  const auto verdict = judge("rope_plugin", plugin_rope(), ElementType::bfloat16);
  EXPECT_EQ(outcome(verdict), Conclusion::nothing_checked) << told(verdict);
  EXPECT_EQ(exit_code(verdict), 4);
}

struct PluginFault {
  std::string plugin;
  int exit_code;
  std::string check;
  Status status;
  std::string reason;
  bool hangs = false;
};

/// The name of a test.
void PrintTo(const PluginFault& fault, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << fault.plugin;
}

class HostilePlugin : public testing::TestWithParam<PluginFault> {};

TEST_P(HostilePlugin, HasTheVerdictThatItsFaultCallsFor) {
  const auto& fault = GetParam();
  PluginOptions options;
  if (fault.hangs) {
    options.time_limit = std::chrono::milliseconds(500);
  }
  // What they do to the process or its memory shows in a small sample of the positions.
  const auto verdict =
      judge(std::string("hostile_") + fault.plugin, plugin_rope(), ElementType::float32, options, true);
  EXPECT_EQ(exit_code(verdict), fault.exit_code) << told(verdict);
  // Which question shows a fault decides under which coordinate it is told.
  const auto told_under = std::ranges::find_if(verdict.checks, [&](const Check& one) {
    return one.id.starts_with(fault.check) && one.status == fault.status;
  });
  ASSERT_NE(told_under, verdict.checks.end()) << told(verdict);
  const auto& check = *told_under;
  EXPECT_THAT(check.reason, HasSubstr(fault.reason));
}

constexpr const char* cosines = "implementation/answers/cos";

INSTANTIATE_TEST_SUITE_P(
    All, HostilePlugin,
    testing::Values(
        PluginFault{"segfaults", 3, cosines, Status::error, "Segmentation fault"},
        PluginFault{"aborts", 3, cosines, Status::error, "assertion failed"},
        PluginFault{"exits", 3, cosines, Status::error, "left with exit code 0 while it computed cos"},
        PluginFault{"loops", 3, cosines, Status::error, "did not compute cos within 500 ms", true},
        PluginFault{"forks", 3, cosines, Status::error, "started a process"},
        PluginFault{"allocates", 3, cosines, Status::error, "killed by signal 11"},
        PluginFault{"throws", 3, cosines, Status::error, "threw an exception across the C boundary"},
        PluginFault{"kills_its_parent", 3, cosines, Status::error, "signalled"},
        PluginFault{"closes_everything", 3, cosines, Status::error, "closed the descriptor"},
        PluginFault{"writes_far_after", 3, cosines, Status::error, "killed by signal 11"},
        PluginFault{"crashes_when_loaded", 3, cosines, Status::error, "while it was loaded"},
        PluginFault{"hangs_when_loaded", 3, cosines, Status::error, "was not loaded within", true},
        PluginFault{"without_entry", 1, cosines, Status::fail, "exports no function vernier_plugin"},
        PluginFault{"of_another_abi", 1, cosines, Status::fail, "is of ABI version 7"},
        PluginFault{"rejects", 1, cosines, Status::fail, "refuses the first positions too"},
        PluginFault{"returns_17", 1, cosines, Status::fail, "table returned 17"},
        PluginFault{"writes_before", 1, "effects/memory", Status::fail, "16 before its start"},
        PluginFault{"writes_after", 1, "effects/memory", Status::fail, "1 after its end"},
        PluginFault{"writes_input", 1, "effects/input", Status::fail, "1 byte of the positions"},
        PluginFault{"rounds_upward", 1, "effects/environment", Status::fail, "rounding upward"},
        PluginFault{"writes_nothing", 1, "effects/output", Status::fail, "elements of cos"},
        PluginFault{"forgets_the_last", 1, "effects/output", Status::fail, "1 of the"},
        PluginFault{"answers_differently", 1, "effects/determinism", Status::fail, ""},
        PluginFault{"answers_blocks_from_zero", 1, "use/", Status::fail, "cos of position"},
        PluginFault{"keeps_a_short_table", 1, "use/", Status::fail, "of position"},
        PluginFault{"mixes_batches", 1, "use/batches", Status::fail, "rotated of position"},
        PluginFault{"aliases_in_place", 1, "accuracy/rotated", Status::fail, "beyond their budget"},
        PluginFault{"aliases_apart", 0, "accuracy/rotated", Status::pass, ""},
        PluginFault{"ignores_strides", 1, "use/strides", Status::fail, "of position"},
        PluginFault{"writes_between_rows", 1, "effects/memory", Status::fail, "between its rows"},
        PluginFault{"rotates_strided_in_place", 0, "use/strides", Status::pass, ""},
        PluginFault{"returns_nan", 1, "finite/cos", Status::fail, ""},
        // A plug-in that does no harm but to the terminal: nothing of it may show.
        PluginFault{"prints", 0, "accuracy/cos", Status::pass, ""},
        PluginFault{"closes_standard_output", 0, "accuracy/cos", Status::pass, ""},
        PluginFault{"with_a_strange_name", 0, "accuracy/cos", Status::pass, ""},
        PluginFault{"hangs_when_unloaded", 0, "accuracy/cos", Status::pass, ""}),
    [](const testing::TestParamInfo<PluginFault>& tested) { return tested.param.plugin; });

}  // namespace
}  // namespace vernier
