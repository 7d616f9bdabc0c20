#include "numerics/arithmetic/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/arithmetic/search.hpp"
#include "numerics/arithmetic/smallest_parting.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

bool is_of_vectors(ArithmeticStage stage) {
  return stage >= ArithmeticStage::narrowing;
}

/// The component of a rotated pair that the stage is of; nothing of others.
std::optional<std::size_t> component_of(ArithmeticStage stage) {
  return stage < ArithmeticStage::products_0 ? std::nullopt
                                             : std::optional(stage < ArithmeticStage::products_1 ? 0U : 1U);
}

/// Of the tables that both store.
Differences shared_of_tables(const StoredBits& first, const StoredBits& second) {
  Differences result;
  if (first.tables.empty()) {
    return result;
  }
  const auto& one = first.tables.front();
  const auto& other = second.tables.front();
  const auto rows = rows_of(other);
  for (std::size_t row = 0; row < one.positions.size(); ++row) {
    const auto found = rows(one.positions[row]);
    for (std::size_t pair = 0; pair < std::min(one.pairs, found.size()); ++pair) {
      const TellingInput input{one.positions[row], pair};
      if (one.has_cosines && other.has_cosines) {
        result.add(input, "cos", one.element(row, pair).cosine, found[pair].cosine);
      }
      if (one.has_sines && other.has_sines) {
        result.add(input, "sin", one.element(row, pair).sine, found[pair].sine);
      }
    }
  }
  return result;
}

/// \param component 0 or 1; or both
void add_shared(Differences& result, const StoredVectors& one, const StoredVectors& other,
                std::optional<std::size_t> component) {
  std::unordered_map<std::int64_t, std::size_t> index;
  for (std::size_t i = 0; i < other.positions.size(); ++i) {
    index.emplace(other.positions[i], i);
  }
  for (std::size_t i = 0; i < one.positions.size(); ++i) {
    const auto found = index.find(one.positions[i]);
    const auto count = found == index.end() || one.pairs_of_vector != other.pairs_of_vector
                           ? 0
                           : std::min(one.pairs[i].size(), other.pairs[found->second].size());
    for (std::size_t at = 0; at < count; ++at) {
      const auto& a = one.pairs[i][at];
      const auto& b = other.pairs[found->second][at];
      if (!same_bits(a.x0, b.x0) || !same_bits(a.x1, b.x1)) {
        continue;
      }
      const TellingInput input{one.positions[i], at % one.pairs_of_vector, a.x0, a.x1};
      if (component.value_or(0) == 0) {
        result.add(input, "y0", a.y0, b.y0);
      }
      if (component.value_or(1) == 1) {
        result.add(input, "y1", a.y1, b.y1);
      }
    }
  }
}

/// Of the vectors that both store under one role.
Differences shared_of_vectors(const StoredBits& first, const StoredBits& second,
                              std::optional<std::size_t> component) {
  Differences result;
  for (const auto& one : first.vectors) {
    const auto other = std::ranges::find(second.vectors, one.role, &StoredVectors::role);
    if (other != second.vectors.end()) {
      add_shared(result, one, *other, component);
    }
  }
  return result;
}

/// Whether some computation is a member of both.
bool have_common_member(const ArithmeticFinding& first, const ArithmeticFinding& second) {
  const auto have_common = [](const ArithmeticMember& a, const ArithmeticMember& b) {
    const auto common = [](const auto& ones, const auto& others, TableNarrowing narrowing) {
      return (ones.empty() && others.empty()) || std::ranges::any_of(ones, [&](const auto& one) {
               return one.narrowing == narrowing && std::ranges::find(others, one) != others.end();
             });
    };
    return std::ranges::any_of(std::array{TableNarrowing::kept, TableNarrowing::bfloat16,
                                          TableNarrowing::float16, TableNarrowing::float32},
                               [&](TableNarrowing narrowing) {
                                 return common(a.y0, b.y0, narrowing) && common(a.y1, b.y1, narrowing);
                               });
  };
  std::multimap<ArithmeticWays, const ArithmeticMember*> by_table;
  for (const auto& member : second.members) {
    for (const auto& table : member.tables) {
      by_table.emplace(table, &member);
    }
  }
  return std::ranges::any_of(first.members, [&](const ArithmeticMember& member) {
    return std::ranges::any_of(member.tables, [&](const ArithmeticWays& table) {
      const auto [from, to] = by_table.equal_range(table);
      return std::any_of(from, to, [&](const auto& other) { return have_common(member, *other.second); });
    });
  });
}

