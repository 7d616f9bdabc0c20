// The NumPy and PyTorch listings: which columns they fill, which shapes they accept, and how they compute
// frequencies. What they do is emulated here; nothing of it runs in Python.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "numerics/recipes/c_library.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

constexpr std::int64_t greatest_length = 5000;  // the module's max_len

bool same_columns(std::span<const Column> a, std::span<const Column> b) {
  return std::ranges::equal(a, b, [](const Column& x, const Column& y) {
    return x.component == y.component && (x.component == Component::zero || x.pair == y.pair);
  });
}

/// What getPositionEncoding writes: zeros, over which a loop to int(d/2) puts pairs.
std::vector<Column> columns_of_numpy_listing(std::int64_t d) {
  std::vector<Column> columns(static_cast<std::size_t>(d));
  for (int i = 0; i < d / 2; ++i) {
    const auto first = 2 * static_cast<std::size_t>(i);
    columns[first] = {i, Component::sine};
    columns[first + 1] = {i, Component::cosine};
  }
  return columns;
}

/// An axis of one length, written over or added to by an axis of another: as long, or 1 (broadcast).
bool fits(std::int64_t given, std::int64_t wanted) {
  return given == wanted || given == 1;
}

/// What the module writes: pe[:, 0::2] = sin(...) and pe[:, 1::2] = cos(...), each with a column for each of
/// the ceil(d/2) frequencies of arange(0, d, 2). Nothing where PyTorch refuses the assignment.
std::optional<std::vector<Column>> columns_of_torch_listing(std::int64_t d) {
  const std::int64_t frequencies = (d + 1) / 2;
  const std::int64_t even_columns = (d + 1) / 2;
  const std::int64_t odd_columns = d / 2;
  if (!fits(frequencies, even_columns) || !fits(frequencies, odd_columns)) {
    return std::nullopt;
  }
  std::vector<Column> columns(static_cast<std::size_t>(d));
  for (std::int64_t column = 0; column < d; ++column) {
    columns[static_cast<std::size_t>(column)] = {static_cast<int>(column / 2),
                                                 column % 2 == 0 ? Component::sine : Component::cosine};
  }
  return columns;
}

using ListedShape = std::array<std::int64_t, 3>;

/// The shape of the sum of two arrays, if they can be added.
std::optional<ListedShape> broadcast(const ListedShape& a, const ListedShape& b) {
  ListedShape sum{};
  for (std::size_t axis = 0; axis < sum.size(); ++axis) {
    if (!fits(a.at(axis), b.at(axis)) && !fits(b.at(axis), a.at(axis))) {
      return std::nullopt;
    }
    sum.at(axis) = a.at(axis) == 1 ? b.at(axis) : a.at(axis);
  }
  return sum;
}

/// The shape of pe[:, :x.size(1)] with x of this shape: a slice ends with the array.
ListedShape slice_for(const ListedShape& x) {
  return {1, std::min(x[1], greatest_length), x[2]};
}

/// The shape that the module gives back, if it takes x.
std::optional<ListedShape> forward(const ListedShape& x) {
  return broadcast(x, slice_for(x));
}

/// The position whose code is added to x[first, second, :], by the rule of broadcasting.
std::int64_t position_added(const ListedShape& slice, std::int64_t second) {
  return slice[1] == 1 ? 0 : second;
}

/// "Even positions are sines, odd positions cosines."
void column_parity(Facts& facts) {
  bool by_column = true;
  for (std::int64_t d = 2; d <= 512; d += 2) {
    by_column &= same_columns(paper_table(d).columns, columns_of_numpy_listing(d));
  }
  facts.add(by_column, "columns of even index hold sines, those of odd index cosines, for all even d to 512");
  const auto table = paper_table(4);
  facts.add(
      rounds_to_decimal(table.entry(1, 0)(), "0.8415") && rounds_to_decimal(table.entry(2, 1)(), "-0.4161"),
      "position 1, odd, has the sine 0.8415 in column 0; position 2, even, the cosine -0.4161 in column 1");
}

/// A bound on what the listing's double arithmetic loses at phases up to 99: the exponent is rounded, which
/// the power multiplies by ln 10000 < 9.3, and power, quotient and sine are good to two units of 2^-53, one,
/// and two. 99 (9.3 + 2 + 1) + 2 < 1300 units, less than 2^-42.
constexpr double listing_bound = 0x1p-42;

void numpy_listing(Facts& facts) {
  bool even_as_formula = true;
  bool odd_without_last = true;
  for (std::int64_t d = 1; d <= 512; ++d) {
    const auto formula = paper_table(d).columns;
    const auto listing = columns_of_numpy_listing(d);
    if (d % 2 == 0) {
      even_as_formula &= same_columns(formula, listing);
    } else {
      odd_without_last &= same_columns(std::span(formula).first(formula.size() - 1),
                                       std::span(listing).first(listing.size() - 1)) &&
                          formula.back().component == Component::sine &&
                          listing.back().component == Component::zero;
    }
  }
  facts.add(even_as_formula, "for every even d to 512 it fills the formula's columns");
  facts.add(
      odd_without_last,
      "for every odd d to 511 the last column stays 0, where the formula has the sine of pair (d - 1)/2");
  const auto table = paper_table(64);
  double greatest = 0;
  for (int k = 0; k < 100; ++k) {
    for (int i = 0; i < 32; ++i) {
      const double phase = k / std::pow(10000.0, 2.0 * i / 64);
      const auto column = 2 * static_cast<std::size_t>(i);
      greatest = std::fmax(greatest, greatest_magnitude(enclose(std::sin(phase)) - table.entry(k, column)()));
      greatest =
          std::fmax(greatest, greatest_magnitude(enclose(std::cos(phase)) - table.entry(k, column + 1)()));
    }
  }
  facts.add(greatest < listing_bound, "d = 64, 100 positions: in double arithmetic it is off by at most {}",
            digits(enclose(greatest), 2));
}

