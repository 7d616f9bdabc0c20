#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include "numerics/budgets/frequency_error.hpp"
#include "numerics/computation/fault_kind.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/contracts/contract_allowance.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_document.hpp"
#include "reference/specs/key_list.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/command/validate_options.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/words/arithmetic_words.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {

/// \name Pages of the manual, as they stand
/// @{
std::string glossary_text();
std::string tensors_text();
/// @}

namespace {

constexpr std::string_view contract_prefix = "contract/";
constexpr std::string_view pinning_contract = "contract/arithmetic";

/// What a word means to Vernier.
struct WordMeaning {
  std::string word;
  std::string kind;  ///< "glossary", "role of a tensor", "key of rope, xpos"
  std::string sentence;
  std::string command;  ///< that says or does more
};

constexpr std::string_view blanks = " ";
constexpr std::string_view marks = " `";

/// The parts of a text between separators, without what surrounds them.
std::vector<std::string> parts_of(const std::string& text, char separator, std::string_view surrounding) {
  std::vector<std::string> parts;
  boost::algorithm::split(parts, text, [=](char letter) { return letter == separator; });
  for (auto& part : parts) {
    boost::algorithm::trim_if(part, boost::algorithm::is_any_of(surrounding));
  }
  return parts;
}

/// The rows of the first table of a page: a word or several, and what else stands there, as plain text.
std::vector<std::vector<std::string>> table_of(const std::string& page) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::vector<std::vector<std::string>> rows;
  for (const auto& line : parts_of(page, '\n', blanks)) {
    if (line.starts_with("|")) {
      const auto plain =
          std::regex_replace(std::regex_replace(line, link, "$1"), std::regex(R"(\\\|)"), "\x01");
      rows.push_back(parts_of(plain.substr(1, plain.size() - 2), '|', blanks));
      for (auto& cell : rows.back()) {
        std::ranges::replace(cell, '\x01', '|');
      }
    } else if (!rows.empty()) {
      break;
    }
  }
  constexpr std::ptrdiff_t heading = 2;
  rows.erase(rows.begin(), rows.begin() + std::min(heading, std::ssize(rows)));
  return rows;
}

void add_words(std::vector<WordMeaning>& all) {
  const auto page = glossary_text();
  for (const auto& part : {page, page.substr(page.find("\n## Notation"))}) {
    for (const auto& row : table_of(part)) {
      for (const auto& word : parts_of(row.front(), ',', marks)) {
        all.push_back({word, "glossary", row.at(1), "vernier report -o report, for the manual"});
      }
    }
  }
}

void add_contracts_and_recipes(std::vector<WordMeaning>& all) {
  for (const auto& one : contracts()) {
    all.push_back({std::string(one.id), "contract", std::string(one.meaning),
                   fmt::format("vernier explain contract/{}", one.id)});
  }
  for (const auto& one : recipes()) {
    all.push_back(
        {std::string(one.id), "recipe", std::string(one.description),
         fmt::format("vernier sweep --model llama-2-7b-hf --recipe {} --positions 0:4096", one.id)});
  }
}

void add_roles(std::vector<WordMeaning>& all) {
  for (const auto& row : table_of(tensors_text())) {
    for (const auto& role : parts_of(row.front(), ',', marks)) {
      all.push_back({role, "role of a tensor", fmt::format("{}: {}", row.at(1), row.at(2)),
                     fmt::format("vernier validate --spec config.json --{} FILE", option_name(role))});
    }
  }
}

/// A key with one meaning in several schemes, or in several forms of one scheme, is told once.
void add_keys(std::vector<WordMeaning>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> schemes_of;
  for (const auto& scheme : schemes()) {
    for (const auto& one : keys_of(scheme)) {
      auto& names = schemes_of[{one.key.path, one.key.meaning}];
      if (names.empty() || names.back() != scheme.name) {
        names.emplace_back(scheme.name);
      }
    }
  }
  for (const auto& [key, names] : schemes_of) {
    all.push_back({key.first, "key of " + joined(names), key.second, "vernier explain " + names.front()});
  }
}

void add_models(std::vector<WordMeaning>& all) {
  for (const auto& one : catalogue()) {
    all.push_back(
        {one.id, "model", one.name,
         fmt::format("vernier {} {}", one.layer_specs.size() == 1 ? "spec --model" : "list models", one.id)});
  }
}

