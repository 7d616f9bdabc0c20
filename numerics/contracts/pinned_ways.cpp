#include "numerics/arithmetic/pinned_ways.hpp"

#include <algorithm>

#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// The index of a word among rows. \throws InputError that lists them
template <class Rows, class Id>
std::int8_t index_among(const Rows& rows, const Id& id, std::string_view word, std::string_view what) {
  const auto found = std::ranges::find(rows, word, id);
  if (found == std::ranges::end(rows)) {
    throw InputError("--contract: {}: found \"{}\", expected {}", what, word, joined(rows, id, " or "));
  }
  return static_cast<std::int8_t>(found - std::ranges::begin(rows));
}

PinnedWay pinned_way(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) {
    throw InputError("--contract: found \"{}\", expected STAGE=WAY", word);
  }
  std::vector<ArithmeticStage> stages;
  for (std::size_t i = 0; i < arithmetic_stages; ++i) {
    stages.push_back(static_cast<ArithmeticStage>(i));
  }
  const auto name = word.substr(0, equals);
  const auto stage = stages[static_cast<std::size_t>(index_among(stages, id_of, name, "stage"))];
  const auto ways = ways_of(stage);
  return {stage, index_among(std::vector(ways.begin(), ways.end()), &ArithmeticWay::id,
                             word.substr(equals + 1), name)};
}

bool takes(const ArithmeticWays& one, const std::vector<PinnedWay>& pinned) {
  return std::ranges::all_of(pinned, [&](const PinnedWay& of) {
    return at(one, of.stage) == not_there || at(one, of.stage) == of.way;
  });
}

}  // namespace

std::vector<PinnedWay> pinned_ways(std::string_view text) {
  std::vector<PinnedWay> result;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    result.push_back(pinned_way(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return result;
}

bool keeps(const ArithmeticFinding& finding, const std::vector<PinnedWay>& pinned) {
  const bool are_all_there = std::ranges::all_of(pinned, [&](const PinnedWay& of) {
    return std::ranges::find(finding.stages, of.stage, &StageFinding::stage) != finding.stages.end();
  });
  return are_all_there && std::ranges::any_of(finding.members, [&](const ArithmeticMember& member) {
           const auto takes_table = [&](const ArithmeticWays& table) { return takes(table, pinned); };
           const auto rotates = [&](const ComponentRotation& first) {
             return takes(with_rotation(no_arithmetic, 0, first), pinned) &&
                    std::ranges::any_of(member.y1, [&](const ComponentRotation& second) {
                      return second.narrowing == first.narrowing &&
                             takes(with_rotation(no_arithmetic, 1, second), pinned);
                    });
           };
           return std::ranges::any_of(member.tables, takes_table) &&
                  ((member.y0.empty() && member.y1.empty()) || std::ranges::any_of(member.y0, rotates));
         });
}

}  // namespace vernier
