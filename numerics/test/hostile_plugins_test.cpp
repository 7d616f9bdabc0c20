// Every hostile plug-in has its ending, which the answer tells; Vernier goes on.
#include <concepts>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/plugin_questions.hpp"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// How a plug-in ends, and what is said of it.
struct Ending {
  std::string plugin;
  ResponseStatus status;
  std::string reason;
  bool hangs = false;
};

/// What a plug-in does besides its work, and what is said of it.
struct Effect {
  std::string plugin;
  SideEffectKind kind;
  std::string evidence;
};

/// The name of a test of one plug-in.
template <typename Expected>
std::string plugin_name(const testing::TestParamInfo<Expected>& tested) {
  return tested.param.plugin;
}

/// For GoogleTest: the name says it all.
template <typename Expected>
requires std::same_as<Expected, Ending> || std::same_as<Expected, Effect>
void PrintTo(const Expected& expected, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << expected.plugin;
}

class HostileWhenAsked : public testing::TestWithParam<Ending> {};

TEST_P(HostileWhenAsked, HasItsEndingAndStartsAfresh) {
  PluginProcess plugin(hostile(GetParam().plugin), GetParam().hangs ? impatient() : PluginOptions{});
  ASSERT_EQ(plugin.loading().status, ResponseStatus::answered) << plugin.loading().reason;
  const auto response = plugin.ask(ask_for_cosines());
  EXPECT_EQ(response.status, GetParam().status);
  EXPECT_THAT(response.reason, HasSubstr(GetParam().reason));
  EXPECT_THAT(response.tensors, IsEmpty());
  expect_goes_on(plugin);
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, HostileWhenAsked,
    testing::Values(
        Ending{"segfaults", ResponseStatus::crashed,
               "killed by signal 11 (Segmentation fault) while it computed cos"},
        Ending{"aborts", ResponseStatus::crashed,
               "killed by signal 6 (Aborted) while it computed cos; it last printed 'rope.c:12: assertion "
               "failed: "
               "?[31mhead_dim'"},
        Ending{"exits", ResponseStatus::crashed, "left with exit code 0 while it computed cos"},
        Ending{"loops", ResponseStatus::timed_out, "did not compute cos within 1 s", true},
        Ending{"stops_itself", ResponseStatus::timed_out, "did not compute cos within 1 s", true},
        Ending{"prints_for_ever", ResponseStatus::timed_out, "did not compute cos within 1 s", true},
        Ending{"forks", ResponseStatus::crashed, "killed as it started a process"},
        Ending{"runs_a_program", ResponseStatus::crashed, "killed as it started a process"},
        Ending{"kills_its_parent", ResponseStatus::crashed, "or signalled"},
        Ending{"allocates", ResponseStatus::crashed, "killed by signal 11"},
        Ending{"recurses", ResponseStatus::crashed, "killed by signal 11"},
        Ending{"writes_far_after", ResponseStatus::crashed,
               "killed by signal 11 (Segmentation fault) while it computed cos; it last printed 'touched "
               "byte 65 "
               "after the end of the output'"},
        Ending{"touches_what_is_closed", ResponseStatus::crashed,
               "it last printed 'touched byte 3 within the output'"},
        Ending{"throws", ResponseStatus::crashed,
               "threw an exception across the C boundary ('no kernel for this shape') while it computed cos"},
        Ending{"throws_a_number", ResponseStatus::crashed, "threw an exception across the C boundary while"},
        Ending{"closes_everything", ResponseStatus::crashed, "closed the descriptor over which it is asked"},
        Ending{"returns_17", ResponseStatus::malformed,
               "table returned 17, expected 0 (VERNIER_OK), 1 (VERNIER_UNSUPPORTED) or 2 (VERNIER_REJECTED)"},
        Ending{"writes_to_the_channel", ResponseStatus::malformed,
               "wrote to the descriptor over which it is asked"},
        Ending{"answers_for_the_runner", ResponseStatus::malformed, "answered a question that was not asked"},
        Ending{"answers_nonsense", ResponseStatus::malformed, "changed what the runner says of its answers"},
        Ending{"rejects", ResponseStatus::rejected, "table refused these positions or this input"}),
    plugin_name<Ending>);

class HostileBesides : public testing::TestWithParam<Effect> {};

