#include <algorithm>
#include <bit>
#include <set>

#include "props/judging/interval_predicates.hpp"
#include "props/judging/specs.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/matrix/matrix.hpp"
#include "props/models/trig_code.hpp"
#include "props/models/value_code.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

ExactTable table_of(const std::string& spec) {
  return encoding_of(spec)->all<ExactTable>().front();
}

ExactTable normalised(std::int64_t length, const std::string& reading = "zero_to_one") {
  return table_of(std::string(R"({"scheme": "normalised", "length": )") + std::to_string(length) +
                  R"(, "reading": ")" + reading + R"("})");
}

ExactTable binary(int bits) {
  return table_of(std::string(R"({"scheme": "binary", "bits": )") + std::to_string(bits) + "}");
}

/// A row of binary digits read as a number, the most significant first.
std::string digits_of(const ExactTable& table, std::int64_t position) {
  std::string text;
  for (std::size_t column = 0; column < table.columns; ++column) {
    text += to_string(table.factor(position, column));
  }
  return text;
}

bool refuses(const std::string& spec) {
  try {
    encoding_of(spec);
  } catch (const InputError&) {
    return true;
  }
  return false;
}

bool refuses_position(const ExactTable& table, std::int64_t position) {
  try {
    table.require(position);
  } catch (const InputError&) {
    return true;
  }
  return false;
}

/// The table of 16 rows of binary digits.
void binary_label(Facts& facts) {
  const auto table = binary(4);
  bool right = true;
  for (std::int64_t t = 0; t < 16; ++t) {
    right &= std::stoll(digits_of(table, t), nullptr, 2) == t;
  }
  facts.add(right, "each of the 16 rows read as a binary number is its position");
  facts.add(digits_of(table, 10) == "1010" && digits_of(table, 2) != digits_of(table, 10),
            "the row after 9 is 1010, which is 10; 2 is 0010");
}

void bit_periods(Facts& facts) {
  const auto table = binary(4);
  bool periodic = true;
  for (std::size_t column = 0; column < 4; ++column) {
    const std::int64_t half = std::int64_t{1} << (3 - column);
    for (std::int64_t t = 0; t + half < 16; ++t) {
      // After half a period the digit is the other one; so it changes at multiples of half and nowhere else.
      periodic &= table.factor(t, column) == 1 - table.factor(t + half, column);
      periodic &= (t % half == half - 1) == (table.factor(t, column) != table.factor(t + 1, column));
    }
  }
  facts.add(periodic, "the digits change every 8, 4, 2 and 1 rows: exactly, in all 16 rows");
}

/// V_t = (t/C) f(t).
void scaled_by_position(Facts& facts) {
  const ValueCode code(table_of(R"({"scheme": "scaled_sinusoid", "d_model": 16, "divisor": 1000})"));
  const auto norm = [&](std::int64_t t) { return Interval(sqrt(code.code(t).squaredNorm())); };
  facts.add(rounds_to_decimal(norm(1), "0.00283") && rounds_to_decimal(norm(1000), "2.828") &&
                rounds_to_decimal(norm(10000), "28.28"),
            "d = 16, C = 1000: the norms at 1, 1000 and 10000 are 0.00283, 2.828 and 28.28: not bounded");
  const auto step = [&](std::int64_t t) {
    return Interval(sqrt((code.code(t + 1) - code.code(t)).squaredNorm()));
  };
  facts.add(
      rounds_to_decimal(step(0), "0.00283") && rounds_to_decimal(step(10), "0.0110") &&
          rounds_to_decimal(step(1000), "1.015") && rounds_to_decimal(step(5000), "5.07"),
      "steps from 0, 10, 1000 and 5000 have the lengths 0.00283, 0.0110, 1.015 and 5.07: not consistent");
  const auto row = std::ranges::find(matrix_rows(), std::string_view("scaled-sinusoid"), &MatrixRow::id);
  for (const auto* property : matrix_properties()) {
    if (property->id == "unique" || property->id == "linear-shift" || property->id == "bounded") {
      const auto cell = decide(*property, *row, options_from_environment());
      facts.add(cell.answer == (property->id == "unique" ? Answer::yes : Answer::no), "{}: {}, {}",
                property->model->column, name_of(cell.answer), cell.told);
    }
  }
}

void integer_unbounded(Facts& facts) {
  const auto table = table_of(R"({"scheme": "integer_index", "first_index": 1})");
  bool counts = true;
  bool grows = true;
  std::set<Rational> trained;
  for (std::int64_t t = 0; t < 512; ++t) {
    counts &= table.factor(t, 0) == t + 1;
    trained.insert(table.factor(t, 0));
  }
  for (std::int64_t length = 1; length <= 1 << 20; length *= 2) {
    grows &= table.factor(length - 1, 0) == length;
  }
  facts.add(counts, "the codes of the first 512 positions are 1 to 512");
  facts.add(grows, "the greatest code of a sequence is its length, for lengths up to 2^20");
  facts.add(!trained.contains(table.factor(512, 0)), "the 513th is none of the first 512");
}

