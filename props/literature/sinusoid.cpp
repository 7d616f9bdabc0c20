#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

#include "props/interval_predicates.hpp"
#include "props/literature/law_facts.hpp"
#include "props/literature/topics.hpp"
#include "props/matrix/matrix.hpp"
#include "props/matrix/models/trig_code.hpp"
#include "props/specs.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

TrigTable paper_table(std::int64_t d, const Rational& base = 10000) {
  return SinusoidalSpec{.d_model = d, .base = base}.table();
}

/// One entry, from the formula.
Interval entry(const TrigTable& table, std::int64_t position, std::size_t column) {
  return table.entry(position, column)();
}

/// The values that introductions print.
EvidenceResult definition() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  const auto table = paper_table(512);
  facts.add(contains(table.frequencies.at(0), 1), "the first frequency is 1");
  struct Printed {
    std::size_t column;
    const char* value;
  };
  for (const auto& [column, value] :
       {Printed{0, "0.841470985"}, Printed{1, "0.540302306"}, Printed{2, "0.82185619"},
        Printed{510, "0.000103663293"}, Printed{511, "0.99999999"}}) {
    facts.add(rounds_to_decimal(entry(table, 1, column), value), "d = 512: PE(1, {}) = {}", column, value);
  }
  facts.add(rounds_to_decimal(entry(paper_table(4, 100), 3, 2), "0.29552020666") &&
                rounds_to_decimal(entry(paper_table(4, 100), 3, 3), "0.95533648913"),
            "d = 4, base 100: PE(3, 2) = 0.29552020666 and PE(3, 3) = 0.95533648913");
  add_law(facts, "sinusoidal/accuracy");
  return facts.conclude(Ruling::holds);
}

EvidenceResult bounded() {
  Facts facts;
  add_law(facts, "sinusoidal/bounded");
  return facts.conclude(Ruling::holds);
}

/// "k is the index of the dimension."
EvidenceResult pair_index() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  const auto table = paper_table(8);
  const Interval third = entry(table, 1, 2);
  const Interval by_pair = sin(table.frequencies.at(1));
  const Interval by_dimension = sin(table.frequencies.at(2));
  facts.add(certainly_different(third, by_dimension),
            "d = 8: with the dimension's index as k, PE(1, 2) would be {}", digits(by_dimension, 6));
  facts.add(contains_zero(third - by_pair), "with the pair's index, floor(i/2) = 1, it is {}",
            digits(third, 6));
  return facts.conclude(Ruling::refuted);
}

/// The pairs of d columns are 0 .. floor((d - 1)/2).
EvidenceResult index_range() {
  Facts facts;
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
  return facts.conclude(Ruling::holds);
}

/// The greatest k is (d - 1)/2: if d is odd.
EvidenceResult greatest_index() {
  auto result = index_range();
  if (result.finding == Ruling::holds) {
    result.finding = Ruling::conditional;
  }
  return result;
}

/// d/2 pairs: an odd width leaves one column without a partner.
EvidenceResult odd_width() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
  add_law(facts, "sinusoidal/constant-norm");
  const TrigCode code(paper_table(7));
  facts.add(rounds_to_decimal(code.score(0, 0), "3") && rounds_to_decimal(code.score(5000, 5000), "3.9166"),
            "d = 7: the squared norm is 3 at position 0 and 3.9166 at 5000");
  facts.add(
      rounds_to_decimal(code.score(0, 3), "0.98667") && rounds_to_decimal(code.score(5000, 5003), "1.90294"),
      "d = 7: products at offset 3 are 0.98667 from position 0 and 1.90294 from 5000");
  return facts.conclude(Ruling::conditional);
}

/// What is added to an embedding must be as wide as it.
EvidenceResult addition() {
  Facts facts;
  bool as_wide = true;
  for (int d = 1; d <= 1024; ++d) {
    as_wide &= paper_table(d).columns.size() == static_cast<std::size_t>(d);
  }
  facts.add(as_wide, "for every d from 1 to 1024 the code has d elements, to be added to the embedding's d");
  return facts.conclude(Ruling::holds);
}

/// Defined and bounded at any position; a table made in advance ends.
EvidenceResult beyond_training() {
  const WorkingPrecision scope(working_precision);
  Facts facts;
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
  return facts.conclude(Ruling::conditional);
}

/// The same bits, however they are computed.
EvidenceResult deterministic() {
  Facts facts;
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
  return facts.conclude(Ruling::holds);
}

/// The requirements that the documents list, as columns of the matrix.
EvidenceResult columns() {
  Facts facts;
  const auto row = std::ranges::find(matrix_rows(), std::string_view("sinusoidal"), &MatrixRow::id);
  const auto options = options_from_environment();
  for (const auto* property : matrix_properties()) {
    const auto cell = decide(*property, *row, options);
    facts.add(cell.answer != Answer::undecided, "{}: {} for the sinusoid", property->model->column,
              name_of(cell.answer));
  }
  return facts.conclude(Ruling::holds);
}

}  // namespace

std::vector<Evidence> sinusoid_evidence() {
  return {
      {"sinusoid/definition", "entries of the encoding by its formula", Method::interval, definition},
      {"sinusoid/bounded", "the greatest magnitude of an element", Method::interval, bounded},
      {"sinusoid/pair-index", "an entry with the index of the dimension and with that of the pair",
       Method::interval, pair_index},
      {"sinusoid/index-range", "the pairs of all widths up to 512", Method::exhaustive, index_range},
      {"sinusoid/greatest-index", "for which widths (d - 1)/2 is the index of a pair", Method::exhaustive,
       greatest_index},
      {"sinusoid/odd-width", "norms and products of an even and an odd width", Method::interval, odd_width},
      {"sinusoid/addition", "the number of elements for each width", Method::exhaustive, addition},
      {"sinusoid/beyond-training", "codes beyond a table made in advance", Method::interval, beyond_training},
      {"sinusoid/deterministic", "the bits of one table computed in several ways", Method::exhaustive,
       deterministic},
      {"matrix/columns", "each property asked of the sinusoid", Method::interval, columns},
  };
}

}  // namespace vernier