/// Stages whose ways have none in common, in their order.
std::vector<ArithmeticParting> parted_stages(const ArithmeticFinding& first,
                                             const ArithmeticFinding& second) {
  std::vector<ArithmeticParting> result;
  for (const auto& one : first.stages) {
    for (const auto& other : second.stages) {
      if (one.stage == other.stage && std::ranges::none_of(one.ways, [&](auto way) {
            return std::ranges::find(other.ways, way) != other.ways.end();
          })) {
        result.push_back({.stage = one.stage, .first = one.ways, .second = other.ways});
      }
    }
  }
  return result;
}

/// What is known of the vectors of a role; of the first where no others have it.
const ArithmeticFinding& finding_of(const ArithmeticFinding& all, const std::string& role) {
  const auto found = std::ranges::find(all.others, role, &ArithmeticFinding::name);
  return found == all.others.end() ? all : *found;
}

/// What is to be compared with what: the tables and first vectors, and the vectors of each other role.
std::vector<std::pair<const ArithmeticFinding*, const ArithmeticFinding*>> counterparts(
    const ArithmeticFinding& first, const ArithmeticFinding& second) {
  std::vector<std::pair<const ArithmeticFinding*, const ArithmeticFinding*>> result{{&first, &second}};
  for (const auto& one : first.others) {
    result.emplace_back(&one, &finding_of(second, one.name));
  }
  return result;
}

/// Whether the members are one function of everything in the declared context.
bool are_one_function(const ArithmeticFinding& finding) {
  return std::ranges::all_of(finding.stages,
                             [](const StageFinding& stage) { return stage.is_settled() || stage.is_proven; });
}

/// The stages whose ways no asked input tells apart; empty where all are settled.
std::string untold_stages(const ArithmeticFinding& finding) {
  std::vector<std::string> untold;
  for (const auto& stage : finding.stages) {
    if (stage.ways.size() > 1 && !stage.telling) {
      untold.emplace_back(id_of(stage.stage));
    }
  }
  return untold.empty() ? std::string()
                        : fmt::format("; no asked input tells the ways of {} apart", joined(untold));
}

void require_alike(const StoredBits& first, const StoredBits& second) {
  if (first.tables.empty() != second.tables.empty() || first.vectors.empty() != second.vectors.empty()) {
    const auto kinds = [](const StoredBits& bits) {
      return bits.vectors.empty() ? "tables" : bits.tables.empty() ? "vectors" : "tables and vectors";
    };
    throw InputError("{}: found {}, expected {}, as {} has", second.name, kinds(second), kinds(first),
                     first.name);
  }
}

}  // namespace

ArithmeticComparison compared(const StoredBits& first, const ArithmeticFinding& of_first,
                              const StoredBits& second, const ArithmeticFinding& of_second) {
  require_alike(first, second);
  const auto tables = shared_of_tables(first, second);
  const auto vectors = shared_of_vectors(first, second, std::nullopt);
  ArithmeticComparison result{.shared = tables.compared + vectors.compared};
  const auto all = counterparts(of_first, of_second);
  const bool have_member = std::ranges::all_of(
      all, [](const auto& both) { return have_common_member(*both.first, *both.second); });
  if (tables.count + vectors.count == 0 &&
      (have_member || (result.shared != 0 && !of_first.predicts() && !of_second.predicts()))) {
    result.are_same = true;
    result.reason =
        have_member && are_one_function(of_first) && first.vectors.empty()
            ? fmt::format("at every position of the context of {}: what predicts both is one function there",
                          first.context)
        : have_member
            ? fmt::format("over the {} and {} numbers stored: one computation predicts them all",
                          of_first.elements, of_second.elements)
            : fmt::format("over the {} numbers that both store; no computation predicts them", result.shared);
    result.reason += untold_stages(of_first);
    return result;
  }
  for (const auto& [one, other] : all) {
    std::ranges::move(parted_stages(*one, *other), std::back_inserter(result.parts));
  }
  if (result.parts.empty()) {
    result.parts.emplace_back();
  }
  for (auto& part : result.parts) {
    const bool is_of_rotation = part.stage ? is_of_vectors(*part.stage) : first.tables.empty();
    const auto component = part.stage ? component_of(*part.stage) : std::nullopt;
    part.stored = component ? shared_of_vectors(first, second, component)
                  : (part.stage ? !is_of_rotation && tables.compared != 0 : tables.count != 0) ? tables
                                                                                               : vectors;
    if (!part.stored.nearest && of_first.predicts() && of_second.predicts()) {
      part.computed = smallest_parting(first, of_first.listed(1).front(), second, of_second.listed(1).front(),
                                       is_of_rotation && !first.vectors.empty());
    }
  }
  return result;
}

}  // namespace vernier
