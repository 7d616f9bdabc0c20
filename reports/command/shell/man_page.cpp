#include <ostream>
#include <regex>
#include <utility>

#include <boost/algorithm/string/replace.hpp>
#include <fmt/core.h>

#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

/// Text that troff prints as it stands: a backslash is written \e, a hyphen of an option \-, and a line does
/// not begin with a command.
std::string troff_text(std::string text) {
  static const std::regex command("(^|\n)(['.])");
  boost::algorithm::replace_all(text, "\\", "\\e");
  boost::algorithm::replace_all(text, "-", "\\-");
  return std::regex_replace(text, command, "$1\\&$2");
}

std::string bold(const std::string& text) {
  return "\\fB" + troff_text(text) + "\\fR";
}

std::string argument_text(const ArgumentDescription& argument) {
  const auto names = joined(argument.names, bold);
  const auto value =
      argument.value.empty() || argument.is_positional() ? "" : " \\fI" + troff_text(argument.value) + "\\fR";
  return fmt::format(".TP\n{}{}\n{}\n", names, value, troff_text(argument.description));
}

/// What a shell is to read: troff prints typographic signs for some characters of ASCII.
std::string literal(const std::string& text) {
  auto result = troff_text(text);
  for (const auto& [sign, name] : {std::pair{"'", "\\(aq"}, {"^", "\\(ha"}, {"~", "\\(ti"}}) {
    boost::algorithm::replace_all(result, sign, name);
  }
  return result;
}

/// Lines as they stand, indented.
std::string examples_text(const std::vector<std::string>& examples) {
  if (examples.empty()) {
    return "";
  }
  std::string text = examples.size() == 1 ? ".PP\nExample:\n.RS\n.nf\n" : ".PP\nExamples:\n.RS\n.nf\n";
  for (const auto& example : examples) {
    text += literal(example) + "\n";
  }
  return text + ".fi\n.RE\n";
}

}  // namespace

std::string man_page(const ProgramManual& manual) {
  auto page = fmt::format(
      ".TH VERNIER 1 \"\" \"vernier {}\" \"User Commands\"\n"
      ".SH NAME\nvernier \\- {}\n"
      ".SH SYNOPSIS\n.B vernier\n\\fICOMMAND\\fR [\\fIOPTION\\fR ...] [\\fIARGUMENT\\fR ...]\n"
      ".SH DESCRIPTION\n{}\nEach command lists its options: {}.\n"
      ".SH COMMANDS\n",
      version(), troff_text(manual.description), troff_text(manual.description),
      bold("vernier COMMAND --help"));
  for (const auto& command : manual.commands) {
    page += fmt::format(".SS vernier {}\n{}.\n", troff_text(command.name), troff_text(command.description));
    for (const auto& argument : command.arguments) {
      page += argument_text(argument);
    }
    page += examples_text(command.examples);
  }
  return page + fmt::format(".SH EXIT STATUS\n{}\n", troff_text(manual.exit_codes));
}

Action declare_man(ArgumentParser& /*command*/) {
  return [](std::ostream& out) {
    out << man_page(program_manual());
    return 0;
  };
}

}  // namespace vernier
