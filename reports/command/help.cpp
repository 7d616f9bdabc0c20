#include <array>

#include "reports/command/cli.hpp"
#include "reports/command/command.hpp"
#include "reports/words/nearest_names.hpp"

namespace vernier {

Action declare_help(ArgumentParser& command) {
  const auto& name = command.chosen("COMMAND", names_of(commands, &Command::name));
  return [&name](std::ostream& out) {
    const std::array words{"vernier", name.empty() ? "--help" : name.c_str(), "--help"};
    return run_command_line(name.empty() ? 2 : 3, words.data(), out);
  };
}

}  // namespace vernier
