#include "reports/live/held_rows.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "numerics/implementations/rows.hpp"

namespace vernier {
namespace {

using Positions = std::vector<std::int64_t>;

/// What fewer rows obey may be chance.
constexpr std::size_t least_rows = 4;

struct Rule {
  std::string words;
  Positions held;  ///< of each row the position that it then holds
};

Positions counted_from(std::int64_t first, std::size_t count) {
  Positions positions(count);
  std::ranges::generate(positions, [&first] { return first++; });
  return positions;
}

/// \param first the position that implementations may count from
std::vector<Rule> rules_for(const Positions& asked, std::int64_t first) {
  const auto rows = asked.size();
  auto sorted = asked;
  std::ranges::sort(sorted);
  return {{first == 0 ? "positions are not read: row r holds position r"
                      : fmt::format("positions are not read: row r holds position {} + r", first),
           counted_from(first, rows)},
          {"rows count on from the first position, whatever else is asked for",
           counted_from(asked.front(), rows)},
          {"rows hold the positions that are asked for, sorted", std::move(sorted)},
          {"rows hold the positions that are asked for, the last one first", {asked.rbegin(), asked.rend()}},
          {"all rows hold the first position that is asked for", Positions(rows, asked.front())},
          {"all rows hold the last position that is asked for", Positions(rows, asked.back())}};
}

}  // namespace

std::string rule_of_held_rows(const Request& whole, const Response& whole_answer, const Request& request,
                              const Response& answer) {
  if (request.input || !rows_stand_alone(request) || rows_of(request) < least_rows) {
    return "";
  }
  std::unordered_map<std::int64_t, std::size_t> places;
  for (std::size_t row = 0; row < rows_of(whole); ++row) {
    places.emplace(*whole.positions.integer(row), row);
  }
  const auto has_row_of = [&](std::size_t row, std::size_t place) {
    return std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
      return std::ranges::equal(row_bytes(answer.tensors.find(wanted.role)->second, row),
                                row_bytes(whole_answer.tensors.find(wanted.role)->second, place));
    });
  };
  const auto asked = integers_of(request.positions);
  const auto is_obeyed = [&](const Rule& rule) {
    std::size_t told_apart = 0;
    for (std::size_t row = 0; row < asked.size(); ++row) {
      const auto place = places.find(rule.held[row]);
      if (place == places.end()) {
        continue;
      }
      if (!has_row_of(row, place->second)) {
        return false;
      }
      const auto own = places.find(asked[row]);
      told_apart += own == places.end() || !has_row_of(row, own->second) ? 1 : 0;
    }
    return told_apart >= least_rows;
  };
  const auto rules = rules_for(asked, *whole.positions.integer(0));
  const auto obeyed = std::ranges::find_if(rules, is_obeyed);
  return obeyed == rules.end() ? "" : obeyed->words;
}

}  // namespace vernier
