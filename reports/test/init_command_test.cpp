// Starting points: what `vernier init` writes conforms where its tools are there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/exchange/starting_points/starting_points.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Init : public Program {
 protected:
  /// Writes a starting point and runs all commands that it says, python3 being `python`.
  void expect_conforms(const std::string& kind, const std::string& python = "") const {
    EXPECT_EQ(run("init " + kind + " new/folder").exit_code, 0);
    EXPECT_TRUE(runs("mkdir bin && ln -s '" VERNIER_PROGRAM "' bin/vernier"));
    if (!python.empty()) {
      folder_.write("bin/python3", "#!/bin/sh\nexec '" + python + "' \"$@\"\n");
      EXPECT_TRUE(runs("chmod +x bin/python3"));
    }
    const auto judged = shell(
        "export PATH=\"$PWD/bin:$PATH\" && cd new/folder && { sed -n 's/^    //p' README.md | "
        "bash -e; }");
    EXPECT_EQ(judged.exit_code, 0) << judged.out << judged.err;
    EXPECT_THAT(judged.out, HasSubstr(": conforms\n"));
  }

  bool runs(const std::string& command) const { return shell(command).exit_code == 0; }
};

TEST_F(Init, WritesFilesThatSayHowToJudgeThem) {
  for (const auto& point : starting_points()) {
    const std::string kind(point.id);
    const auto outcome = run("init " + kind + " " + kind);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(StartsWith(kind + ": "), HasSubstr(", README.md\n  cd " + kind + "\n"),
                                   EndsWith("\n  " + std::string(point.commands.back()) + "\n")));
    EXPECT_EQ(slurp(kind + "/README.md"), readme_of(point));
    for (const auto& file : point.files) {
      EXPECT_EQ(slurp(kind + "/" + std::string(file.name)), file.text);
    }
  }
}

TEST_F(Init, ReplacesNoFile) {
  std::filesystem::create_directory(folder_.path() / "mine");
  folder_.write("mine/README.md", "mine");
  expect_refused("init c mine", "mine/README.md: is there already, expected an empty folder");
  EXPECT_EQ(slurp("mine/README.md"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "mine" / "rope.json"));
  expect_refused("init c spec.json", "spec.json");
  expect_refused("init fortran", "found \"fortran\"");
}

/// Hidden files are those of editors and of Git.
TEST_F(Init, WritesIntoNoFolderOfOtherFiles) {
  std::filesystem::create_directory(folder_.path() / "mine");
  folder_.write("mine/.gitignore", "build");
  folder_.write("mine/a.txt", "mine");
  folder_.write("mine/b.txt", "mine");
  expect_refused("init c mine", "mine/a.txt: is there already");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "mine" / "rope.json"));
  EXPECT_TRUE(runs("rm mine/*.txt && \"$VERNIER\" init c mine"));
}

/// A file size of zero stands for a full disk.
TEST_F(Init, LeavesNoEmptyFolder) {
  for (const std::string command :
       {"init c new/folder",
        "sweep --spec spec.json --recipe float32-pow --positions 0:10 --state new/folder"}) {
    const auto outcome = shell("trap '' XFSZ; ulimit -f 0; \"$VERNIER\" " + command);
    EXPECT_NE(outcome.exit_code, 0) << command;
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "new")) << command;
  }
}

TEST_F(Init, InCConforms) {
  if (!runs("cc --version")) {
    GTEST_SKIP() << "no cc";
  }
  expect_conforms("c");
}

TEST_F(Init, InCppConforms) {
  if (!runs("c++ --version")) {
    GTEST_SKIP() << "no c++";
  }
  expect_conforms("cpp");
}

TEST_F(Init, InNumPyConforms) {
  const std::string python = VERNIER_PYTHON;
  if (python.empty() || !runs("'" + python + "' -c 'import numpy'")) {
    GTEST_SKIP() << "no python3 with NumPy";
  }
  expect_conforms("numpy", python);
}

TEST_F(Init, InPyTorchConforms) {
  const std::string python = VERNIER_TORCH_PYTHON;
  if (python.empty()) {
    GTEST_SKIP() << "no python3 with PyTorch";
  }
  expect_conforms("pytorch", python);
}

}  // namespace
}  // namespace vernier
