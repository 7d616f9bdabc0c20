// `vernier validate --plugin`, run as people run it, on plug-ins of every kind.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "numerics/test/made_tensors.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PluginCommand : public testing::Test {
 protected:
  PluginCommand() { folder_.write("rope.json", R"({"scheme": "rope", "head_dim": 10})"); }

  std::string slurp(const std::string& name) const {
    std::ifstream stream(folder_.path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// Judges a plug-in against the spec. \returns the exit code
  int validate(const std::string& plugin, const std::string& options = "") const {
    const auto command =
        std::string("cd '") + folder_.path().string() +
        "' && '" VERNIER_PROGRAM "' validate --spec rope.json --positions 0:300 --cases 5 --seed 7 " +
        "--verbose --plugin '" VERNIER_TEST_PLUGINS "/" + plugin + ".so' " + options + " >out.txt 2>err.txt";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  nlohmann::json verdict() const { return nlohmann::json::parse(slurp("verdict.json")); }

  TemporaryFolder folder_;
};

TEST_F(PluginCommand, AConformingPluginIsExitCodeZero) {
  EXPECT_EQ(validate("rope_plugin", "--json verdict.json"), 0) << slurp("out.txt") << slurp("err.txt");
  EXPECT_THAT(slurp("out.txt"), HasSubstr("effects/memory"));
  EXPECT_THAT(std::string(verdict().at("producer")), HasSubstr("RoPE in C 1.0 ("));
  EXPECT_EQ(verdict().at("verdict"), "conforms");
  EXPECT_EQ(validate("rope_plugin", "--dtype float64"), 0) << slurp("out.txt");
}

TEST_F(PluginCommand, SideEffectsAreExitCodeOne) {
  EXPECT_EQ(validate("hostile_writes_before"), 1);
  EXPECT_THAT(slurp("out.txt"), AllOf(HasSubstr("effects/memory"), HasSubstr("16 before its start")));
}

TEST_F(PluginCommand, CrashesAndHangsAreExitCodeThree) {
  EXPECT_EQ(validate("hostile_segfaults"), 3);
  EXPECT_THAT(slurp("out.txt"), HasSubstr("killed by signal 11 (Segmentation fault) while it computed cos"));
  EXPECT_EQ(validate("hostile_hangs_when_loaded", "--time-limit 0.5"), 3);
  EXPECT_THAT(slurp("out.txt"), HasSubstr("was not loaded within 500 ms"));
}

TEST_F(PluginCommand, AFileThatIsNotThereIsBadInput) {
  EXPECT_EQ(validate("no_such_plugin", "--json verdict.json"), 2);
  EXPECT_THAT(slurp("err.txt"), HasSubstr("no_such_plugin.so: no such file, expected a shared library"));
  EXPECT_THAT(slurp("out.txt"), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "verdict.json"));
}

TEST_F(PluginCommand, WhatIsNoLibraryIsBadInput) {
  const auto judge = [&](const std::string& name) {
    return std::system(("cd '" + folder_.path().string() +
                        "' && '" VERNIER_PROGRAM "' validate --spec rope.json --plugin " + name +
                        " 2>err.txt")
                           .c_str());
  };
  folder_.write("text.so", "INPUT(libm.so)");
  folder_.write("empty.so", "");
  std::filesystem::create_directory(folder_.path() / "folder.so");
  for (const auto& [name, found] : {std::pair("text.so", "found a file of a different kind"),
                                    {"empty.so", "found a file of a different kind"},
                                    {"folder.so", "found a folder or device"}}) {
    EXPECT_EQ(WEXITSTATUS(judge(name)), 2) << name;
    EXPECT_THAT(slurp("err.txt"), HasSubstr(found)) << name;
  }
}

/// Told once, not by every check: nothing is said of any implementation.
TEST_F(PluginCommand, ALibraryThatIsNoPluginIsBadInput) {
  for (const auto& [plugin, found] :
       {std::pair<std::string, std::string>("hostile_without_entry", "exports no function vernier_plugin"),
        {"hostile_without_table", "returned null from vernier_plugin"},
        {"hostile_of_another_abi", "is of ABI version 7"},
        {"hostile_has_an_undefined_symbol", "cannot be loaded ("}}) {
    EXPECT_EQ(validate(plugin, "--json verdict.json"), 2) << plugin;
    EXPECT_THAT(slurp("out.txt"), IsEmpty()) << plugin;
    const auto told = slurp("err.txt");
    EXPECT_THAT(told, AllOf(HasSubstr("/" + plugin + ".so: " + found),
                            HasSubstr("expected a shared library that exports vernier_plugin")));
    EXPECT_EQ(std::ranges::count(told, '\n'), 1) << told;
  }
  EXPECT_EQ(validate("hostile_crashes_when_loaded"), 3);
}

/// Long before the plug-in's time is over.
TEST_F(PluginCommand, StopsWhenInterruptedThoughThePluginHangs) {
  for (const auto& [plugin, signal] : {std::pair<std::string, std::string>("loops", "INT"),
                                       {"hangs_when_loaded", "TERM"},
                                       {"stops_itself", "HUP"}}) {
    const auto command = "cd '" + folder_.path().string() + "' && timeout --preserve-status -k 10 -s " +
                         signal + " " + seconds_to_begin +
                         " '" VERNIER_PROGRAM "' validate --spec rope.json --time-limit 100 --plugin '" +
                         VERNIER_TEST_PLUGINS "/hostile_" + plugin + ".so' >out.txt 2>err.txt";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 130) << plugin;
    EXPECT_EQ(slurp("err.txt"), "vernier: interrupted\n") << plugin;
  }
}

/// What root may do to other processes, and what users may do to their own.
TEST_F(PluginCommand, PluginsDoVernierNoHarmAsRootOrAsAUser) {
  const bool is_root = geteuid() == 0;
  const std::string as_nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  for (const std::string plugin :
       {"asks_for_signals", "limits_vernier", "shrinks_the_tensors", "writes_into_vernier"}) {
    for (const auto& prefix : {std::string(), as_nobody}) {
      if (!prefix.empty() &&
          (!is_root || std::system((prefix + "test -x '" VERNIER_PROGRAM "' 2>/dev/null").c_str()) != 0)) {
        continue;
      }
      const auto command = "cd '" + folder_.path().string() + "' && " + prefix +
                           "'" VERNIER_PROGRAM
                           "' validate --spec rope.json --positions 0:300 --cases 2 --plugin '" +
                           VERNIER_TEST_PLUGINS "/hostile_" + plugin + ".so' >out.txt 2>err.txt";
      const int status = std::system(command.c_str());
      EXPECT_EQ(status, 0) << prefix << plugin << "\n" << slurp("out.txt") << slurp("err.txt");
    }
  }
}

TEST_F(PluginCommand, ANameCommandsNeitherATerminalNorAPage) {
  EXPECT_EQ(validate("hostile_with_a_strange_name", "--json verdict.json --html verdict.html"), 0)
      << slurp("out.txt") << slurp("err.txt");
  EXPECT_THAT(std::string(verdict().at("producer")), HasSubstr("<b>kernel</b>?]0;title?? ("));
  EXPECT_THAT(slurp("verdict.html"), Not(HasSubstr("<b>kernel")));
  for (const auto* file : {"out.txt", "verdict.html", "verdict.json"}) {
    EXPECT_THAT(slurp(file), Not(HasSubstr("\x1b"))) << file;
  }
}

}  // namespace
}  // namespace vernier
