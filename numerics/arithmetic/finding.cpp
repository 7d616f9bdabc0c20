#include "numerics/arithmetic/finding.hpp"

#include <cstdlib>
#include <map>
#include <set>

#include "numerics/arithmetic/rounding.hpp"

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
    for (const auto& second : member.y1) {
      if (at(first, ArithmeticStage::narrowing) == at(second, ArithmeticStage::narrowing) &&
          !visit(joined_ways(ways, joined_ways(first, second)))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

void Differences::add(const TellingInput& input, std::string_view component, double first, double second) {
  ++compared;
  if (same_bits(first, second)) {
    return;
  }
  const double difference = std::fabs(first - second);
  greatest = std::isnan(difference) ? infinity : std::max(greatest, difference);
  if (count++ == 0) {
    positions = {input.position, input.position};
  }
  positions.include({input.position, input.position});
  ++by_pair[input.pair];
  const auto place = [](const TellingInput& of) { return std::pair(std::llabs(of.position), of.pair); };
  if (!nearest || place(input) < place(nearest->input)) {
    nearest = {input, std::string(component), first, second};
  }
}

ClosedRange Differences::pairs() const {
  return by_pair.empty() ? ClosedRange()
                         : ClosedRange{static_cast<std::int64_t>(by_pair.begin()->first),
                                       static_cast<std::int64_t>(by_pair.rbegin()->first)};
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
  std::map<ArithmeticStage, std::set<std::int8_t>> ways;
  const auto take = [&](const ArithmeticWays& one) {
    for (const auto stage : all_arithmetic_stages) {
      if (at(one, stage) != not_there) {
        ways[stage].insert(at(one, stage));
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
  for (const auto& [stage, found] : ways) {
    result.push_back({stage, {found.begin(), found.end()}, {}});
  }
  return result;
}

}  // namespace vernier