void integer_defined(Facts& facts) {
  const auto table = table_of(R"({"scheme": "integer_index", "first_index": 1})");
  facts.add(table.defined(512) && table.defined(largest_position) && table.factor(512, 0) == 513,
            "beyond 512 trained positions the next has the code 513, and so on: defined for every position");
}

/// The step between neighbours, which is the same everywhere; nothing if it is not.
std::optional<Rational> step_of(const ExactTable& table) {
  Rational step = table.factor(1, 0) - table.factor(0, 0);
  for (std::int64_t t = 1; t <= *table.last_position; ++t) {
    if (table.factor(t, 0) - table.factor(t - 1, 0) != step) {
      return std::nullopt;
    }
  }
  return step;
}

void normalised_readings(Facts& facts) {
  facts.add(step_of(normalised(3, "zero_to_below_one")) == Rational(1, 3) &&
                step_of(normalised(3, "above_zero_to_one")) == Rational(1, 3),
            "read as t/L or (t + 1)/L, length 3 has steps of one third");
  facts.add(step_of(normalised(3)) == Rational(1, 2), "read as t/(L - 1) it has two steps of one half");
  facts.add(refuses(R"({"scheme": "normalised", "length": 1})"), "and length 1 has no code");
}

void normalised_step(Facts& facts) {
  bool as_said = true;
  for (const std::int64_t length : {3, 4, 10, 100}) {
    as_said &= step_of(normalised(length)) == Rational(1, length - 1);
  }
  facts.add(as_said, "the steps at lengths 3, 4, 10 and 100 are 1/2, 1/3, 1/9 and 1/99");
  facts.add(step_of(normalised(3, "zero_to_below_one")) != step_of(normalised(4, "zero_to_below_one")),
            "t/L has steps that depend on the length too");
}

void shorter_sequence(Facts& facts) {
  const auto shorter = *step_of(normalised(4));
  const auto longer = *step_of(normalised(100));
  facts.add(shorter > longer,
            "neighbours differ by {} at length 4 and by {} at length 100: by more, not less",
            to_string(shorter), to_string(longer));
}

void binary_discrete(Facts& facts) {
  const auto table = binary(8);
  bool whole = true;
  for (std::int64_t t = 0; t + 1 < 256; ++t) {
    bool changes = false;
    for (std::size_t column = 0; column < 8; ++column) {
      const Rational change = table.factor(t + 1, column) - table.factor(t, column);
      whole &= change == 0 || change == 1 || change == -1;
      changes |= change != 0;
    }
    whole &= changes;
  }
  facts.add(whole, "from each of 255 positions to the next, with 8 digits, at least one digit jumps by 1");
}

/// Neither is inferior in everything: the dense code moves evenly, the binary one keeps its distance.
void binary_against_dense(Facts& facts) {
  const ValueCode digits_code(binary(8));
  const TrigCode sinusoid(SinusoidalSpec{.d_model = 8}.table());
  const auto distance = [](const PositionModel& model, std::int64_t t, std::int64_t s) {
    return Interval(sqrt(Interval((model.code(t) - model.code(s)).squaredNorm())));
  };
  const Interval jump = distance(digits_code, 127, 128);
  const Interval step = distance(sinusoid, 127, 128);
  facts.add(rounds_to_decimal(jump, "2.83") && rounds_to_decimal(step, "0.964"),
            "from 127 to 128, with 8 elements, the binary code moves by {} and the sinusoid, as "
            "from every position to the next, by {}",
            digits(jump, 3), digits(step, 3));
  bool apart = true;
  for (std::int64_t t = 0; t < 256; ++t) {
    for (std::int64_t s = 0; s < t; ++s) {
      apart &= !certainly_less(distance(digits_code, t, s), enclose(std::int64_t{1}));
    }
  }
  const Interval nearest = distance(sinusoid, 0, 63);
  facts.add(apart && rounds_to_decimal(nearest, "0.645"),
            "no two of the 256 binary codes are nearer than 1; the sinusoid's of positions 63 "
            "apart are {} apart",
            digits(nearest, 3));
}

void binary_bounded(Facts& facts) {
  bool bounded = true;
  for (const int bits : {1, 3, 8}) {
    const auto table = binary(bits);
    for (std::int64_t t = 0; t <= *table.last_position; ++t) {
      for (std::size_t column = 0; column < table.columns; ++column) {
        const auto digit = table.factor(t, column);
        bounded &= digit == 0 || digit == 1;
      }
    }
  }
  facts.add(bounded, "every element is 0 or 1, for all positions of 1, 3 and 8 digits");
}

void three_bits(Facts& facts) {
  const auto table = binary(3);
  std::vector<std::string> rows;
  for (std::int64_t t = 0; t < 8; ++t) {
    rows.push_back(digits_of(table, t));
  }
  facts.add(std::set(rows.begin(), rows.end()).size() == 8, "the positions 0 to 7 are {}: all different",
            joined(rows));
  facts.add(refuses_position(table, 8), "there is no code for position 8");
}

