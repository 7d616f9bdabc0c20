// What the encoding is: its elements, its wavelengths, and what it is added to.

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

#include "props/judging/interval_predicates.hpp"
#include "props/judging/specs.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/matrix/matrix.hpp"
#include "props/models/judging.hpp"
#include "props/models/trig_code.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// One entry, from the formula.
Interval entry(const TrigTable& table, std::int64_t position, std::size_t column) {
  return table.entry(position, column)();
}

/// The values that introductions print.
void sinusoid_definition(Facts& facts) {
  const auto table = paper_table(512);
  facts.add(contains(table.frequencies.at(0), 1), "the first frequency is 1");
  for (const auto& [column, value] : facts.figures<std::size_t, std::string>()) {
    facts.add(rounds_to_decimal(entry(table, 1, column), value), "d = 512: PE(1, {}) = {}", column, value);
  }
  facts.add(rounds_to_decimal(entry(paper_table(4, 100), 3, 2), "0.29552020666") &&
                rounds_to_decimal(entry(paper_table(4, 100), 3, 3), "0.95533648913"),
            "d = 4, base 100: PE(3, 2) = 0.29552020666 and PE(3, 3) = 0.95533648913");
  add_law(facts, "sinusoidal/accuracy");
}

void bounded(Facts& facts) {
  add_law(facts, "sinusoidal/bounded");
}

/// "k is the index of the dimension."
void pair_index(Facts& facts) {
  const auto table = paper_table(8);
  const Interval third = entry(table, 1, 2);
  const Interval by_pair = sin(table.frequencies.at(1));
  const Interval by_dimension = sin(table.frequencies.at(2));
  facts.add(certainly_different(third, by_dimension),
            "d = 8: with the dimension's index as k, PE(1, 2) would be {}", digits(by_dimension, 6));
  facts.add(contains_zero(third - by_pair), "with the pair's index, floor(i/2) = 1, it is {}",
            digits(third, 6));
}

/// The pairs of d columns are 0 .. floor((d - 1)/2).
void index_range(Facts& facts) {
  bool as_said = true;
  bool attained_only_if_odd = true;
  for (int d = 1; d <= 512; ++d) {
    std::set<int> pairs;
    for (const auto& column : paper_table(d).columns) {
      pairs.insert(column.pair);
    }
    as_said &= *pairs.begin() == 0 && *pairs.rbegin() == (d - 1) / 2 &&
               static_cast<int>(pairs.size()) == (d - 1) / 2 + 1;
    attained_only_if_odd &= (2 * *pairs.rbegin() == d - 1) == (d % 2 == 1);
  }
  facts.add(as_said, "for every d from 1 to 512 the pairs are 0 to floor((d - 1)/2)");
  facts.add(attained_only_if_odd, "(d - 1)/2 itself is reached exactly for odd d");
}

/// d/2 pairs: an odd width leaves one column without a partner.
void odd_width(Facts& facts) {
  add_law(facts, "sinusoidal/constant-norm");
  const TrigCode code(paper_table(7));
  facts.add(rounds_to_decimal(code.score(0, 0), "3") && rounds_to_decimal(code.score(5000, 5000), "3.9166"),
            "d = 7: the squared norm is 3 at position 0 and 3.9166 at 5000");
  facts.add(
      rounds_to_decimal(code.score(0, 3), "0.98667") && rounds_to_decimal(code.score(5000, 5003), "1.90294"),
      "d = 7: products at offset 3 are 0.98667 from position 0 and 1.90294 from 5000");
}

/// What is added to an embedding must be as wide as it.
void addition(Facts& facts) {
  bool as_wide = true;
  for (int d = 1; d <= 1024; ++d) {
    as_wide &= paper_table(d).columns.size() == static_cast<std::size_t>(d);
  }
  facts.add(as_wide, "for every d from 1 to 1024 the code has d elements, to be added to the embedding's d");
}

/// Defined and bounded at any position; a table made in advance ends.
void beyond_training(Facts& facts) {
  const TrigCode code(paper_table(64));
  bool bounded = true;
  for (const auto position : {std::int64_t{5001}, std::int64_t{1} << 20, largest_position}) {
    const auto row = code.code(position);
    for (Eigen::Index c = 0; c < row.size(); ++c) {
      bounded &= greatest_magnitude(row(c)) <= 1;
    }
  }
  facts.add(bounded, "the formula gives a code for the positions 5001, 2^20 and 2^31 too, bounded by 1");
  const auto made_in_advance =
      encoding_of(R"({"scheme": "learned", "values": [[0, 1], [0.841, 0.54], [0.909, -0.416]]})")
          ->all<ExactTable>()
          .front();
  facts.add(made_in_advance.defined(2) && !made_in_advance.defined(3),
            "a table of three rows made in advance has none for position 3");
}

/// The same bits, however they are computed.
void deterministic(Facts& facts) {
  const auto bits = [](const LadderOptions& options) {
    const RoundedTable table(paper_table(128), {0, 1, 4096}, Format::binary32, options);
    std::vector<float> values(4096 * 128);
    table.write(0, 4096, std::as_writable_bytes(std::span(values)));
    return values;
  };
  const auto once = bits({});
  facts.add(once == bits({.threads = 2}) && once == bits({.kernels = kernel_sets().data()}),
            "524288 values of the certified float32 table, d = 128, are the same bits by one thread and by "
            "two, by the widest instructions of this machine and by the plainest");
}

