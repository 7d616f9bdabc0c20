#include <algorithm>
#include <array>
#include <memory>

#include "numerics/contracts/contract.hpp"
#include "numerics/diagnosis/fault_kind.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/catalogue/catalogue.hpp"
#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"
#include "reference/word_list.hpp"
#include "reports/checks/check_meaning.hpp"
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
  out << "vernier explain contract/NAME says what a contract lets pass\n";
}

void list_recipes(std::ostream& out) {
  for (const auto& recipe : recipes()) {
    out << recipe.id << " (contract " << recipe.contract << "): " << recipe.description << "\n";
  }
}

void list_checks(std::ostream& out) {
  for (const auto& meaning : check_meanings()) {
    out << meaning.id << "\n";
  }
}

void list_findings(std::ostream& out) {
  for (const auto* kind : fault_kinds()) {
    out << kind->id << ": " << kind->title << "\n";
  }
  out << "vernier explain ID says what a finding means and what to do\n";
}

void list_models(std::ostream& out) {
  std::size_t verified = 0;
  for (const auto& model : catalogue()) {
    verified += model.verified ? 1 : 0;
    out << model.id << " (" << model.name << (model.verified ? "" : "; not verified") << "):";
    if (!model.unspecified.empty()) {
      out << " " << model.unspecified;
    }
    const bool alike = model.layer_specs.size() == 1 && model.unspecified.empty();
    for (const auto& layer_spec : model.layer_specs) {
      out << (alike ? " " : "\n  " + layer_spec.layers + ": ") << model.encoding(layer_spec)->summary();
    }
    out << "\n";
  }
  out << catalogue().size() << " models: " << verified << " as their published configuration says, "
      << catalogue().size() - verified << " not verified in one\n";
}

struct Listing {
  std::string_view name;
  void (*write)(std::ostream& out);
};

constexpr std::array listings{Listing{"schemes", list_schemes},   Listing{"contracts", list_contracts},
                              Listing{"recipes", list_recipes},   Listing{"checks", list_checks},
                              Listing{"findings", list_findings}, Listing{"models", list_models}};

std::string listing_names() {
  return joined(std::vector(listings.begin(), listings.end()), &Listing::name, " or ");
}

int list(const std::string& name, std::ostream& out) {
  const auto* found = std::ranges::find(listings, name, &Listing::name);
  if (found == listings.end()) {
    throw InputError("list: found \"{}\", expected {}", one_line(name), listing_names());
  }
  found->write(out);
  return 0;
}

Action declare_list(ArgumentParser& command) {
  const auto name = std::make_shared<std::string>();
  command.add("WHAT", *name, listing_names()).required();
  return [name](std::ostream& out) { return list(*name, out); };
}

}  // namespace

Command list_command() {
  return {"list", "List the schemes, contracts, recipes, checks, findings or models that Vernier knows",
          declare_list};
}

}  // namespace vernier
