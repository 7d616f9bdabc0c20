#include <algorithm>
#include <array>

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/core.h>

#include "numerics/computation/fault_kind.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_list.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// What a list says of one thing, in whole lines.
using Entries = std::vector<std::string>;

Entries scheme_entries() {
  return names_of(schemes(),
                  [](const auto& one) { return fmt::format("{}: {}\n", one.name, one.description); });
}

Entries key_entries() {
  Entries entries;
  for (const auto& scheme : schemes()) {
    for (const auto& one : keys_of(scheme)) {
      entries.push_back(fmt::format("{} {}: {}\n", scheme.name, one.key.path, one.key.meaning));
    }
  }
  return entries;
}

Entries contract_entries() {
  Entries entries =
      names_of(contracts(), [](const Contract& one) { return fmt::format("{}: {}\n", one.id, one.meaning); });
  entries.emplace_back(
      "arithmetic:STAGE=WAY,...: every bit is that of this arithmetic; vernier explain contract/arithmetic "
      "lists the stages and their ways\n");
  return entries;
}

Entries recipe_entries() {
  return names_of(recipes(), [](const Recipe& one) {
    return fmt::format("{} (contract {}): {}\n", one.id, one.contract, one.description);
  });
}

Entries check_entries() {
  return names_of(check_meanings(), [](const CheckMeaning& one) { return fmt::format("{}\n", one.id); });
}

Entries finding_entries() {
  return names_of(fault_kinds(),
                  [](const FaultKind& one) { return fmt::format("{}: {}\n", one.id, one.title); });
}

std::string model_entry(const CatalogueModel& model) {
  auto text = fmt::format("{} ({}{}):", model.id, model.name, model.verified ? "" : "; not verified");
  if (!model.unspecified.empty()) {
    text += " " + model.unspecified;
  }
  const bool alike = model.layer_specs.size() == 1 && model.unspecified.empty();
  for (const auto& layer_spec : model.layer_specs) {
    text += (alike ? " " : "\n  " + layer_spec.layers + ": ") + model.encoding(layer_spec)->summary();
  }
  return text + "\n";
}

Entries model_entries() {
  return names_of(catalogue(), model_entry);
}

std::string number_of_models() {
  const auto verified = std::ranges::count_if(catalogue(), &CatalogueModel::verified);
  return fmt::format("{} models: {} as their published configuration says, {} not verified in one\n",
                     catalogue().size(), verified, std::ssize(catalogue()) - verified);
}

struct Listing {
  std::string_view name;
  Entries (*entries)();
  std::string (*last_line)() = [] { return std::string(); };  ///< of the whole list
};

constexpr std::array listings{
    Listing{"schemes", scheme_entries},
    Listing{"keys", key_entries,
            [] { return std::string("vernier explain SCHEME explains the keys of its specs\n"); }},
    Listing{"contracts", contract_entries,
            [] {
              return std::string(
                  "vernier explain contract/NAME shows the formula of its budgets, and the faults that it "
                  "lets pass\n");
            }},
    Listing{"recipes", recipe_entries,
            [] {
              return std::string(
                  "float32:ORDER, float64:ORDER: an order of operations alone, such as float32:exp2; vernier "
                  "explain contract/arithmetic lists the orders\n");
            }},
    Listing{"checks", check_entries},
    Listing{"findings", finding_entries,
            [] { return std::string("vernier explain ID explains a finding and its fix\n"); }},
    Listing{"models", model_entries, number_of_models}};

int list(const std::string& name, const std::string& word, std::ostream& out) {
  const auto& listing = *std::ranges::find(listings, name, &Listing::name);
  auto entries = listing.entries();
  if (word.empty()) {
    entries.push_back(listing.last_line());
  }
  std::erase_if(entries, [&](const std::string& entry) { return !boost::algorithm::icontains(entry, word); });
  refuse_if(entries.empty(), "list: found none of the {} with \"{}\" in it, expected one (vernier list {})",
            name, one_line(word), name);
  for (const auto& entry : entries) {
    out << entry;
  }
  return 0;
}

}  // namespace

Action declare_list(ArgumentParser& command) {
  const auto& name = command.chosen("WHAT", names_of(listings, &Listing::name));
  const auto& word = command.given<std::string>("PART");
  return [&](std::ostream& out) { return list(name, word, out); };
}

}  // namespace vernier
