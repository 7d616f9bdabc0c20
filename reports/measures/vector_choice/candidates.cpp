#include "reports/measures/vector_choice/candidates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "reference/ladder/certified_table.hpp"
#include "reports/exchange/vectors/row_flags.hpp"

namespace vernier {
namespace {

constexpr std::int64_t first_candidate_rows = 24;
constexpr std::int64_t spread_row_count = 64;
/// Of each kind of element that rows are wanted for.
constexpr std::size_t rows_of_a_kind = 6;
constexpr std::array<std::int64_t, 3> far_positions{4097, 131071, 1048575};

/// How much an element is wanted: less than another's, more than it; not at all if infinite.
using Measure = std::function<double(double value)>;

Measure near_midpoint(Format format) {
  return [format](double value) { return off_midpoint(format, value); };
}

double magnitude(double value) {
  return value == 0 ? HUGE_VAL : std::fabs(value);
}

double subnormal(double value) {
  return is_subnormal_float16(value) ? -std::fabs(value) : HUGE_VAL;
}

void add_extreme_rows(const TrigTable& table, const PositionRange& context, std::set<std::int64_t>& into) {
  const std::array<Measure, 5> measures{magnitude, near_midpoint(Format::binary32),
                                        near_midpoint(Format::binary16), near_midpoint(Format::bfloat16),
                                        subnormal};
  std::array<std::vector<std::pair<double, std::int64_t>>, 5> measured;
  CertifiedTable certified(table, context.count);
  std::vector<Enclosure> row(certified.columns());
  for (std::int64_t i = 0; i < context.count; ++i) {
    certified.row(table.positions.place(context.at(i)), row);
    for (std::size_t m = 0; m < measures.size(); ++m) {
      double least = HUGE_VAL;
      for (const auto& element : row) {
        least = std::min(least, measures[m](element.approximately()));
      }
      if (least < HUGE_VAL) {
        measured[m].emplace_back(least, context.at(i));
      }
    }
  }
  for (auto& one : measured) {
    std::ranges::sort(one);
    for (std::size_t i = 0; i < std::min(rows_of_a_kind, one.size()); ++i) {
      into.insert(one[i].second);
    }
  }
}

}  // namespace

std::vector<std::int64_t> candidate_positions(const VectorGroup& group) {
  const auto encoding = group.encoding();
  const auto context = group.context(*encoding);
  const auto [least, greatest] = std::minmax({context.first, context.at(context.count - 1)});
  std::set<std::int64_t> result;
  const auto add = [&, least = least, greatest = greatest](std::int64_t position) {
    if (position >= least && position <= greatest) {
      result.insert(position);
    }
  };
  for (std::int64_t i = 0; i < first_candidate_rows; ++i) {
    add(least + i);
    add(i);
  }
  for (std::int64_t power = 16; power <= context.count; power *= 2) {
    for (const auto sign : {-1, 1}) {
      for (const auto beside : {-1, 0, 1}) {
        add(sign * power + beside);
      }
    }
  }
  for (std::int64_t i = 1; i <= spread_row_count; ++i) {
    const double share = static_cast<double>(i) / spread_row_count;
    const auto distance = std::llround(std::pow(static_cast<double>(context.count), share)) - 1;
    add(least + distance);
    add(greatest - distance);
  }
  for (const auto& table : encoding->plain_tables()) {
    add_extreme_rows(table, context, result);
  }
  if (encoding->has_plain_tables() && !encoding->sequence_length()) {
    result.insert(far_positions.begin(), far_positions.end());
  }
  return {result.begin(), result.end()};
}

}  // namespace vernier
