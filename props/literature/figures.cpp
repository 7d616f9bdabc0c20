// What the plots of the encoding show: curves over the index of the pair, the heat map, and how much each
// column varies.

#include <algorithm>
#include <string>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

constexpr std::int64_t paper_width = 512;
constexpr std::int64_t positions_studied = 100;

/// The values of each column at positions 0 to 99.
std::vector<std::vector<Interval>> columns_of_heat_map() {
  CertifiedTable table(paper_table(), positions_studied);
  std::vector<Enclosure> row(table.columns());
  std::vector<std::vector<Interval>> columns(table.columns());
  for (std::int64_t position = 0; position < positions_studied; ++position) {
    table.row(position, row);
    for (std::size_t column = 0; column < row.size(); ++column) {
      columns[column].push_back(interval_of(row[column]));
    }
  }
  return columns;
}

/// n^(2x/d) as the listings raise it, from the exponential: another way than the reference takes.
Interval denominator(std::int64_t x) {
  return exp(enclose(Rational(2 * x, paper_width)) * log(enclose(std::int64_t{10000})));
}

Interval larger(const Interval& a, const Interval& b) {
  if (certainly_less(a, b)) {
    return b;
  }
  return certainly_less(b, a) ? a : hull(a, b);
}

Interval range_of(const std::vector<Interval>& column) {
  Interval greatest = column.front();
  Interval least_negated = -column.front();
  for (const auto& value : column) {
    greatest = larger(greatest, value);
    least_negated = larger(least_negated, -value);
  }
  return greatest + least_negated;
}

Interval total_variation(const std::vector<Interval>& column) {
  Interval sum = 0;
  for (std::size_t t = 1; t < column.size(); ++t) {
    sum += abs(column[t] - column[t - 1]);
  }
  return sum;
}

/// "The low dimensions vary strongly, the high ones hardly; all values lie in [-1, 1]."
void variation(Facts& facts) {
  const auto columns = columns_of_heat_map();
  bool falls = true;
  Interval before = total_variation(columns[0]);
  for (std::size_t column = 2; column < columns.size(); column += 2) {
    const Interval here = total_variation(columns[column]);
    falls &= certainly_less(here, before);
    before = here;
  }
  facts.add(falls,
            "d = 512, positions 0 to 99: the variation of the sine columns, summed over "
            "the positions, falls from each pair to the next, from {} to {}",
            digits(total_variation(columns[0]), 4), digits(before, 4));
  std::vector<Interval> ranges;
  std::ranges::transform(columns, std::back_inserter(ranges), range_of);
  facts.add(rounds_to_decimal(ranges[0], "1.9999") && rounds_to_decimal(ranges[1], "2.0") &&
                rounds_to_decimal(ranges[2], "1.9906") && rounds_to_decimal(ranges[3], "1.9977"),
            "the first four columns range over 1.9999, 2.0, 1.9906 and 1.9977");
  facts.add(rounds_to_decimal(ranges[508], "0.010638") && rounds_to_decimal(ranges[509], "0.0000566") &&
                rounds_to_decimal(ranges[510], "0.010262") && rounds_to_decimal(ranges[511], "0.0000527"),
            "the last four over 0.010638, 0.0000566, 0.010262 and 0.0000527");
  const auto narrow = [](const Interval& range) { return certainly_less(range, enclose(0.1)); };
  const auto first = std::ranges::find_if(ranges, narrow) - ranges.begin();
  facts.add(std::ranges::count_if(ranges, narrow) == 170 && first == 301,
            "170 of the 512 columns range over less than 0.1, the first of them column 301");
}

/// sin(k / n^(2x/d)) against x = 0 to 99.
void curves(Facts& facts) {
  const auto table = paper_table();
  for (const std::int64_t k : {0, 4, 8, 12}) {
    bool same = true;
    for (std::int64_t x = 0; x < 100; ++x) {
      const Interval plotted = sin(enclose(k) / denominator(x));
      const Interval entry = table.entry(k, static_cast<std::size_t>(2 * x))();
      same &= contains_zero(plotted - entry) && radius(Interval(plotted - entry)) < 0x1p-100;
    }
    facts.add(same,
              "k = {}: the 100 values are those of the sine columns 0 to 198 of position k, to 2^-100{}", k,
              k == 0 ? ", all 0" : "");
  }
  facts.add(table.entry(0, 198)() == 0 && table.frequencies.pairs() == 256,
            "x = 0 to 99 are indices of pairs, of which there are 256");
}

/// The same with x = 0 to 511.
void curves_range(Facts& facts) {
  const auto frequencies = paper_table().frequencies;
  facts.add(frequencies.pairs() == 256 && contains_zero(frequencies.at(255) * denominator(255) - 1),
            "the encoding of width 512 has the pairs 0 to 255, and the plot is right there");
  facts.add(rounds_to_decimal(Interval(1000 * frequencies.at(255)), "0.103663"),
            "its least frequency is 0.000103663");
  facts.add(rounds_to_decimal(Interval(100000000 / denominator(511)), "1.0366") &&
                certainly_less(1 / denominator(256), frequencies.at(255)),
            "from x = 256 on the frequencies plotted are less, down to 1.0366e-8 at x = 511, with the "
            "exponent 1022/512 = {}",
            digits(enclose(Rational(1022, 512)), 6));
}

void heat_map(Facts& facts) {
  const auto columns = columns_of_heat_map();
  bool shaped = columns.size() == 512;
  bool same = true;
  bool bounded = true;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    shaped &= columns[column].size() == 100;
    const Interval over = denominator(static_cast<std::int64_t>(column / 2));
    for (std::size_t t = 0; t < columns[column].size(); ++t) {
      const Interval phase = enclose(static_cast<std::int64_t>(t)) / over;
      const Interval plotted = column % 2 == 0 ? Interval(sin(phase)) : Interval(cos(phase));
      same &= contains_zero(plotted - columns[column][t]);
      bounded &= greatest_magnitude(columns[column][t]) <= 1 + 0x1p-52;
    }
  }
  facts.add(shaped && same,
            "the 100 x 512 values that the listing computes are the encoding's, within enclosures of both");
  facts.add(bounded, "and lie in [-1, 1], to 2^-52");
}

}  // namespace

std::vector<Evidence> figure_evidence() {
  return {
      {"figures/total-variation", variation},
      {"figures/curves", curves},
      {"figures/curves-range", curves_range},
      {"figures/heat-map", heat_map},
  };
}

}  // namespace vernier
