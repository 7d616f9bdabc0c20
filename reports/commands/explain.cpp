#include <memory>

#include <CLI/CLI.hpp>

#include "reference/input_error.hpp"
#include "reports/checks/check_kind.hpp"
#include "reports/commands/command.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

int explain(const std::string& id, std::ostream& out) {
  const auto* kind = check_kind_of(id);
  if (kind == nullptr) {
    std::string known;
    for (const auto& one : check_kinds()) {
      known += (known.empty() ? "" : ", ") + std::string(one.id);
    }
    throw InputError("explain: found the check \"" + one_line(id) + "\", expected one of " + known);
  }
  out << kind->id << "\n\n" << kind->meaning << "\n\nRests on: " << kind->source << ".\n";
  return 0;
}

Action declare(CLI::App& command) {
  const auto id = std::make_shared<std::string>();
  command.add_option("CHECK", *id, "the id of a check, as in a verdict: accuracy/cos")->required();
  return [id](std::ostream& out) { return explain(*id, out); };
}

}  // namespace

Command explain_command() {
  return {"explain", "Say what a check means and what it rests on", declare};
}

}  // namespace vernier