/// "x: [sequence length, batch size, embed dim]"
void torch_docstring(Facts& facts) {
  const ListedShape documented{4, 3, 2};
  const auto slice = slice_for(documented);
  facts.add(forward(documented) == documented && slice == ListedShape{1, 3, 2},
            "4 steps of a batch of 3, as documented, are accepted, and 3 codes, not 4, are added");
  bool by_member = true;
  for (std::int64_t member = 0; member < documented[1]; ++member) {
    by_member &= position_added(slice, member) == member;
  }
  facts.add(by_member, "at every step, member b of the batch gets the code of position b");
  const ListedShape long_sequence{6000, 3, 2};
  facts.add(forward(long_sequence) == long_sequence,
            "so that 6000 steps are accepted, though the table has 5000 rows");
  const ListedShape batch_first{3, 4, 2};
  facts.add(forward(batch_first) == batch_first && position_added(slice_for(batch_first), 3) == 3,
            "with the shape [batch, sequence, dimension], step t gets the code of position t");
}

void torch_module(Facts& facts) {
  bool even_as_formula = true;
  bool odd_refused = true;
  for (std::int64_t d = 2; d <= 512; ++d) {
    const auto columns = columns_of_torch_listing(d);
    if (d % 2 == 0) {
      even_as_formula &= columns && same_columns(*columns, paper_table(d).columns);
    } else {
      odd_refused &= !columns;
    }
  }
  facts.add(even_as_formula, "for every even d to 512 the module fills the formula's columns");
  facts.add(
      odd_refused,
      "for every odd d from 3 to 511 the cosines have one column more than there is room for: an error");
  facts.add(forward({8, greatest_length, 512}) == ListedShape{8, greatest_length, 512},
            "sequences of 5000 steps are accepted");
  facts.add(!forward({8, greatest_length + 1, 512}), "5001 steps cannot be added to 5000 rows: an error");
}

void shapes(Facts& facts) {
  const ListedShape x{8, 100, 512};
  facts.add(slice_for(x) == ListedShape{1, 100, 512} && forward(x) == x,
            "(8, 100, 512) + (1, 100, 512) has the shape (8, 100, 512)");
}

/// The greatest relative error of a recipe's frequencies, in units of 2^-24.
Interval frequency_error(std::string_view recipe, std::int64_t d) {
  const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
  const auto phases = std::ranges::find(recipes(), recipe, &Recipe::id)->prepare({frequencies, recipe});
  const std::array positions{1.0};
  std::array phase{0.0};
  Interval greatest = 0;
  for (int pair = 0; pair < frequencies.pairs; ++pair) {
    phases->advance(pair, positions, phase);  // the phase of position 1 is the frequency
    const Interval exact = frequencies.at(pair);
    const Interval error = abs(Interval((enclose(phase[0]) - exact) / exact)) * 0x1p24;
    if (certainly_less(greatest, error)) {
      greatest = error;
    }
  }
  return greatest;
}

constexpr std::array<std::int64_t, 6> measured_widths{64, 128, 256, 512, 768, 1024};

/// In units of 2^-24, to first order: the constant -ln(10000)/d and its product with 2i are rounded, one unit
/// each of an exponent of at most ln 10000 < 9.22, and a single-precision exponential is good to 1
/// ulp, which is at most 2 units: 2 * 9.22 + 2 < 20.5.
constexpr double exponential_bound = 20.5;
/// The exponent 2i/d is rounded, which the power multiplies by at most ln 10000; the power is good to 1 ulp,
/// and its reciprocal is rounded: 9.22 + 2 + 1 < 12.5.
constexpr double power_bound = 12.5;

void div_term(Facts& facts) {
  for (const auto d : measured_widths) {
    const Interval exponential = frequency_error("float32-exp-log", d);
    const Interval power = frequency_error("float32-pow", d);
    const Interval once = frequency_error("float32-rounded-frequency", d);
    facts.add(
        certainly_less(enclose(1.0), exponential) &&
            certainly_less(exponential, enclose(exponential_bound)) &&
            certainly_less(power, enclose(power_bound)) && certainly_less(once, enclose(1.0)),
        "d = {}: off by at most {} units of 2^-24, relative, against {} of 1/pow and {} of one rounding", d,
        digits(exponential, 3), digits(power, 3), digits(once, 3));
  }
  facts.add(true, "computed with {}'s expf and powf", c_library());
}

/// "Computing the denominators in logarithms prevents numerical instability."
void log_space(Facts& facts) {
  for (const auto d : measured_widths) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const Interval greatest = 1 / frequencies.at(frequencies.pairs - 1);
    facts.add(certainly_less(greatest, enclose(1e4)) &&
                  certainly_less(frequency_error("float32-pow", d), frequency_error("float32-exp-log", d)),
              "d = {}: the denominators lie between 1 and {}, where float32 reaches to 3.4e38, "
              "and the power gives the smaller errors of frequencies",
              d, digits(greatest, 6));
  }
  facts.add(certainly_less(paper_table(64).frequencies.at(1), enclose(1.0)),
            "what is computed is below 1: the denominator's reciprocal");
}

}  // namespace

std::vector<Evidence> listing_evidence() {
  return {
      {"listings/column-parity", column_parity},
      {"listings/numpy", numpy_listing},
      {"listings/torch-docstring", torch_docstring},
      {"listings/torch-module", torch_module},
      {"listings/shapes", shapes},
      {"listings/div-term", div_term},
      {"listings/log-space", log_space},
  };
}

}  // namespace vernier
