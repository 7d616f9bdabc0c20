#include <algorithm>
#include <array>
#include <memory>

#include <CLI/CLI.hpp>

#include "numerics/contract.hpp"
#include "numerics/recipe_registry.hpp"
#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/checks/check_kind.hpp"
#include "reports/commands/command.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

void list_schemes(std::ostream& out) {
  for (const auto& scheme : schemes()) {
    out << scheme.name << ": " << scheme.description << "\n";
  }
}

void list_contracts(std::ostream& out) {
  for (const auto& contract : contracts()) {
    out << contract.id << ": " << contract.meaning << "\n  budget: " << contract.budget << "\n";
  }
}

void list_recipes(std::ostream& out) {
  for (const auto& recipe : recipes()) {
    out << recipe.id << " (contract " << recipe.contract << "): " << recipe.description << "\n";
  }
}

void list_checks(std::ostream& out) {
  for (const auto& kind : check_kinds()) {
    out << kind.id << "\n";
  }
}

struct Listing {
  std::string_view name;
  void (*write)(std::ostream& out);
};

constexpr std::array listings{Listing{"schemes", list_schemes}, Listing{"contracts", list_contracts},
                              Listing{"recipes", list_recipes}, Listing{"checks", list_checks}};

int list(const std::string& name, std::ostream& out) {
  const auto* found = std::ranges::find(listings, name, &Listing::name);
  if (found == listings.end()) {
    throw InputError("list: found \"" + one_line(name) +
                     "\", expected schemes, contracts, recipes or checks");
  }
  found->write(out);
  return 0;
}

Action declare(CLI::App& command) {
  const auto name = std::make_shared<std::string>();
  command.add_option("WHAT", *name, "schemes, contracts, recipes or checks")->required();
  return [name](std::ostream& out) { return list(*name, out); };
}

}  // namespace

Command list_command() {
  return {"list", "List the schemes, contracts, recipes or checks that Vernier knows", declare};
}

}  // namespace vernier
