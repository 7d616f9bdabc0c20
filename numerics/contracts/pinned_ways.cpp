#include "numerics/contracts/pinned_ways.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

std::string ways_listed(ArithmeticStage stage) {
  return joined(std::vector(ways_of(stage).begin(), ways_of(stage).end()), &ArithmeticWay::id);
}

[[noreturn]] void refuse_clause(std::string_view clause) {
  throw InputError("contract: found \"{}\", expected STAGE=WAY of these: {}", clause,
                   joined(all_arithmetic_stages, [](ArithmeticStage stage) {
                     return fmt::format("{} ({})", id_of(stage), ways_listed(stage));
                   }));
}

std::string_view trimmed(std::string_view text) {
  const auto first = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// The stages of a name: its own, or those of y0 and y1.
std::vector<ArithmeticStage> stages_named(std::string_view name) {
  std::vector<ArithmeticStage> result;
  for (const auto stage : all_arithmetic_stages) {
    if (id_of(stage) == name || (id_of(stage).starts_with('y') && id_of(stage).substr(3) == name)) {
      result.push_back(stage);
    }
  }
  return result;
}

std::int8_t way_called(ArithmeticStage stage, std::string_view text) {
  const auto name = text.substr(0, text.find('@'));
  const auto version = text.substr(std::min(name.size() + 1, text.size()));
  const auto ways = ways_of(stage);
  const auto found = std::ranges::find(ways, name, &ArithmeticWay::id);
  refuse_if(found == ways.end(), "contract: {}: found \"{}\", expected {}", id_of(stage), name,
            ways_listed(stage));
  refuse_if(name.size() != text.size() && version != found->version,
            "contract: {}={}: found the version \"{}\", expected {}", id_of(stage), name, version,
            found->version.empty()
                ? "none: no library decides these bits"
                : fmt::format("{}: bits are predicted by this machine's library", found->version));
  return static_cast<std::int8_t>(found - ways.begin());
}

void pin(ArithmeticWays& pinned, ArithmeticStage stage, std::int8_t way) {
  refuse_if(at(pinned, stage) != not_there, "contract: found {} twice, expected one way for each stage",
            id_of(stage));
  at(pinned, stage) = way;
}

/// A way by its words, those of its stage before them.
void pin_by_words(ArithmeticWays& pinned, std::string_view clause) {
  for (const auto stage : all_arithmetic_stages) {
    for (std::size_t way = 0; way < ways_of(stage).size() && !clause.empty(); ++way) {
      auto one = no_arithmetic;
      at(one, stage) = static_cast<std::int8_t>(way);
      if (sentence_of(one) == clause) {
        pin(pinned, stage, at(one, stage));
        return;
      }
    }
  }
  refuse_clause(clause);
}

void pin_clause(ArithmeticWays& pinned, std::string_view clause) {
  const auto equals = clause.find('=');
  const auto stages = stages_named(trimmed(clause.substr(0, equals)));
  if (equals == std::string_view::npos || stages.empty()) {
    pin_by_words(pinned, clause);
    return;
  }
  for (const auto stage : stages) {
    pin(pinned, stage, way_called(stage, trimmed(clause.substr(equals + 1))));
  }
}

std::string_view without_prefix(std::string_view contract) {
  return contract.starts_with(arithmetic_contract) ? contract.substr(arithmetic_contract.size()) : contract;
}

}  // namespace

ArithmeticWays pinned_ways(std::string_view contract) {
  auto text = without_prefix(contract);
  const char between = text.find(';') == std::string_view::npos ? ',' : ';';
  auto result = no_arithmetic;
  for (bool is_more = true; is_more;) {
    const auto end = std::min(text.find(between), text.size());
    pin_clause(result, trimmed(text.substr(0, end)));
    is_more = end < text.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

bool takes(const ArithmeticWays& one, const ArithmeticWays& pinned) {
  return std::ranges::equal(one, pinned, [](auto way, auto other) {
    return way == other || way == not_there || other == not_there;
  });
}

std::string contract_pinning(const ArithmeticWays& pinned) {
  std::string result;
  for (const auto stage : all_arithmetic_stages) {
    if (at(pinned, stage) != not_there) {
      const auto& way = way_of(pinned, stage);
      result += fmt::format("{}{}={}{}{}", result.empty() ? arithmetic_contract : ",", id_of(stage), way.id,
                            way.version.empty() ? "" : "@", way.version);
    }
  }
  return result;
}

const Contract* declared_contract(std::string_view id) {
  if (!id.starts_with(arithmetic_contract)) {
    return contract_named(id);
  }
  static std::mutex guard;
  static std::map<std::string, Contract, std::less<>> made;
  static_cast<void>(pinned_ways(id));
  const std::scoped_lock lock(guard);
  const auto [found, is_new] = made.try_emplace(std::string(id));
  if (is_new) {
    found->second = {
        found->first,
        "every stored bit of sines, cosines and rotated vectors is that of this arithmetic",
        "nothing: bits are predicted",
        [](const TrigTable& table, Format stored) { return default_contract(stored).bind(table, stored); },
        nullptr,
        BucketTolerance::undefined,
        [](const ExactTable& table, Format stored) { return default_contract(stored).bind(table, stored); },
        [](const ComputedReal& number, Format stored) {
          return default_contract(stored).bind(number, stored);
        }};
  }
  return &found->second;
}

}  // namespace vernier
