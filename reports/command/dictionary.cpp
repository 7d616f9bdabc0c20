#include "reports/command/dictionary.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <ranges>
#include <regex>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_list.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/validate_options.hpp"
#include "reports/words/program_manual.hpp"

namespace vernier {

/// \name Pages of the manual, as they stand
/// @{
std::string glossary_text();
std::string tensors_text();
/// @}

namespace {

constexpr std::string_view blanks = " ";
constexpr std::string_view marks = " `";

/// The parts of a text between separators, without what surrounds them.
std::vector<std::string> parts_of(std::string_view text, std::string_view separator,
                                  std::string_view surrounding) {
  std::vector<std::string> parts;
  for (const auto& one : std::views::split(text, separator)) {
    const std::string_view part(one.begin(), one.end());
    const auto first = part.find_first_not_of(surrounding);
    parts.emplace_back(first == std::string_view::npos
                           ? std::string_view()
                           : part.substr(first, part.find_last_not_of(surrounding) + 1 - first));
  }
  return parts;
}

/// The rows of the first table of a page: a word or several, and what else stands there, as plain text.
std::vector<std::vector<std::string>> table_of(const std::string& page) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::vector<std::vector<std::string>> rows;
  for (const auto& line : parts_of(page, "\n", blanks)) {
    if (line.starts_with("|")) {
      const auto plain =
          std::regex_replace(std::regex_replace(line, link, "$1"), std::regex(R"(\\\|)"), "\x01");
      rows.push_back(parts_of(std::string_view(plain).substr(1, plain.size() - 2), "|", blanks));
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
      for (const auto& word : parts_of(row.front(), ",", marks)) {
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
    for (const auto& role : parts_of(row.front(), ",", marks)) {
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
std::string plain_word(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), [](unsigned char letter) {
    return letter == '-' || letter == ' ' ? '_' : static_cast<char>(std::tolower(letter));
  });
  return result;
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

}  // namespace

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

std::vector<WordMeaning> meanings_of(std::string_view word) {
  const auto wanted = plain_word(word);
  return filtered(dictionary(), [&](const WordMeaning& one) {
    const auto plain = plain_word(one.word);
    return plain == wanted || (one.kind.starts_with("key") && last_part(plain) == wanted);
  });
}

}  // namespace vernier