/// The requirements that the documents list, as columns of the matrix.
void required_columns(Facts& facts) {
  const auto row = std::ranges::find(matrix_rows(), std::string_view("sinusoidal"), &MatrixRow::id);
  const auto options = options_from_environment();
  for (const auto* property : matrix_properties()) {
    const auto cell = decide(*property, *row, options);
    facts.add(cell.answer != Answer::undecided, "{}: {} for the sinusoid", property->model->column,
              name_of(cell.answer));
  }
}

/// 2 pi / w of a pair, in units of 2 pi.
Interval wavelength_over_two_pi(const GeometricFrequencies& frequencies, int pair) {
  return 1 / frequencies.at(pair);
}

/// "The wavelengths run from 2 pi to 10000 2 pi": the lower end is right, the upper one is never reached.
void top_wavelength(Facts& facts) {
  for (const std::int64_t d : {4, 16, 64, 128, 256, 512, 768, 1024, 4096}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const Interval top = wavelength_over_two_pi(frequencies, frequencies.pairs - 1);
    const Interval shortfall = 100 * (1 - top / 10000);
    facts.add(certainly_less(top, enclose(std::int64_t{10000})), "d = {}: 2 pi times {}, {} % short", d,
              digits(top, 8), digits(shortfall, 4));
  }
}

/// Wavelengths in a geometric progression of ratio base^(2/d).
void geometric(Facts& facts) {
  for (const std::int64_t d : {4, 64, 512}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const Interval ratio = wavelength_over_two_pi(frequencies, 1);
    bool constant = contains(wavelength_over_two_pi(frequencies, 0), 1);
    for (int pair = 1; pair < frequencies.pairs; ++pair) {
      constant &= contains_zero(wavelength_over_two_pi(frequencies, pair) / ratio -
                                wavelength_over_two_pi(frequencies, pair - 1));
    }
    facts.add(constant, "d = {}: from 2 pi on, each is {} times the one before", d, digits(ratio, 8));
  }
}

/// The sine stays in [-1, 1] and repeats after 2 pi, and not before.
void sine(Facts& facts) {
  bool repeats = true;
  bool not_before = true;
  for (const std::int64_t x : {1, 2, 5, 100}) {
    repeats &= contains_zero(sin(enclose(x) + 2 * pi()) - sin(enclose(x)));
    not_before &= !contains_zero(sin(enclose(x) + pi()) - sin(enclose(x)));
  }
  facts.add(contains(sin(pi() / 2), 1) && contains(sin(-pi() / 2), -1), "its extremes are 1 and -1");
  facts.add(repeats && not_before, "it repeats after 2 pi, and not after pi, at the points tried");
}

/// sin(2 pi x) at no, a quarter and half a turn.
void sine_of_turns(Facts& facts) {
  facts.add(contains_zero(sin(0 * pi())) && contains(sin(pi() / 2), 1) && contains_zero(sin(pi())),
            "sin(2 pi x) is 0, 1 and 0 at x = 0, 1/4 and 1/2");
  facts.add(rounds_to_decimal(10000000000 * sin(enclose(3.141592653589793)), "0.00000122"),
            "in float64 the last is 1.22e-16, the error of the rounded pi");
}

/// |p_t| of the paper's encoding, from its entries.
Interval encoding_norm(std::int64_t d) {
  return norm(TrigCode(SinusoidalSpec{.d_model = d}.table()).code(17));
}

/// "The embedding is multiplied by sqrt(d_model)": how large the encoding is beside it. Norms of embeddings
/// are root mean squares: the mean of |x|^2 over d independent elements of variance v is d v.
void by_root_of_width(Facts& facts) {
  for (const auto& [d, stated] : facts.figures<std::int64_t, std::string>()) {
    const Interval embedding = sqrt(enclose(d));  // variance 1
    const Interval ratio = encoding_norm(d) / (sqrt(enclose(d)) * embedding);
    facts.add(rounds_to_decimal(ratio, stated) && contains_zero(ratio - 1 / sqrt(enclose(2 * d))),
              "d = {}, elements of variance 1: after the factor sqrt(d) the encoding's norm is "
              "{} of the embedding's, 1/sqrt(2d)",
              d, digits(ratio, 4));
    facts.add(rounds_to_decimal(encoding_norm(d) / embedding, "0.7071"),
              "without the factor it is 0.7071 of it");
    const Interval narrow_embedding = 1;  // variance 1/d
    facts.add(rounds_to_decimal(encoding_norm(d) / (sqrt(enclose(d)) * narrow_embedding), "0.7071"),
              "for elements of variance 1/d and with the factor it is 0.7071 too");
  }
}

}  // namespace

std::vector<Evidence> sinusoid_evidence() {
  return {
      {"sinusoid/definition", sinusoid_definition},
      {"sinusoid/bounded", bounded},
      {"sinusoid/pair-index", pair_index},
      {"sinusoid/index-range", index_range},
      {"sinusoid/greatest-index", index_range},
      {"sinusoid/odd-width", odd_width},
      {"sinusoid/addition", addition},
      {"sinusoid/beyond-training", beyond_training},
      {"sinusoid/deterministic", deterministic},
      {"matrix/columns", required_columns},
      {"wavelengths/geometric", geometric},
      {"wavelengths/sine", sine},
      {"wavelengths/sine-of-turns", sine_of_turns},
      {"wavelengths/top", top_wavelength},
      {"scaling/sqrt-d", by_root_of_width},
  };
}

}  // namespace vernier
