// Worked examples: "I am a robot" with n = 100 and d = 4, and the number of pairs at d = 512.

#include <array>
#include <string>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// Base 100, four dimensions.
TrigTable robot_code() {
  return SinusoidalSpec{.d_model = 4, .base = 100}.table();
}

Interval entry(std::int64_t position, std::size_t column) {
  return robot_code().entry(position, column)();
}

/// The table as printed, to eight decimals.
void robot_table(Facts& facts) {
  const auto printed = facts.figure_rows();
  for (std::size_t position = 0; position < printed.size(); ++position) {
    bool as_printed = true;
    for (std::size_t column = 0; column < 4; ++column) {
      as_printed &=
          rounds_to_decimal(entry(static_cast<std::int64_t>(position), column), printed[position][column]);
    }
    facts.add(as_printed, "row {} rounds to the four numbers printed", position);
  }
  facts.add(robot_code().columns.size() == 4,
            "they are made from position, column, base and width alone: no word enters, and all phrases of "
            "four words share them");
}

void robot_entries(Facts& facts) {
  facts.add(contains(robot_code().frequencies.at(1), Rational(1, 10)), "3/100^(2/4) is 3/10");
  facts.add(rounds_to_decimal(entry(3, 2), "0.2955") && rounds_to_decimal(entry(3, 3), "0.9553"),
            "its sine is {}, its cosine {}, which round to 0.2955 and 0.9553", digits(entry(3, 2), 10),
            digits(entry(3, 3), 10));
}

/// "The third and fourth dimension of the k-th word, k = 3."
void ordinals(Facts& facts) {
  facts.add(rounds_to_decimal(entry(3, 2), "0.2955") && rounds_to_decimal(entry(3, 3), "0.9553") &&
                robot_code().columns.size() == 4,
            "counted from 0 as the formula does, the values stand in the columns 2 and 3 of 4, the third and "
            "fourth counted from 1");
  facts.add(rounds_to_decimal(entry(2, 2), "0.1987") && rounds_to_decimal(entry(2, 3), "0.9801"),
            "of the third word, k = 2, they are 0.1987 and 0.9801; k = 3 is the fourth");
}

void pairs(Facts& facts) {
  const SinusoidalSpec spec{.d_model = 512};
  const auto columns = spec.columns();
  facts.add(spec.frequencies().pairs == 256, "d = 512 has 256 frequencies");
  std::array<int, 256> sines{};
  std::array<int, 256> cosines{};
  for (const auto& column : columns) {
    auto& counted = column.component == Component::sine ? sines : cosines;
    ++counted.at(static_cast<std::size_t>(column.pair));
  }
  std::array<int, 256> once{};
  once.fill(1);
  facts.add(columns.size() == 512 && sines == once && cosines == once,
            "each with one column of sines and one of cosines");
}

}  // namespace

std::vector<Evidence> example_evidence() {
  return {
      {"examples/robot-table", robot_table},
      {"examples/robot-entries", robot_entries},
      {"examples/ordinals", ordinals},
      {"examples/pairs", pairs},
  };
}

}  // namespace vernier
