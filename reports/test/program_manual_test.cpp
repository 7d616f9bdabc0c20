// What is made of the program's own description: the manual page, what shells complete, and what was meant.

#include "reports/words/program_manual.hpp"

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/support/input_error.hpp"
#include "reports/command/argument_parser.hpp"
#include "reports/command/cli.hpp"
#include "reports/test/program.hpp"
#include "reports/verdict/waivers.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ManPage, HasEveryCommandAndEveryOption) {
  const auto page = man_page(program_manual());
  for (const auto& command : program_manual().commands) {
    EXPECT_THAT(page, HasSubstr("\n.SS vernier " + command.name + "\n"));
  }
  EXPECT_THAT(
      page, AllOf(HasSubstr("\n.TP\n\\fB\\-\\-plugin\\fR \\fIFILE\\fR\n"), HasSubstr("\n.SH EXIT STATUS\n")));
}

TEST(ProgramManual, HasTheShortNamesOfQuietAndVerbose) {
  const auto manual = program_manual();
  EXPECT_THAT(man_page(manual), AllOf(HasSubstr("\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR"),
                                      HasSubstr("\\fB\\-v\\fR, \\fB\\-\\-verbose\\fR")));
  for (const auto& shell : shells()) {
    EXPECT_THAT(completions(manual, shell), AllOf(HasSubstr("quiet"), HasSubstr("verbose"))) << shell;
  }
}

/// troff takes a line that begins with a dot for a command, and drops it if it knows none of that name.
TEST(ManPage, BeginsNoLineOfTextWithADot) {
  const ProgramManual manual{
      "'Quoted\\' words.", ".5 is a number", {{"x-y", ".hidden\n'quoted", {}, {".example"}}}};
  std::istringstream lines(man_page(manual));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_THAT(line, MatchesRegex("([^.'].*|\\.(TH|SH|SS|TP|B|PP|RS|nf|fi|RE)( .*)?)")) << line;
  }
  EXPECT_THAT(man_page(manual), AllOf(HasSubstr("\\&.5 is"), HasSubstr("Quoted\\e'"), HasSubstr("x\\-y")));
}

/// Declaring an argument that commands.json does not have is an error: this is the other way round.
TEST(ProgramManual, HasEveryArgumentThatIsDescribed) {
  std::set<std::string> declared_anywhere;
  for (const auto& command : program_manual().commands) {
    std::set<std::string> declared;
    for (const auto& argument : command.arguments) {
      declared.insert(argument.names.begin(), argument.names.end());
    }
    const auto described =
        command_texts().at("vernier").at(command.name).value("arguments", OrderedJson::object());
    for (const auto& [name, text] : described.items()) {
      EXPECT_TRUE(declared.contains(name) || name == "--<tensor>") << command.name << " " << name;
    }
    declared_anywhere.merge(declared);
  }
  for (const auto& [name, text] : command_texts().at("shared_arguments").items()) {
    EXPECT_TRUE(declared_anywhere.contains(name)) << name;
  }
  EXPECT_EQ(command_texts().at("vernier").size(), program_manual().commands.size());
}

TEST(ProgramManual, SaysHowLongDraftedWaiversHold) {
  const auto days = std::to_string(drafted_for.count()) + " days";
  EXPECT_THAT(man_page(program_manual()), HasSubstr("for " + days));
}

/// The words of a command line up to a pipe or a redirection. Single quotes hold a word together.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool in_quotes = false;
  bool in_word = false;
  for (const char character : line) {
    if (!in_quotes && (character == '|' || character == '>')) {
      break;
    }
    if (!in_quotes && character == ' ') {
      in_word = false;
      continue;
    }
    if (!in_word) {
      words.emplace_back();
      in_word = true;
    }
    if (character == '\'') {
      in_quotes = !in_quotes;
    } else {
      words.back() += character;
    }
  }
  return words;
}

void read_line(const std::string& line) {
  const auto words = words_of(line);
  std::vector<const char*> arguments;
  for (const auto& word : words) {
    arguments.push_back(word.c_str());
  }
  require_command_line(static_cast<int>(arguments.size()), arguments.data());
}

TEST(Examples, OfEveryCommandAreReadAsItsOwn) {
  for (const auto& command : program_manual().commands) {
    EXPECT_THAT(command.examples.size(), AllOf(Ge(1U), Le(3U))) << command.name;
    for (const auto& example : command.examples) {
      EXPECT_THAT(example, StartsWith("vernier " + command.name));
      EXPECT_LE(example.size(), 120U) << example;
      EXPECT_NO_THROW(read_line(example)) << example;
    }
  }
  EXPECT_THROW(read_line("vernier list --no-such-option"), InputError);
}

TEST_F(Program, ShowsItsExamplesInHelpAndManual) {
  const auto page = man_page(program_manual());
  for (const auto& command : program_manual().commands) {
    const auto help = run(command.name + " --help");
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.out, EndsWith("\n  " + command.examples.back() + "\n"));
  }
  EXPECT_THAT(page, AllOf(HasSubstr("\nvernier list contracts\nvernier list models qwen\n.fi\n"),
                          HasSubstr(R"(\-\-serve \(aqpython3 rope.py\(aq)"),
                          HasSubstr("\nExample:\n.RS\n.nf\nvernier man | man \\-l \\-\n")));
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
  EXPECT_EQ(offered("vernier vali"), "validate\n");
  EXPECT_EQ(offered("vernier validate --js"), "--json\n");
  EXPECT_EQ(offered("vernier validate --model llama-2-7b-h"), "llama-2-7b-hf\n");
  EXPECT_EQ(offered("vernier list mo"), "models\n");
  EXPECT_EQ(offered("vernier validate --cos tab"), "table.npy\n");
}

TEST_F(Completion, IsWrittenForThreeShells) {
  EXPECT_THAT(run("completion zsh").out, HasSubstr("#compdef vernier\n"));
  EXPECT_THAT(run("completion fish").out,
              AllOf(HasSubstr("-n '__fish_seen_subcommand_from validate' -l json -r -d"),
                    HasSubstr("-n '__fish_seen_subcommand_from list' -f -a 'schemes keys contracts"),
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