/// An option of several commands is told as the first of them has it.
void add_commands(std::vector<WordMeaning>& all) {
  std::set<std::string> options;
  for (const auto& command : program_manual().commands) {
    all.push_back({command.name, "command", command.description, "vernier help " + command.name});
    for (const auto& argument : command.arguments) {
      const auto& name = argument.names.back();
      if (!argument.is_positional() && !argument.description.empty() && options.insert(name).second) {
        all.push_back({name.substr(name.find_first_not_of('-')), "option of vernier " + command.name,
                       argument.description, "vernier help " + command.name});
      }
    }
  }
}

/// A word without what people write in one way or another.
std::string plain_word(const std::string& word) {
  auto result = boost::algorithm::to_lower_copy(word);
  std::ranges::replace_if(result, boost::algorithm::is_any_of("- "), '_');
  return result;
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

/// Every meaning of every word: of the glossary, contracts, recipes, roles of tensors, keys of specs, models
/// of the catalogue, commands and options.
const std::vector<WordMeaning>& dictionary() {
  static const auto all = [] {
    std::vector<WordMeaning> result;
    for (const auto add :
         {add_words, add_contracts_and_recipes, add_roles, add_keys, add_models, add_commands}) {
      add(result);
    }
    return result;
  }();
  return all;
}

/// The meanings of a word, a key also by the last part of its path; hyphens, underscores and blanks are one,
/// and so are large and small letters.
std::vector<WordMeaning> meanings_of(const std::string& word) {
  const auto wanted = plain_word(word);
  return filtered(dictionary(), [&](const WordMeaning& one) {
    const auto plain = plain_word(one.word);
    return plain == wanted || (one.kind.starts_with("key") && last_part(plain) == wanted);
  });
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

std::string finding_text(const FaultKind& kind) {
  auto text = fmt::format("{}\n\n{}\n\n", kind.id, kind.title);
  if (kind.id != "unexplained") {
    text += fmt::format("Stage: {}.\n", to_string(kind.stage));
  }
  text += fmt::format("What it means: {}\nWhat to do: {}\n", kind.means, kind.advice);
  return kind.similar.empty() ? text
                              : text + fmt::format("Public bugs of the kind: {}.\n", joined(kind.similar));
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

/// Of a check, that which has taken its place, or any word.
std::string check_or_word_text(const std::string& id) {
  const auto own = check_meaning_of(id);
  if (const auto meaning = own ? own : check_meaning_of(current_check(id))) {
    return fmt::format("{}{}\n\n{}\n\nRests on: {}.\n",
                       own ? "" : fmt::format("{} is now {}.\n\n", id, current_check(id)), meaning->id,
                       meaning->meaning, meaning->source);
  }
  std::string text;
  for (const auto& one : meanings_of(id)) {
    text += fmt::format("{} ({}): {}\n  {}\n", one.word, one.kind, one.sentence, one.command);
  }
  if (text.empty()) {
    throw InputError("explain: {} (vernier list checks, findings, contracts, schemes)",
                     not_among(id, explained_words()));
  }
  return text;
}

/// \param id empty for the ids of all checks
std::string explanation_of(const std::string& id) {
  if (id.empty()) {
    return fmt::format("{}\n", fmt::join(names_of(check_meanings(), &CheckMeaning::id), "\n"));
  }
  if (id == pinning_contract) {
    return pinning_contract_text();
  }
  if (id.starts_with(contract_prefix)) {
    const auto* contract = contract_named(std::string_view(id).substr(contract_prefix.size()));
    if (contract == nullptr) {
      throw InputError("explain: {}", not_among(id, explained_ids()));
    }
    return contract_text(*contract);
  }
  const auto name = boost::algorithm::to_lower_copy(id);
  if (const auto scheme = std::ranges::find(schemes(), name, &Scheme::name); scheme != schemes().end()) {
    return keys_text(*scheme);
  }
  // Some findings have ids that a check of a tensor could have: "trigonometry/range-reduction".
  const auto* kind = fault_kind_named(id);
  return kind == nullptr ? check_or_word_text(id) : finding_text(*kind);
}

}  // namespace

Action declare_explain(ArgumentParser& command) {
  const auto& id = command.given<std::string>("ID");
  command.usually(explained_ids);
  return [&id](std::ostream& out) {
    out << explanation_of(id);
    return 0;
  };
}

}  // namespace vernier
