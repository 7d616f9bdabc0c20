#include <memory>

#include "reports/commands/command.hpp"
#include "reports/program_manual.hpp"

namespace vernier {
namespace {

Action declare_completion(ArgumentParser& command) {
  const auto shell = std::make_shared<std::string>();
  command.add("SHELL", *shell, "the shell to write for").required().chosen_from(shells());
  return [shell](std::ostream& out) {
    out << completions(program_manual(), *shell);
    return 0;
  };
}

}  // namespace

Command completion_command() {
  return {"completion",
          "Write what a shell reads to complete the words of this command line",
          declare_completion,
          {"vernier completion bash > ~/.local/share/bash-completion/completions/vernier",
           "vernier completion fish > ~/.config/fish/completions/vernier.fish"}};
}

}  // namespace vernier
