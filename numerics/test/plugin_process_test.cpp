// What Vernier makes of plug-ins, honest and hostile: always an answer that says what happened, never a crash
// of its own, never a hang, nothing left behind.
#include "numerics/processes/plugin_process.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "numerics/formats/descriptor.hpp"
#include "numerics/processes/third_party_text.hpp"
#include "numerics/test/plugin_questions.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(ThirdPartyText, TheLastLineIsTheLastWithAnythingOnIt) {
  EXPECT_EQ(last_line("first\nsecond\x1b\r\n\n"), "second?");
  EXPECT_EQ(last_line("only"), "only");
  EXPECT_EQ(last_line("\n \t\n"), "");
}

TEST(PluginProcess, TheExampleInCGivesTablesAndRotationsInBothTypes) {
  PluginProcess plugin(plugins / "rope_plugin.so");
  EXPECT_EQ(plugin.loading().status, ResponseStatus::answered);
  EXPECT_THAT(plugin.description(), AllOf(StartsWith("RoPE in C 1.0 ("), HasSubstr("rope_plugin.so")));
  const auto response = plugin.ask(ask_for_cosines());
  expect_honest_cosines(response);
  EXPECT_THAT(response.side_effects, IsEmpty());

  Request request{
      rope_spec(4),
      positions({7, -7}),
      tensor<double>(ElementType::float64, {2, 2, 4}, {1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8}),
      {{"rotated", ElementType::float64, {2, 2, 4}}, {"sin", ElementType::float64, {2, 4}}}};
  const auto both = plugin.ask(request);
  ASSERT_EQ(both.status, ResponseStatus::answered) << both.reason;
  EXPECT_THAT(both.side_effects, IsEmpty());
  const auto& rotated = both.tensors.at("rotated");
  const double slow = 7 * 0.01;
  EXPECT_NEAR(rotated.number(0), 1 * std::cos(7.0) - 3 * std::sin(7.0), 1e-15);
  EXPECT_NEAR(rotated.number(2), 1 * std::sin(7.0) + 3 * std::cos(7.0), 1e-15);
  EXPECT_NEAR(rotated.number(15), -6 * std::sin(slow) + 8 * std::cos(slow), 1e-14);
  const auto& sines = both.tensors.at("sin");
  EXPECT_NEAR(sines.number(0), std::sin(7.0), 1e-15);
  EXPECT_NEAR(sines.number(3), std::sin(slow), 1e-15);
  EXPECT_NEAR(sines.number(4), -std::sin(7.0), 1e-15);
}

TEST(PluginProcess, TheExampleInCppGivesAnEncoding) {
  PluginProcess plugin(plugins / "sinusoidal_plugin.so");
  const OrderedJson spec{{"scheme", "sinusoidal"}, {"d_model", 4},
                         {"base", 10000},          {"layout", "halves"},
                         {"order", "sin_cos"},     {"frequency", "paper"},
                         {"odd_width", "torch"},   {"first_position", 0},
                         {"padding_idx", nullptr}, {"scale", 1}};
  const auto response =
      plugin.ask({spec, positions({3}), std::nullopt, {{"encoding", ElementType::float32, {1, 4}}}});
  ASSERT_EQ(response.status, ResponseStatus::answered) << response.reason;
  const auto& row = response.tensors.at("encoding");
  EXPECT_NEAR(row.number(0), std::sin(3.0), 0x1p-24);
  EXPECT_NEAR(row.number(1), std::sin(0.03), 0x1p-24);
  EXPECT_NEAR(row.number(2), std::cos(3.0), 0x1p-24);
  EXPECT_NEAR(row.number(3), std::cos(0.03), 0x1p-24);
}

TEST(PluginProcess, WhatAPluginDoesNotDoIsUnsupported) {
  PluginProcess plugin(plugins / "rope_plugin.so");
  auto request = ask_for_cosines();
  request.wanted[0].type = ElementType::bfloat16;
  const auto narrow = plugin.ask(request);
  EXPECT_EQ(narrow.status, ResponseStatus::unsupported);
  EXPECT_EQ(narrow.reason, "supports says that it does not do cos of this type for this spec");
  EXPECT_THAT(narrow.tensors, IsEmpty());
  request.wanted[0] = {"slopes", ElementType::float32, {8}};
  EXPECT_EQ(plugin.ask(request).reason, "has no function bias");
  expect_honest_cosines(plugin.ask(ask_for_cosines()));
}

