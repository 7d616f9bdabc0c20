// `vernier validate --plugin`, run as people run it, on plug-ins of every kind.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "numerics/test/made_tensors.hpp"

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
    const auto command = std::string("cd '") + folder_.path().string() +
                         "' && '" VERNIER_PROGRAM "' validate --spec rope.json --positions 0:300 --cases 5 --seed 7 " +
                         "--plugin '" VERNIER_TEST_PLUGINS "/" + plugin + ".so' " + options +
                         " >out.txt 2>err.txt";
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
  EXPECT_EQ(validate("hostile_hangs_when_loaded", "--time-limit 1"), 3);
  EXPECT_THAT(slurp("out.txt"), HasSubstr("was not loaded within 1 s"));
}

TEST_F(PluginCommand, AFileThatIsNotThereIsBadInput) {
  EXPECT_EQ(validate("no_such_plugin", "--json verdict.json"), 2);
  EXPECT_THAT(slurp("err.txt"), HasSubstr("no_such_plugin.so: no such file, expected a shared library"));
  EXPECT_THAT(slurp("out.txt"), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "verdict.json"));
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
