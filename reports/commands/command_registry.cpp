#include <array>

#include "reports/commands/command.hpp"

namespace vernier {

std::span<const Command> commands() {
  static const std::array all{
      report_command(), validate_command(), request_command(), table_command(),
      sweep_command(),  spec_command(),     list_command(),    explain_command(),
  };
  return all;
}

}  // namespace vernier
