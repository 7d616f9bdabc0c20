#include "numerics/arithmetic/finding.hpp"

#include <set>

namespace vernier {
namespace {

/// Calls `visit` with the ways and those of every pair of rotations that round the table in one way.
/// \return whether all were seen
template <class Visit>
bool for_each_rotation(const ArithmeticMember& member, const ArithmeticWays& ways, const Visit& visit) {
  if (member.y0.empty() && member.y1.empty()) {
    return visit(ways);
  }
  for (const auto& first : member.y0) {
    const auto with_first = with_rotation(ways, 0, first);
    for (const auto& second : member.y1) {
      if (first.narrowing == second.narrowing && !visit(with_rotation(with_first, 1, second))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

ArithmeticWays with_rotation(ArithmeticWays ways, int component, const ComponentRotation& rotation) {
  const bool is_first = component == 0;
  at(ways, ArithmeticStage::narrowing) = index_of(rotation.narrowing);
  at(ways, is_first ? ArithmeticStage::products_0 : ArithmeticStage::products_1) = rotation.products();
  at(ways, is_first ? ArithmeticStage::store_0 : ArithmeticStage::store_1) = index_of(rotation.mode);
  return ways;
}

std::size_t ArithmeticFinding::count() const {
  std::size_t result = 0;
  for (const auto& member : members) {
    std::size_t rotations = 0;
    for_each_rotation(member, no_arithmetic, [&](const ArithmeticWays&) { return ++rotations > 0; });
    result += member.tables.size() * rotations;
  }
  return result;
}

std::vector<ArithmeticWays> ArithmeticFinding::listed(std::size_t most) const {
  std::vector<ArithmeticWays> result;
  for (const auto& member : members) {
    for (const auto& table : member.tables) {
      const bool has_room = for_each_rotation(member, table, [&](const ArithmeticWays& one) {
        result.push_back(one);
        return result.size() < most;
      });
      if (!has_room) {
        return result;
      }
    }
  }
  return result;
}

std::vector<StageFinding> projected(const std::vector<ArithmeticMember>& members) {
  std::array<std::set<std::int8_t>, arithmetic_stages> ways;
  const auto take = [&](const ArithmeticWays& one) {
    for (std::size_t i = 0; i < arithmetic_stages; ++i) {
      if (one[i] != not_there) {
        ways[i].insert(one[i]);
      }
    }
  };
  for (const auto& member : members) {
    for (const auto& table : member.tables) {
      take(table);
    }
    for_each_rotation(member, no_arithmetic, [&](const ArithmeticWays& one) {
      take(one);
      return true;
    });
  }
  std::vector<StageFinding> result;
  for (std::size_t i = 0; i < arithmetic_stages; ++i) {
    if (!ways[i].empty()) {
      result.push_back({static_cast<ArithmeticStage>(i), {ways[i].begin(), ways[i].end()}, {}});
    }
  }
  return result;
}

}  // namespace vernier
