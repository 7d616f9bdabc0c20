#include "reports/commands/command.hpp"
#include "reports/program_manual.hpp"

namespace vernier {
namespace {

Action declare_man(ArgumentParser&) {
  return [](std::ostream& out) {
    out << man_page(program_manual());
    return 0;
  };
}

}  // namespace

Command man_command() {
  return {"man", "Write the manual page", declare_man, {"vernier man | man -l -"}};
}

}  // namespace vernier
