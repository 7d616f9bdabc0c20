#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/core.h>

#include "numerics/budgets/frequency_error.hpp"
#include "numerics/computation/fault_kind.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/contracts/contract_allowance.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_document.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/command/dictionary.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/words/arithmetic_words.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::string_view contract_prefix = "contract/";
constexpr std::string_view pinning_contract = "contract/arithmetic";

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
  ids.emplace_back(pinning_contract);
  std::ranges::move(names_of(schemes(), &Scheme::name), std::back_inserter(ids));
  return ids;
}

/// With the words that have a meaning of one sentence.
std::vector<std::string> explained_words() {
  auto words = explained_ids();
  std::ranges::move(names_of(dictionary(), &WordMeaning::word), std::back_inserter(words));
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
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

constexpr int budget_digits = 2;
constexpr int told_head_dim = 128;

/// What passes of a RoPE: its base, and the frequency of its slowest pair.
std::string rotation_allowance(int base, Format compute) {
  const RopeSpec spec{.head_dim = told_head_dim, .rope_theta = base};
  const auto frequencies = spec.unscaled_frequencies();
  const double slowest = frequency_error(spec.frequencies(), frequencies.pairs - 1, compute);
  return fmt::format(
      "  base {}: a base off by less than {}; "
      "the slowest pair's frequency off by less than {} of itself, {} u\n",
      base, significant_text(base_allowance(frequencies, compute) * base, budget_digits),
      significant_text(slowest, budget_digits),
      significant_text(slowest / traits(compute).unit_roundoff(), budget_digits));
}

/// An amplitude that is not 1, and so is multiplied by.
std::string amplitude_allowance(const Contract& contract, Format compute) {
  auto table = RopeSpec{.head_dim = told_head_dim}.table(Component::cosine);
  table.amplitude = Rational(5, 4);
  const double share = amplitude_allowance(contract.bind(table, compute));
  return fmt::format("  an amplitude such as YaRN's: off by less than {} of itself\n",
                     significant_text(share, budget_digits));
}

/// A contract that is named after the format it computes in.
std::string allowances(const Contract& contract, Format compute) {
  return fmt::format(
      "A faulty computation with an error no larger than honest rounding conforms too. "
      "RoPE of {} dimensions, u = 2^-{}:\n"
      "{}{}{}"
      "A base off by d of itself moves the frequency of pair i by 2i/{} d, which may be off by r: no pair "
      "may "
      "be off by more.\n"
      "For less room name a stricter contract: correctly-rounded or faithful.\n",
      told_head_dim, traits(compute).precision, rotation_allowance(10000, compute),
      rotation_allowance(500000, compute), amplitude_allowance(contract, compute), told_head_dim);
}

/// What a contract means, its budget and, where it is that of computing in one format, what it lets pass by
/// design: several lines, for whoever wonders why a base that is hardly off conforms.
std::string contract_text(const Contract& contract) {
  auto text = fmt::format("contract/{}\n\n{}\n\nBudget of an element: {}\n", contract.id, contract.meaning,
                          contract.budget);
  const auto compute = format_named(contract.id);
  return compute ? text + "\n" + allowances(contract, *compute) : text;
}

int explain(const std::string& id, std::ostream& out) {
  if (id.empty()) {
    list(out);
    return 0;
  }
  if (id == pinning_contract) {
    out << pinning_contract_text();
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
  auto name = id;
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  if (const auto scheme = std::ranges::find(schemes(), name, &Scheme::name); scheme != schemes().end()) {
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
    const auto meanings = meanings_of(id);
    for (const auto& one : meanings) {
      out << fmt::format("{} ({}): {}\n  {}\n", one.word, one.kind, one.sentence, one.command);
    }
    if (!meanings.empty()) {
      return 0;
    }
    throw InputError("explain: {} (vernier list checks, findings, contracts, schemes)",
                     not_among(id, explained_words()));
  }
  out << meaning->id << "\n\n" << meaning->meaning << "\n\nRests on: " << meaning->source << ".\n";
  return 0;
}

}  // namespace

Action declare_explain(ArgumentParser& command) {
  const auto& id = command.given<std::string>("ID");
  command.usually(explained_ids);
  return [&id](std::ostream& out) { return explain(id, out); };
}

}  // namespace vernier
