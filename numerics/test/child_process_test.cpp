// What a process of somebody else's may do, and that nothing of it is left.

#include "numerics/processes/child_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "numerics/test/made_tensors.hpp"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;

ChildProcess::Clock::time_point in(milliseconds time) {
  return ChildProcess::Clock::now() + time;
}

ChildOptions shell(const std::string& script) {
  return {.arguments = {"/bin/sh", "-c", script}};
}

/// How the script ends, which it must do by itself.
std::string end_of(const std::string& script) {
  ChildProcess child(shell(script));
  const auto end = child.wait_until(in(seconds(20)));
  return end ? to_string(*end) : "still runs";
}

std::ptrdiff_t descriptors_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

pid_t process_in(const std::filesystem::path& file) {
  pid_t process = 0;
  std::ifstream(file) >> process;
  return process;
}

bool is_gone(pid_t process) {
  return kill(process, 0) != 0 && errno == ESRCH;
}

TEST(ChildProcess, TellsHowItEnded) {
  EXPECT_EQ(end_of("exit 0"), "left with exit code 0");
  EXPECT_EQ(end_of("exit 77"), "left with exit code 77");
  EXPECT_EQ(end_of("kill -SEGV $$"), "killed by signal 11 (Segmentation fault)");
  EXPECT_EQ(end_of("kill -KILL $$"), "killed by signal 9 (Killed)");
}

TEST(ChildProcess, TellsThatThereIsNoSuchProgram) {
  ChildProcess child({.arguments = {"/nonexistent/program"}});
  const auto end = child.wait_until(in(seconds(20)));
  ASSERT_TRUE(end);
  EXPECT_EQ(to_string(*end), "could not be started: No such file or directory");
}

TEST(ChildProcess, IsReadAllTheTimeAndTheEndIsKept) {
  auto options = shell("head -c 5000000 /dev/zero; echo so far >&2; echo the end");
  options.output = 100;
  ChildProcess child(options);
  const auto end = child.wait_until(in(seconds(20)));
  ASSERT_TRUE(end);
  EXPECT_EQ(to_string(*end), "left with exit code 0");
  EXPECT_EQ(child.output().size(), 100U);
  EXPECT_THAT(child.output(), EndsWith("so far\nthe end\n"));
}

TEST(ChildProcess, MayCloseItsOutput) {
  EXPECT_EQ(end_of("exec >&- 2>&-; exit 3"), "left with exit code 3");
}

TEST(ChildProcess, HasNoInput) {
  EXPECT_EQ(end_of("cat; exit 4"), "left with exit code 4");
}

TEST(ChildProcess, GetsTheDescriptorsMeantForItAndNoOthers) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);  // not closed by exec, as a careless library's
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  auto options = shell("ls -C /proc/$$/fd; echo given >&4; echo given >&3");
  options.inherited = {write_end.value(), write_end.value()};
  ChildProcess child(options);
  ASSERT_TRUE(child.wait_until(in(seconds(20))));
  write_end.reset();
  std::array<char, 64> text{};
  EXPECT_EQ(read(read_end.value(), text.data(), text.size()), 12);
  EXPECT_THAT(child.output(), ::testing::MatchesRegex("0 +1 +2 +3 +4\n"));
}

TEST(ChildProcess, IsKilledWithItsDescendantsAfterItsTime) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "daemon";
  ChildProcess child(shell("trap '' TERM INT HUP; (setsid sh -c 'echo $$ > " + file.string() + ".part; mv " +
                           file.string() + ".part " + file.string() +
                           "; sleep 1000' &); while true; do :; done"));
  while (!std::filesystem::exists(file)) {
    ASSERT_FALSE(child.wait_until(in(milliseconds(10))));
  }
  const auto daemon = process_in(file);
  ASSERT_FALSE(is_gone(daemon));
  child.kill();
  EXPECT_TRUE(is_gone(daemon));
}

TEST(ChildProcess, LeavesNoDaemonsWhenItKillsWhoWatchesIt) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "daemon";
  ChildProcess child(shell("(setsid sh -c 'echo $$ > " + file.string() + ".part; mv " + file.string() +
                           ".part " + file.string() + "; sleep 1000' &); while ! [ -e " + file.string() +
                           " ]; do sleep 0.01; done; kill -KILL $PPID; sleep 1000"));
  const auto end = child.wait_until(in(seconds(20)));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kind, ChildEnd::Kind::lost);
  EXPECT_TRUE(is_gone(process_in(file)));
}

TEST(ChildProcess, LeavesNoDaemonsWhenItEnds) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "daemon";
  EXPECT_EQ(end_of("setsid sh -c 'echo $$ > " + file.string() + "; exec sleep 1000' & while [ ! -s " +
                   file.string() + " ]; do sleep 0.01; done"),
            "left with exit code 0");
  EXPECT_TRUE(is_gone(process_in(file)));
}

TEST(ChildProcess, MayHaveSoManyProcessesAndNoMore) {
  auto options = shell("for i in 1 2 3 4 5 6 7 8; do sleep 1000 & done; wait");
  options.processes = 9;
  EXPECT_FALSE(ChildProcess(options).wait_until(in(milliseconds(200))));
  options.processes = 8;
  const auto end = ChildProcess(options).wait_until(in(seconds(20)));
  ASSERT_TRUE(end);
  EXPECT_EQ(to_string(*end), "had more than 8 processes");
}

TEST(ChildProcess, MayBeAForkBomb) {
  auto options = shell("bomb() { bomb | bomb & }; bomb; while true; do sleep 1; done");
  options.processes = 32;
  const auto end = ChildProcess(options).wait_until(in(seconds(20)));
  ASSERT_TRUE(end);
  EXPECT_EQ(to_string(*end), "had more than 32 processes");
}

TEST(ChildProcess, HasLimitedMemory) {
  auto options = shell("head -c 300000000 /dev/zero | tail -n 1 | wc -c");
  ChildProcess plenty(options);
  ASSERT_TRUE(plenty.wait_until(in(seconds(20))));
  EXPECT_EQ(plenty.output(), "300000000\n");
  options.memory = 100000000;
  ChildProcess little(options);
  ASSERT_TRUE(little.wait_until(in(seconds(20))));
  EXPECT_THAT(little.output(), HasSubstr("memory exhausted"));
}

TEST(ChildProcess, MayStopOrKillWhoeverWatchesIt) {
  EXPECT_EQ(end_of("kill -KILL $PPID; sleep 1000"), "was lost: the process that watched it was killed");
  ChildProcess child(shell("kill -STOP $PPID; sleep 1000"));
  EXPECT_FALSE(child.wait_until(in(milliseconds(200))));
  child.kill();
}

TEST(ChildProcess, CanBeInterrupted) {
  ChildProcess child(shell("sleep 1000"));
  EXPECT_THROW(child.wait_until(in(seconds(20)), [] { throw 1; }), int);
}

TEST(ChildProcess, LeavesNoDescriptorsAndNoZombies) {
  const auto before = descriptors_of_this_process();
  for (int i = 0; i < 5; ++i) {
    end_of("exit 0");
    ChildProcess(shell("sleep 1000"));
  }
  EXPECT_EQ(descriptors_of_this_process(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace vernier