TEST_P(HostileBesides, AnswersAndIsSeen) {
  PluginProcess plugin(hostile(GetParam().plugin));
  // Twice: what was changed is put back in between.
  for (int time = 0; time < 2; ++time) {
    const auto response = plugin.ask(ask_for_cosines());
    EXPECT_EQ(response.status, ResponseStatus::answered) << response.reason;
    EXPECT_THAT(response.side_effects, ElementsAre(effect(GetParam().kind, GetParam().evidence)));
  }
  expect_goes_on(plugin);
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, HostileBesides,
    testing::Values(
        Effect{"writes_before", SideEffectKind::wrote_outside_output, "cos: 1 byte, 16 before its start"},
        Effect{"writes_after", SideEffectKind::wrote_outside_output, "cos: 1 byte, 1 after its end"},
        Effect{"writes_input", SideEffectKind::changed_input,
               "1 byte of the positions, the first at offset 0"},
        Effect{"changes_the_spec", SideEffectKind::changed_input,
               "1 byte of the spec, the first at offset 0"},
        Effect{"rounds_upward", SideEffectKind::changed_floating_point_environment, "cos: rounding upward"},
#if defined(__x86_64__)
        Effect{"flushes_to_zero", SideEffectKind::changed_floating_point_environment,
               "cos: flush to zero, denormals are zero, MXCSR 0x9fc0 for 0x1f80"},
#endif
        Effect{"writes_nothing", SideEffectKind::left_output_unwritten,
               "15 of the 15 elements of cos, the first at index 0"},
        Effect{"forgets_the_last", SideEffectKind::left_output_unwritten,
               "1 of the 15 elements of cos, the first at index 14"}),
    plugin_name<Effect>);

class HostileToVernier : public testing::TestWithParam<std::string> {};

TEST_P(HostileToVernier, DoesItNoHarm) {
  PluginProcess plugin(hostile(GetParam()));
  for (int time = 0; time < 2; ++time) {
    const auto response = plugin.ask(ask_for_cosines());
    expect_honest_cosines(response);
    EXPECT_THAT(response.side_effects, IsEmpty());
  }
  expect_goes_on(plugin);
}

INSTANTIATE_TEST_SUITE_P(Plugins, HostileToVernier,
                         testing::Values("asks_for_signals", "limits_vernier", "shrinks_the_tensors",
                                         "writes_into_vernier"),
                         [](const auto& tested) { return tested.param; });

/// Its pages cannot be taken away from under Vernier.
TEST(WatchedMemory, KeepsItsSize) {
  WatchedMemory memory;
  memory.hold(10);
  EXPECT_NE(ftruncate(memory.descriptor(), 0), 0);
  EXPECT_EQ(memory.changed_surroundings(), std::nullopt);
}

class HostileWhenLoaded : public testing::TestWithParam<Ending> {};

TEST_P(HostileWhenLoaded, IsToldByEveryAnswer) {
  PluginProcess plugin(hostile(GetParam().plugin), impatient());
  EXPECT_EQ(plugin.loading().status, GetParam().status);
  EXPECT_THAT(plugin.loading().reason, HasSubstr(GetParam().reason));
  EXPECT_THAT(plugin.description(), HasSubstr(GetParam().plugin));
  const auto response = plugin.ask(ask_for_cosines());
  EXPECT_EQ(response.status, GetParam().status);
  EXPECT_EQ(response.reason, plugin.loading().reason);
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, HostileWhenLoaded,
    testing::Values(Ending{"without_entry", ResponseStatus::malformed, "exports no function vernier_plugin"},
                    Ending{"without_table", ResponseStatus::malformed, "returned null from vernier_plugin"},
                    Ending{"of_another_abi", ResponseStatus::malformed, "is of ABI version 7, expected 1"},
                    Ending{"with_a_short_table", ResponseStatus::malformed, "of 40 bytes, expected 72"},
                    Ending{"has_an_undefined_symbol", ResponseStatus::malformed,
                           "undefined symbol: defined_nowhere"},
                    Ending{"crashes_when_loaded", ResponseStatus::crashed,
                           "killed by signal 6 (Aborted) while it was loaded"},
                    Ending{"hangs_when_loaded", ResponseStatus::timed_out, "was not loaded within 1 s"}),
    plugin_name<Ending>);

}  // namespace
}  // namespace vernier
