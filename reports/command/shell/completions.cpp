#include <algorithm>
#include <array>
#include <cassert>
#include <ostream>
#include <string_view>

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>

#include "reports/command/command.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/program_manual.hpp"

namespace vernier {
namespace {

/// In single quotes, as all three shells read them. A quote ends them, stands escaped, and begins them anew.
std::string shell_quoted(const std::string& text) {
  return "'" + boost::algorithm::replace_all_copy(text, "'", "'\\''") + "'";
}

std::vector<std::string> option_names(const CommandDescription& command) {
  std::vector<std::string> names{"--help"};
  for (const auto& argument : command.arguments) {
    if (!argument.is_positional()) {
      names.insert(names.end(), argument.names.begin(), argument.names.end());
    }
  }
  return names;
}

std::string spaced(const std::vector<std::string>& list) {
  return fmt::format("{}", fmt::join(list, " "));
}

std::string bash(const ProgramManual& manual) {
  auto text = fmt::format(
      "# Completion of vernier for bash: source it, or put it into bash-completion's folder.\n"
      "_vernier() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options='' choices=''\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W {} -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      shell_quoted(spaced(names_of(manual.commands, &CommandDescription::name)) + " --help --version"));
  for (const auto& command : manual.commands) {
    text += fmt::format("    {})\n      options={}\n      case $before in\n", command.name,
                        shell_quoted(spaced(option_names(command))));
    for (const auto& argument : command.arguments) {
      if (argument.choices) {
        text += fmt::format(
            "        {}) choices={} ;;\n",
            argument.is_positional() ? command.name : fmt::format("{}", fmt::join(argument.names, "|")),
            shell_quoted(spaced(argument.choices())));
      }
    }
    text += "      esac ;;\n";
  }
  return text +
         "  esac\n"
         "  if [[ -n $choices ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
         "  elif [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _vernier vernier\n";
}

std::string zsh(const ProgramManual& manual) {
  // zsh's own way of taking a bash function, so that there is one statement of what follows what.
  return "#compdef vernier\n# Completion of vernier for zsh: put it into a folder of $fpath as _vernier.\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash(manual);
}

std::string fish(const ProgramManual& manual) {
  std::string text =
      "# Completion of vernier for fish: put it into ~/.config/fish/completions/vernier.fish.\n"
      "complete -c vernier -n __fish_use_subcommand -f\n";
  for (const auto& command : manual.commands) {
    text += fmt::format("complete -c vernier -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        shell_quoted(command.description));
    const auto of_command =
        fmt::format("complete -c vernier -n '__fish_seen_subcommand_from {}'", command.name);
    for (const auto& argument : command.arguments) {
      const auto choices = !argument.choices
                               ? std::string()
                               : fmt::format(" -f -a {}", shell_quoted(spaced(argument.choices())));
      if (argument.is_positional()) {
        text += choices.empty() ? "" : of_command + choices + "\n";
        continue;
      }
      text += of_command;
      for (const auto& name : argument.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      text += (argument.value.empty() ? "" : " -r") + choices + " -d " + shell_quoted(argument.description) +
              "\n";
    }
  }
  return text;
}

struct Shell {
  std::string_view name;
  std::string (*completions)(const ProgramManual& manual);
};

constexpr std::array known_shells{Shell{"bash", bash}, Shell{"zsh", zsh}, Shell{"fish", fish}};

}  // namespace

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  return !word.empty() && word.find_first_not_of(plain) == std::string::npos ? word : shell_quoted(word);
}

std::vector<std::string> shells() {
  return names_of(known_shells, &Shell::name);
}

std::string completions(const ProgramManual& manual, const std::string& shell) {
  const auto* const found = std::ranges::find(known_shells, shell, &Shell::name);
  assert(found != known_shells.end());
  return found->completions(manual);
}

Action declare_completion(ArgumentParser& command) {
  const auto& shell = command.chosen("SHELL", shells());
  return [&shell](std::ostream& out) {
    out << completions(program_manual(), shell);
    return 0;
  };
}

}  // namespace vernier
