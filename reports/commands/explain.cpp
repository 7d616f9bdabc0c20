#include <algorithm>
#include <iterator>
#include <memory>

#include "numerics/contracts/contract.hpp"
#include "numerics/diagnosis/fault_kind.hpp"
#include "reference/input_error.hpp"
#include "reference/keys/key_document.hpp"
#include "reference/scheme_registry.hpp"
#include "reference/word_list.hpp"
#include "reports/checks/check_meaning.hpp"
#include "reports/commands/command.hpp"
#include "reports/contract_text.hpp"
#include "reports/nearest_names.hpp"
#include "reports/replaced_checks.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr std::string_view contract_prefix = "contract/";

void list(std::ostream& out) {
  for (const auto& meaning : check_meanings()) {
    out << meaning.id << "\n";
  }
}

std::vector<std::string> explained_ids() {
  auto ids = names_of(fault_kinds(), &FaultKind::id);
  std::ranges::move(names_of(check_meanings(), &CheckMeaning::id), std::back_inserter(ids));
  for (const auto& contract : contracts()) {
    ids.push_back(std::string(contract_prefix) + std::string(contract.id));
  }
  std::ranges::move(names_of(schemes(), &Scheme::name), std::back_inserter(ids));
  return ids;
}

void explain_finding(const FaultKind& kind, std::ostream& out) {
  out << kind.id << "\n\n" << kind.title << "\n\n";
  if (kind.id != "unexplained") {
    out << "Stage: " << to_string(kind.stage) << ".\n";
  }
  out << "What it means: " << kind.means << "\nWhat to do: " << kind.advice << "\n";
  if (!kind.similar.empty()) {
    out << "Public bugs of the kind: " << joined(kind.similar) << ".\n";
  }
}

int explain(const std::string& id, std::ostream& out) {
  if (id.empty()) {
    list(out);
    return 0;
  }
  if (id.starts_with(contract_prefix)) {
    const auto* contract = contract_named(std::string_view(id).substr(contract_prefix.size()));
    if (contract == nullptr) {
      throw InputError("explain: {}", not_among(id, explained_ids()));
    }
    out << contract_text(*contract);
    return 0;
  }
  if (const auto scheme = std::ranges::find(schemes(), id, &Scheme::name); scheme != schemes().end()) {
    out << keys_text(*scheme);
    return 0;
  }
  // Some findings have ids that a check of a tensor could have: "trigonometry/range-reduction".
  if (const auto* kind = fault_kind_named(id)) {
    explain_finding(*kind, out);
    return 0;
  }
  auto meaning = check_meaning_of(id);
  if (!meaning && current_check(id) != id) {
    out << id << " is now " << current_check(id) << ".\n\n";
    meaning = check_meaning_of(current_check(id));
  }
  if (!meaning) {
    throw InputError("explain: {} (vernier list checks, findings, contracts, schemes)",
                     not_among(id, explained_ids()));
  }
  out << meaning->id << "\n\n" << meaning->meaning << "\n\nRests on: " << meaning->source << ".\n";
  return 0;
}

Action declare_explain(ArgumentParser& command) {
  const auto id = std::make_shared<std::string>();
  command
      .add("ID", *id,
           "the id of a check, as in a verdict: accuracy/cos; of a finding: frequency/base; of a contract, "
           "with "
           "what it lets pass: contract/float32; or of a scheme, with the keys of its specs: rope; without "
           "it, "
           "all checks are listed")
      .usually(explained_ids);
  return [id](std::ostream& out) { return explain(*id, out); };
}

}  // namespace

Command explain_command() {
  return {"explain",
          "Say what a check, a finding, a contract or the keys of a scheme mean",
          declare_explain,
          {"vernier explain accuracy/cos", "vernier explain contract/float32", "vernier explain rope"}};
}

}  // namespace vernier