TEST(PluginProcess, TensorsWithoutElementsAndOfManyPagesAreAnswered) {
  PluginProcess plugin(plugins / "rope_plugin.so");
  auto none = ask_for_cosines();
  none.positions = positions({});
  none.wanted[0].shape = {0, asked_pairs};
  const auto empty = plugin.ask(none);
  EXPECT_EQ(empty.status, ResponseStatus::answered) << empty.reason;
  EXPECT_EQ(empty.tensors.at("cos").elements(), 0u);
  // Growing and shrinking again: every size lies against its guard, and nothing of the last one shows.
  for (const std::size_t many : {1u, 5000u, 70000u, 300u, 1024u, 2u}) {
    std::vector<std::int64_t> all(many);
    for (std::size_t i = 0; i < many; ++i) {
      all[i] = static_cast<std::int64_t>(i);
    }
    const Request request{
        rope_spec(2), positions(all), std::nullopt, {{"cos", ElementType::float32, {many, 1}}}};
    const auto response = plugin.ask(request);
    ASSERT_EQ(response.status, ResponseStatus::answered) << response.reason;
    EXPECT_THAT(response.side_effects, IsEmpty());
    EXPECT_NEAR(response.tensors.at("cos").number(many - 1), std::cos(static_cast<double>(many - 1)),
                0x1p-24);
  }
}

TEST(PluginProcess, BadRequestsOfOursAreInputErrors) {
  EXPECT_THROW(PluginProcess(plugins / "no_such_plugin.so"), InputError);
  PluginOptions options;
  options.runner = "/no/such/runner";
  EXPECT_THROW(PluginProcess(plugins / "rope_plugin.so", options), InputError);
  PluginProcess plugin(plugins / "rope_plugin.so");
  auto request = ask_for_cosines();
  request.wanted[0].shape = Shape(9, 1);
  EXPECT_THROW(plugin.ask(request), InputError);
  request.wanted[0].shape = {std::size_t{1} << 40, std::size_t{1} << 40};
  EXPECT_THROW(plugin.ask(request), InputError);
  request.wanted[0].shape = {std::size_t{1} << 30, std::size_t{1} << 30};
  EXPECT_THROW(plugin.ask(request), InputError);
  expect_honest_cosines(plugin.ask(ask_for_cosines()));
}

TEST(PluginProcess, AWrittenValueThatEqualsThePoisonIsNoUnwrittenElement) {
  PluginProcess plugin(hostile("writes_poison"));
  for (int time = 0; time < 8; ++time) {
    const auto response = plugin.ask(ask_for_cosines());
    EXPECT_EQ(response.status, ResponseStatus::answered) << response.reason;
    EXPECT_THAT(response.side_effects, IsEmpty());
  }
}

TEST(PluginProcess, ThreadsMegabytesPrintedOrAClosedStandardOutputHarmNothing) {
  for (const auto* name : {"starts_threads", "prints", "closes_standard_output"}) {
    PluginProcess plugin(hostile(name));
    for (int time = 0; time < 2; ++time) {
      const auto response = plugin.ask(ask_for_cosines());
      expect_honest_cosines(response);
      EXPECT_THAT(response.side_effects, IsEmpty());
    }
  }
}

TEST(PluginProcess, WhatItComputesIsHandedOnAsItIs) {
  PluginProcess without_numbers(hostile("returns_nan"));
  const auto response = without_numbers.ask(ask_for_cosines());
  ASSERT_EQ(response.status, ResponseStatus::answered) << response.reason;
  EXPECT_TRUE(std::isnan(response.tensors.at("cos").number(14)));
  EXPECT_THAT(response.side_effects, IsEmpty());

  PluginProcess fickle(hostile("answers_differently"));
  const auto first = fickle.ask(ask_for_cosines());
  const auto second = fickle.ask(ask_for_cosines());
  EXPECT_NE(first.tensors.at("cos").number(0), second.tensors.at("cos").number(0));
  EXPECT_EQ(first.tensors.at("cos").number(1), second.tensors.at("cos").number(1));
}

TEST(PluginProcess, DeathBetweenTwoQuestionsIsToldAtTheNext) {
  PluginProcess plugin(hostile("dies_later"));
  int answered = 0;
  int crashed = 0;
  // The alarm comes a millisecond after an answer, or within one; each question sets it again.
  for (int time = 0; time < 3; ++time) {
    const auto response = plugin.ask(ask_for_cosines());
    (response.status == ResponseStatus::answered ? answered : crashed) += 1;
    timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
    if (response.status != ResponseStatus::answered) {
      EXPECT_EQ(response.status, ResponseStatus::crashed);
      EXPECT_THAT(response.reason, HasSubstr("killed by signal 14 (Alarm clock)"));
    }
  }
  EXPECT_GE(crashed, 1);
  EXPECT_EQ(answered + crashed, 3);
}

