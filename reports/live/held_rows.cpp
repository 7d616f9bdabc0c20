#include "reports/live/held_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/core.h>

#include "numerics/implementations/rows.hpp"

namespace vernier {
namespace {

/// Of fewer rows, as use/lengths asks for them, several rules hold at once.
constexpr std::size_t least_rows_of_rule = 4;

struct Rule {
  std::string words;
  std::int64_t first;  ///< the position of row 0
  std::int64_t step;   ///< from row to row

  std::int64_t held(std::size_t row) const { return first + static_cast<std::int64_t>(row) * step; }
};

}  // namespace

std::string rule_of_held_rows(const Request& whole, const Response& whole_answer, const Request& request,
                              const Response& answer) {
  if (request.input || !rows_stand_alone(request) || rows_of(request) < least_rows_of_rule) {
    return "";
  }
  const auto asked = integers_of(request.positions);
  const auto first = *whole.positions.integer(0);
  const auto one = static_cast<std::int64_t>(1 / position_unit_of(request));
  const std::vector<Rule> rules{
      {fmt::format("positions are not read: row r holds position {}",
                   first == 0 ? "r" : position_text(request, first) + " + r"),
       first, one},
      {"rows count on from the first position, whatever else is asked for", asked.front(), one},
      {"all rows hold the first position that is asked for", asked.front(), 0},
      {"all rows hold the last position that is asked for", asked.back(), 0}};
  const auto has_row_of = [&](std::size_t row, std::size_t place) {
    return std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
      return std::ranges::equal(row_bytes(answer.tensors.find(wanted.role)->second, row),
                                row_bytes(whole_answer.tensors.find(wanted.role)->second, place));
    });
  };
  const auto is_obeyed = [&](const Rule& rule) {
    std::size_t told_apart = 0;
    for (std::size_t row = 0; row < asked.size(); ++row) {
      const auto place = row_at(whole, rule.held(row));
      if (!place) {
        continue;
      }
      if (!has_row_of(row, *place)) {
        return false;
      }
      const auto own = row_at(whole, asked[row]);
      told_apart += own && has_row_of(row, *own) ? 0 : 1;
    }
    return told_apart >= least_rows_of_rule;
  };
  const auto obeyed = std::ranges::find_if(rules, is_obeyed);
  return obeyed == rules.end() ? "" : obeyed->words;
}

}  // namespace vernier
