#include "numerics/arithmetic/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "numerics/arithmetic/open_stages.hpp"
#include "numerics/arithmetic/rounding.hpp"
#include "numerics/arithmetic/search.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

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

/// Of the vectors that both store under one role. \param component 0 or 1; or both
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
  const auto have = [](const std::vector<ArithmeticWays>& all, const ArithmeticWays& one) {
    return std::ranges::find(all, one) != all.end();
  };
  const auto have_common_rotation = [&](const ArithmeticMember& a, const ArithmeticMember& b) {
    return a.y0.empty() || std::ranges::any_of(a.y0, [&](const ArithmeticWays& y0) {
             return have(b.y0, y0) && std::ranges::any_of(a.y1, [&](const ArithmeticWays& y1) {
                      return at(y0, ArithmeticStage::narrowing) == at(y1, ArithmeticStage::narrowing) &&
                             have(b.y1, y1);
                    });
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
      return std::any_of(from, to,
                         [&](const auto& other) { return have_common_rotation(member, *other.second); });
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
  const auto untold =
      mapped(filtered(finding.stages,
                      [](const StageFinding& stage) { return stage.ways.size() > 1 && !stage.telling; }),
             [](const StageFinding& stage) { return std::string(id_of(stage.stage)); });
  return untold.empty() ? std::string()
                        : fmt::format("; no asked input tells the ways of {} apart", joined(untold));
}

constexpr std::int64_t most_compared = std::int64_t{1} << 20;
constexpr std::uint64_t vectors_of_pair = 48;

Format format_of_tables(const StoredBits& bits, const ArithmeticWays& ways) {
  return bits.tables.empty() ? way_at<Format>(ways, ArithmeticStage::format) : bits.tables.front().format;
}

/// One computation, to be run at any position: a space of nothing else, or of nothing.
TableSpace space_of_one(const StoredBits& bits, ArithmeticWays ways) {
  at(ways, ArithmeticStage::format) = index_of(format_of_tables(bits, ways));
  TableSpace result(bits.frequencies, {bits.amplitude, {format_of_tables(bits, ways)}, true, true});
  result.keep_pinned(ways);
  return result;
}

/// What one computation makes of a component of a pair, to be run on any.
class OneRotation {
 public:
  OneRotation(const StoredBits& bits, const ArithmeticWays& ways)
      : space_(format_of_tables(bits, ways), bits.vectors.front().input, bits.vectors.front().output),
        sign_(bits.vectors.front().sign),
        which_(space_.taking(ways)) {}
  double operator()(std::size_t component, const TurnedPair& pair, const StoredSine& by) const {
    return space_.predicted(which_[component]._Find_first(), component, pair, sign_, by);
  }

 private:
  RotationSpace space_;
  double sign_;
  RotationSets which_;  ///< one of each
};

std::optional<PartingInput> parting_tables(TableSpace& one, TableSpace& other, std::int64_t context) {
  const auto pairs = std::min(one.pairs(), other.pairs());
  const auto last = std::min(context, most_compared / static_cast<std::int64_t>(pairs));
  Differences found;
  for (std::int64_t position = 0; position < last && !found.nearest; ++position) {
    one.go_to(position);
    other.go_to(position);
    for (std::size_t pair = 0; pair < pairs && !found.nearest; ++pair) {
      const auto a = one.element(one.left().front(), pair);
      const auto b = other.element(other.left().front(), pair);
      found.add({position, pair}, "cos", a.cosine, b.cosine);
      found.add({position, pair}, "sin", a.sine, b.sine);
    }
  }
  return found.nearest;
}

std::optional<PartingInput> parting_vectors(TableSpace& table, const StoredVectors& vectors,
                                            const OneRotation& one, const OneRotation& other,
                                            std::int64_t context) {
  const auto last =
      std::min(context, most_compared / static_cast<std::int64_t>(2 * vectors_of_pair * table.pairs()));
  Differences found;
  for (std::int64_t position = 0; position < last && !found.nearest; ++position) {
    table.go_to(position);
    for (std::size_t pair = 0; pair < table.pairs() && !found.nearest; ++pair) {
      const auto by = table.element(table.left().front(), pair);
      for (std::uint64_t number = 0; number < vectors_of_pair && !found.nearest; ++number) {
        const auto made = designed_input(number, vectors.input, vectors.output, by, vectors.sign);
        for (std::size_t component = 0; component < 2; ++component) {
          const auto of = made_for(component, made);
          found.add({position, pair, of.x0, of.x1}, component == 0 ? "y0" : "y1", one(component, of, by),
                    other(component, of, by));
        }
      }
    }
  }
  return found.nearest;
}

/// The smallest input at which a computation of one program and one of another part, whether anybody stored
/// it or not: the nearest position, then the first pair, then the first vector of designed_input().
/// \param is_of_vectors whether rotations are asked, by the table that the first makes or stores
/// \return nothing if none of a million predictions parts
std::optional<PartingInput> smallest_parting(const StoredBits& first, const ArithmeticWays& of_first,
                                             const StoredBits& second, const ArithmeticWays& of_second,
                                             bool is_of_vectors) {
  auto one = space_of_one(first, of_first);
  auto other = space_of_one(second, of_second);
  if (one.left().empty() || other.left().empty()) {
    return std::nullopt;
  }
  const auto context = std::min(first.context, second.context);
  return is_of_vectors ? parting_vectors(one, first.vectors.front(), OneRotation(first, of_first),
                                         OneRotation(second, of_second), context)
                       : parting_tables(one, other, context);
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
    const bool is_of_vectors = part.stage ? is_of_rotation(*part.stage) : first.tables.empty();
    const auto component = part.stage ? component_of(*part.stage) : std::nullopt;
    part.stored = component ? shared_of_vectors(first, second, component)
                  : (part.stage ? !is_of_vectors && tables.compared != 0 : tables.count != 0) ? tables
                                                                                              : vectors;
    if (!part.stored.nearest && of_first.predicts() && of_second.predicts()) {
      part.computed = smallest_parting(first, of_first.listed(1).front(), second, of_second.listed(1).front(),
                                       is_of_vectors && !first.vectors.empty());
    }
  }
  return result;
}

}  // namespace vernier
