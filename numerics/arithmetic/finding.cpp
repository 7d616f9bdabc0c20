#include "numerics/arithmetic/finding.hpp"

#include <algorithm>

namespace vernier {
namespace {

/// Calls `visit` with every pair of rotations that round the table in one way. \return whether all were seen
template <class Visit>
bool for_each_rotation(const ArithmeticMember& member, const Visit& visit) {
  if (member.y0.empty() && member.y1.empty()) {
    constexpr const ComponentRotation* none = nullptr;
    return visit(none, none);
  }
  for (const auto& first : member.y0) {
    for (const auto& second : member.y1) {
      if (first.narrowing == second.narrowing && !visit(&first, &second)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

ArithmeticWays combined(ArithmeticWays table, const ComponentRotation* y0, const ComponentRotation* y1) {
  if (y0 != nullptr) {
    at(table, ArithmeticStage::narrowing) = index_of(y0->narrowing);
    at(table, ArithmeticStage::products_0) = y0->products();
    at(table, ArithmeticStage::store_0) = index_of(y0->mode);
  }
  if (y1 != nullptr) {
    at(table, ArithmeticStage::narrowing) = index_of(y1->narrowing);
    at(table, ArithmeticStage::products_1) = y1->products();
    at(table, ArithmeticStage::store_1) = index_of(y1->mode);
  }
  return table;
}

std::size_t ArithmeticFinding::count() const {
  std::size_t result = 0;
  for (const auto& member : members) {
    std::size_t rotations = 0;
    for_each_rotation(member, [&](auto*, auto*) { return ++rotations > 0; });
    result += member.tables.size() * rotations;
  }
  return result;
}

std::vector<ArithmeticWays> ArithmeticFinding::listed(std::size_t most) const {
  std::vector<ArithmeticWays> result;
  for (const auto& member : members) {
    for (const auto& table : member.tables) {
      const bool has_room = for_each_rotation(member, [&](auto* first, auto* second) {
        result.push_back(combined(table, first, second));
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
    for_each_rotation(member, [&](auto* first, auto* second) {
      take(combined(no_arithmetic, first, second));
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