void power_of_two_waves(Facts& facts) {
  Interval power = 1;
  for (int i = 0; i < 256; ++i) {
    power *= 2;
  }
  Interval unit = 1;
  for (int i = 0; i < 77; ++i) {
    unit *= 10;
  }
  facts.add(rounds_to_decimal(power / unit, "1.15792"), "2^256 = 1.15792 times 10^77");
}

/// The number of digits in which two numbers differ.
int hamming(std::int64_t a, std::int64_t b) {
  return std::popcount(static_cast<std::uint64_t>(a ^ b));
}

void hamming_distances(Facts& facts) {
  for (const auto& [bits, mean] :
       {std::pair{3, "1.5714"}, std::pair{4, "1.7333"}, std::pair{8, "1.9686"}, std::pair{10, "1.9902"}}) {
    const std::int64_t last = (std::int64_t{1} << bits) - 1;
    int least = bits;
    int greatest = 0;
    std::int64_t sum = 0;
    for (std::int64_t t = 0; t < last; ++t) {
      const int distance = hamming(t, t + 1);
      least = std::min(least, distance);
      greatest = std::max(greatest, distance);
      sum += distance;
    }
    facts.add(least == 1 && greatest == bits && rounds_to_decimal(enclose(Rational(sum, last)), mean),
              "{} digits: neighbours differ in 1 to {} digits, in {} on average", bits, bits, mean);
  }
  facts.add(hamming(7, 8) == 4 && hamming(0, 8) == 1, "7 and 8 differ in four digits, 0 and 8 in one");
  const auto table = binary(4);
  const auto squared_cosine = [&](std::int64_t a, std::int64_t b) {
    Rational product = 0;
    Rational norms[2] = {0, 0};
    for (std::size_t column = 0; column < 4; ++column) {
      product += table.factor(a, column) * table.factor(b, column);
      norms[0] += table.factor(a, column) * table.factor(a, column);
      norms[1] += table.factor(b, column) * table.factor(b, column);
    }
    return Rational(product * product / (norms[0] * norms[1]));
  };
  facts.add(squared_cosine(1, 2) == 0 && squared_cosine(2, 3) == Rational(1, 2) &&
                squared_cosine(6, 7) == Rational(2, 3) && squared_cosine(7, 8) == 0,
            "the cosines of (1, 2), (2, 3), (6, 7) and (7, 8) are 0, the roots of 1/2 and 2/3, and 0");
}

void three_tokens(Facts& facts) {
  const auto table = normalised(3);
  facts.add(table.factor(0, 0) == 0 && table.factor(1, 0) == Rational(1, 2) && table.factor(2, 0) == 1,
            "t/(L - 1) at L = 3 is 0, 1/2, 1");
}

void four_tokens(Facts& facts) {
  const auto table = normalised(4);
  facts.add(rounds_to_decimal(enclose(table.factor(1, 0)), "0.33") &&
                !rounds_to_decimal(enclose(table.factor(2, 0)), "0.69") &&
                rounds_to_decimal(enclose(table.factor(2, 0)), "0.67"),
            "t/(L - 1) at L = 4 is 0, {}, {}, 1: the third rounds to 0.67, not 0.69",
            to_string(table.factor(1, 0)), to_string(table.factor(2, 0)));
}

void learned(Facts& facts) {
  const auto table = table_of(R"({"scheme": "learned", "values": [[0.5, -1.25], [2, 0.75], [-0.25, 1.5]]})");
  facts.add(table.columns == 2 && table.last_position == 2 && table.factor(1, 0) == 2,
            "a table of three rows and two columns gives its rows to the positions 0, 1 and 2");
  facts.add(refuses_position(table, 3) && refuses_position(table, -1),
            "positions 3 and -1 are refused, not clamped");
}

}  // namespace

std::vector<Evidence> alternative_evidence() {
  return {
      {"alternatives/binary-label", binary_label},
      {"alternatives/bit-periods", bit_periods},
      {"alternatives/scaled-by-position", scaled_by_position},
      {"alternatives/integer-unbounded", integer_unbounded},
      {"alternatives/integer-defined", integer_defined},
      {"alternatives/normalised-readings", normalised_readings},
      {"alternatives/normalised-step", normalised_step},
      {"alternatives/shorter-sequence", shorter_sequence},
      {"alternatives/binary-discrete", binary_discrete},
      {"alternatives/binary-against-dense", binary_against_dense},
      {"alternatives/binary-bounded", binary_bounded},
      {"alternatives/three-bits", three_bits},
      {"alternatives/power-of-two", power_of_two_waves},
      {"alternatives/hamming", hamming_distances},
      {"alternatives/three-tokens", three_tokens},
      {"alternatives/four-tokens", four_tokens},
      {"alternatives/learned", learned},
  };
}

}  // namespace vernier
