#include "reports/commands/command.hpp"

namespace vernier {

std::span<const Command> commands() {
  static const auto all = make_all(command_makers);
  return all;
}

}  // namespace vernier