TEST(PluginProcess, ALibraryThatIsCutOffIsMalformed) {
  const auto file = std::filesystem::path(testing::TempDir()) / "vernier_no_library.so";
  std::filesystem::copy_file(hostile("segfaults"), file, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::resize_file(file, 100);
  const PluginProcess plugin(file);
  EXPECT_EQ(plugin.loading().status, ResponseStatus::malformed);
  EXPECT_THAT(plugin.loading().reason, HasSubstr("cannot be loaded ("));
  std::filesystem::remove(file);
}

TEST(PluginProcess, NamesAreFitForATerminal) {
  const PluginProcess plugin(hostile("with_a_strange_name"));
  EXPECT_THAT(plugin.description(), StartsWith("<b>kernel</b>?]0;title?? ("));
}

TEST(PluginProcess, ALibraryBuiltForSpeedIsSeenAndJudgedInACleanEnvironment) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  PluginProcess plugin(hostile("is_built_for_speed"));
  const auto response = plugin.ask(ask_for_cosines());
  expect_honest_cosines(response);
  EXPECT_THAT(response.side_effects,
              ElementsAre(effect(SideEffectKind::set_floating_point_environment_when_loaded,
                                 "flush to zero, denormals are zero")));
#else
  GTEST_SKIP() << "only GCC's libraries for x86-64 set flush-to-zero when they are loaded";
#endif
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// The processes that a thread has started. \param thread its folder in /proc
std::string children(const std::string& thread = "/proc/thread-self") {
  std::ifstream file(thread + "/children");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A program in place of the runner: a shell script, for which descriptor 3 leads to Vernier.
class RunnerScript {
 public:
  explicit RunnerScript(const std::string& commands)
      : file_(std::filesystem::path(testing::TempDir()) / "vernier_runner_script") {
    std::ofstream(file_) << "#!/bin/sh\n" << commands << '\n';
    std::filesystem::permissions(file_, std::filesystem::perms::owner_all);
  }
  RunnerScript(const RunnerScript&) = delete;
  RunnerScript& operator=(const RunnerScript&) = delete;
  ~RunnerScript() { std::filesystem::remove(file_); }

  PluginOptions options() const {
    auto made = impatient();
    made.runner = file_;
    return made;
  }

 private:
  std::filesystem::path file_;
};

TEST(PluginProcess, ARunnerThatSaysSomethingElseIsNotBelieved) {
  const auto plugin = plugins / "rope_plugin.so";
  {
    const RunnerScript leaves("exit 3");
    EXPECT_EQ(PluginProcess(plugin, leaves.options()).loading().reason,
              "left with exit code 3 while it was loaded");
  }
  {
    const RunnerScript chatters("echo loaded >&3; exec sleep 600");
    EXPECT_EQ(PluginProcess(plugin, chatters.options()).loading().status, ResponseStatus::malformed);
  }
  {
    const RunnerScript is_silent("exec sleep 600");
    EXPECT_EQ(PluginProcess(plugin, is_silent.options()).loading().status, ResponseStatus::timed_out);
  }
  {
    const RunnerScript is_of_another_version(std::string("dd if=/dev/zero bs=") +
                                             std::to_string(sizeof(plugin_protocol::LoadReport)) +
                                             " count=1 >&3 2>/dev/null; exec sleep 600");
    EXPECT_THROW(PluginProcess(plugin, is_of_another_version.options()), InputError);
  }
}

/// Becomes readable when the process ends.
Descriptor watch(pid_t process) {
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
}

TEST(PluginProcess, ThePluginDiesWithVernierEvenInTheMiddleOfACall) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  const pid_t vernier = fork();
  ASSERT_GE(vernier, 0);
  if (vernier == 0) {
    PluginOptions options;
    options.time_limit = std::chrono::hours(1);
    PluginProcess plugin(hostile("loops"), options);
    // Vernier's child watches the runner, which is its only child.
    const auto watcher = std::to_string(std::stol(children()));
    const auto runner = children("/proc/" + watcher + "/task/" + watcher);
    // A failed write shows as a failed read.
    [[maybe_unused]] const auto written = write(write_end.value(), runner.data(), runner.size());
    plugin.ask(ask_for_cosines());
    _exit(0);
  }
  write_end.reset();
  std::array<char, 64> text{};
  ASSERT_GT(read(read_end.value(), text.data(), text.size() - 1), 0);
  const auto runner = watch(static_cast<pid_t>(std::stol(text.data())));
  ASSERT_TRUE(runner.is_open());
  kill(vernier, SIGKILL);
  waitpid(vernier, nullptr, 0);
  pollfd ended{runner.value(), POLLIN, 0};
  constexpr int milliseconds_at_most = 30'000;
  EXPECT_EQ(poll(&ended, 1, milliseconds_at_most), 1) << "the runner outlived Vernier";
}

TEST(PluginProcess, NothingIsLeftBehind) {
  const auto before = open_descriptors();
  const auto children_before = children();
  for (const auto* name : {"segfaults", "exits", "closes_everything", "throws", "writes_before",
                           "without_entry", "hangs_when_unloaded"}) {
    PluginProcess plugin(hostile(name));
    plugin.ask(ask_for_cosines());
    plugin.ask(ask_for_cosines());
  }
  EXPECT_EQ(open_descriptors(), before);
  // What earlier tests left to this process, as its descendants' orphans, may end meanwhile.
  EXPECT_THAT(children_before, HasSubstr(children()));
}

}  // namespace
}  // namespace vernier
