#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vernier {

/// An argument of a command as the manual has it.
struct ArgumentDescription {
  std::vector<std::string> names = {};  ///< "-o", "--output"; of a positional one "CASE"
  std::string value = {};               ///< what stands for its value: "FILE"; empty of a flag
  std::string description = {};
  /// What its value may be, or usually is, where that is a list; else null.
  std::function<std::vector<std::string>()> choices = nullptr;

  bool is_positional() const { return !names.front().starts_with('-'); }
};

/// A command and its arguments, in the order in which they are declared.
struct CommandDescription {
  std::string name = {};
  std::string description = {};
  std::vector<ArgumentDescription> arguments = {};
  std::vector<std::string> examples = {};  ///< command lines, as a shell reads them
};

/// The command line of `vernier`: from it come the manual page, what shells complete, and what was meant by
/// a word that is none of it.
struct ProgramManual {
  std::string description = {};
  std::string exit_codes = {};
  std::vector<CommandDescription> commands = {};
};

/// That of this program.
ProgramManual program_manual();

/// The manual page, in troff with the macros of man(7).
std::string man_page(const ProgramManual& manual);

/// The word as a POSIX shell reads it back.
std::string shell_word(const std::string& word);

/// Shells that words can be completed in: bash, zsh and fish.
std::vector<std::string> shells();

/// What the shell reads to complete words: commands, options, values that come from a list, else files.
/// \param shell one of shells()
std::string completions(const ProgramManual& manual, const std::string& shell);

}  // namespace vernier
