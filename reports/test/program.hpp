#pragma once

// The program itself, run as people run it: a folder with small cases, and what became of a run in it.

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reports/command/cli.hpp"

namespace vernier {

/// How long a program is left alone before it is interrupted, in seconds: until it takes signals. With
/// sanitizers it begins later.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline const std::string seconds_to_begin = "5";
#else
inline const std::string seconds_to_begin = "0.5";
#endif

/// What became of a run.
struct RunOutcome {
  int exit_code;
  std::string out;
  std::string err;
};

/// For tests of the program.
class Program : public ::testing::Test {
 protected:
  Program() {
    const auto table = SinusoidalSpec{.d_model = 8}.table();
    const auto positions = positions_from(0, 10);
    auto values = values_of(RecipeTable(recipes().front(), table, Format::binary32), positions);
    folder_.write("good.npy", npy_bytes(tensor_of(Format::binary32, {10, 8}, values)));
    values[33] = -values[33];
    folder_.write("bad.npy", npy_bytes(tensor_of(Format::binary32, {10, 8}, values)));
    folder_.write("good.json", sinusoidal_case("\"d_model\": 8", "good.npy"));
    folder_.write("bad.json", sinusoidal_case("\"d_model\": 8", "bad.npy"));
    folder_.write("spec.json", R"({"scheme": "sinusoidal", "d_model": 8})");
  }

  static std::string sinusoidal_case(const std::string& spec, const std::string& tensor) {
    return R"({"name": "small", "spec": {"scheme": "sinusoidal", )" + spec +
           R"(}, "tensors": {"encoding": ")" + tensor + "\"}}";
  }

  std::string slurp(const std::string& name) const {
    std::ifstream stream(folder_.path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// Runs `vernier ARGUMENTS` in the folder.
  RunOutcome run(const std::string& arguments) const { return shell("'" VERNIER_PROGRAM "' " + arguments); }

  /// What `vernier explain ID` prints, without a process: there are many ids. \throws InputError
  static std::string explained(const std::string& id) {
    std::ostringstream out;
    const std::array arguments{"vernier", "explain", id.c_str()};
    EXPECT_EQ(run_command_line(static_cast<int>(arguments.size()), arguments.data(), out), 0) << id;
    return out.str();
  }

  /// Runs a command of the shell in the folder, where $VERNIER is the program.
  RunOutcome shell(const std::string& command) const {
    const auto whole = "cd '" + folder_.path().string() + "' && export VERNIER='" VERNIER_PROGRAM "' && { " +
                       command + "; } >out.txt 2>err.txt";
    const int status = std::system(whole.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp("out.txt"), slurp("err.txt")};
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }

  /// Bad input: exit code 2, one sentence that names `named`, and nothing else anywhere.
  void expect_refused(const std::string& arguments, const std::string& named) const {
    run("--version");  // makes the two files of a run
    const auto before = files();
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, ::testing::AllOf(::testing::StartsWith("vernier: "), ::testing::HasSubstr(named),
                                              ::testing::EndsWith("\n")))
        << arguments;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(files(), before) << "a file was left behind by: " << arguments;
  }

  TemporaryFolder folder_;
};

}  // namespace vernier
