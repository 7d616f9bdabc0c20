// What is made of the program's own description: the manual page, what shells complete, and what was meant.

#include "reports/program_manual.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

TEST(ManPage, HasEveryCommandAndEveryOption) {
  const auto page = man_page(program_manual());
  for (const auto& command : program_manual().commands) {
    EXPECT_THAT(page, HasSubstr("\n.SS vernier " + command.name + "\n"));
  }
  EXPECT_THAT(
      page, AllOf(HasSubstr("\n.TP\n\\fB\\-\\-plugin\\fR \\fIFILE\\fR\n"), HasSubstr("\n.SH EXIT STATUS\n")));
}

/// troff takes a line that begins with a dot for a command, and drops it if it knows none of that name.
TEST(ManPage, BeginsNoLineOfTextWithADot) {
  const ProgramManual manual{"'Quoted\\' words.", ".5 is a number", {{"x-y", ".hidden\n'quoted"}}};
  std::istringstream lines(man_page(manual));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_THAT(line, MatchesRegex("([^.'].*|\\.(TH|SH|SS|TP|B)( .*)?)")) << line;
  }
  EXPECT_THAT(man_page(manual), AllOf(HasSubstr("\\&.5 is"), HasSubstr("Quoted\\e'"), HasSubstr("x\\-y")));
}

class Completion : public Program {
 protected:
  /// What bash offers after these words, the last of which is being written.
  std::string offered(const std::string& words) const {
    return shell("$VERNIER completion bash >c.bash && bash -c 'source ./c.bash; COMP_WORDS=(" + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _vernier; echo \"${COMPREPLY[@]}\"'")
        .out;
  }
};

TEST_F(Completion, OffersCommandsOptionsValuesAndFiles) {
  folder_.write("table.npy", "");
  EXPECT_EQ(offered("vernier va"), "validate\n");
  EXPECT_EQ(offered("vernier validate --js"), "--json\n");
  EXPECT_EQ(offered("vernier validate --model llama-2-7b-h"), "llama-2-7b-hf\n");
  EXPECT_EQ(offered("vernier list mo"), "models\n");
  EXPECT_EQ(offered("vernier validate --cos tab"), "table.npy\n");
}

TEST_F(Completion, IsWrittenForThreeShells) {
  EXPECT_THAT(run("completion zsh").out, HasSubstr("#compdef vernier\n"));
  EXPECT_THAT(run("completion fish").out,
              AllOf(HasSubstr("-n '__fish_seen_subcommand_from validate' -l json -r -d"),
                    HasSubstr("-n '__fish_seen_subcommand_from list' -f -a 'schemes contracts"),
                    Not(HasSubstr("\t"))));
  expect_refused("completion csh", "expected bash, zsh or fish; did you mean");
}

TEST_F(Program, SaysWhatWasMeant) {
  expect_refused("vaildate", "did you mean validate?");
  expect_refused("validate --jsn x", "validate: found \"--jsn\", expected one of ");
  expect_refused("validate --jsn x", "the nearest are --json");
  expect_refused("list schems", "did you mean schemes?");
  expect_refused("explain frequncy/base", "the nearest are frequency/");
  expect_refused("list models x y", "list: found \"y\", expected nothing more");
  expect_refused("table --model llama-2-7b-hf --positions 0:9 --dtype bflaot16 -o x.npy",
                 "did you mean bfloat16?");
}

TEST_F(Program, TakesTheFieldsNamesOfTypes) {
  EXPECT_EQ(run("table --model llama-2-7b-hf --positions 0:9 --dtype bf16 -o a.npy").exit_code, 0);
  EXPECT_EQ(run("table --model llama-2-7b-hf --positions 0:9 --dtype bfloat16 -o b.npy").exit_code, 0);
  EXPECT_EQ(shell("cmp a.npy b.npy").exit_code, 0);
}

TEST_F(Program, ListsWhatHasAPartInIt) {
  EXPECT_THAT(run("list models QWEN2.5").out, AllOf(HasSubstr("qwen2.5"), Not(HasSubstr("llama-2-7b-hf"))));
  expect_refused("list models qwertz", "found none of the models with \"qwertz\" in it");
}

}  // namespace
}  // namespace vernier
