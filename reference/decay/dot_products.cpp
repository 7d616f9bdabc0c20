#include "reference/decay/dot_products.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "reference/decay/smooth_function.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/numbers/sine_cosine.hpp"

namespace vernier {
namespace {

constexpr std::int64_t fine_offset_rows = 256;

Interval sum_over(const Frequencies& frequencies,
                  const std::function<Interval(const Interval& frequency)>& term) {
  Interval sum = enclose(std::int64_t{0});
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    sum += term(frequencies.at(pair));
  }
  return sum;
}

/// Rows of all cosines, then all sines, correctly rounded.
std::vector<double> rotations(const Frequencies& frequencies, const PositionRange& positions) {
  TrigTable table;
  table.role = "rotations";
  table.frequencies = frequencies;
  for (const auto component : {Component::cosine, Component::sine}) {
    for (int pair = 0; pair < frequencies.pairs(); ++pair) {
      table.columns.push_back({pair, component});
    }
  }
  std::vector<double> values(static_cast<std::size_t>(positions.count) * table.columns.size());
  RoundedTable(std::move(table), positions, Format::binary64)
      .write(0, positions.count, std::as_writable_bytes(std::span(values)));
  return values;
}

std::vector<double> transposed(std::span<const double> matrix, std::size_t columns) {
  const std::size_t rows = matrix.size() / columns;
  std::vector<double> result(matrix.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      result[c * rows + r] = matrix[r * columns + c];
    }
  }
  return result;
}

/// Adds one pair of a coarse row times that of all fine rows.
void add_pair(double cosine, double sine, const double* fine_cosine, const double* fine_sine, double* out) {
  for (std::size_t b = 0; b < fine_offset_rows; ++b) {
    out[b] += cosine * fine_cosine[b] - sine * fine_sine[b];
  }
}

/// What Dirichlet's kernel needs of one frequency.
struct Ends {
  SineCosine after;   ///< of (last + 1/2) w
  SineCosine before;  ///< of (first - 1/2) w
  SineCosine half;    ///< of w / 2
};

Interval sine_of_sum(const SineCosine& a, const SineCosine& b) {
  return a.sine * b.cosine + a.cosine * b.sine;
}
Interval sine_of_difference(const SineCosine& a, const SineCosine& b) {
  return a.sine * b.cosine - a.cosine * b.sine;
}

/// The sum of cos(k (v + w)) over k.
Interval sum_at_sum(const Ends& v, const Ends& w) {
  return (sine_of_sum(v.after, w.after) - sine_of_sum(v.before, w.before)) /
         (2 * sine_of_sum(v.half, w.half));
}
/// The sum of cos(k (v - w)) over k. \param v, w different
Interval sum_at_difference(const Ends& v, const Ends& w) {
  return (sine_of_difference(v.after, w.after) - sine_of_difference(v.before, w.before)) /
         (2 * sine_of_difference(v.half, w.half));
}

}  // namespace

Interval dot_product(const Frequencies& frequencies, std::int64_t offset) {
  return sum_over(frequencies, [offset](const Interval& w) { return Interval(cos(enclose(offset) * w)); });
}

Interval separation(const GeometricFrequencies& frequencies, std::int64_t offset) {
  return sqrt(sum_over(frequencies, [offset](const Interval& w) {
    const Interval chord = 2 * sin(enclose(offset) * w / 2);
    return Interval(chord * chord);
  }));
}

DotProductsAndSlopes dot_products_and_slopes(const Frequencies& frequencies, std::span<const double> weights,
                                             std::int64_t first, std::int64_t count) {
  const auto pairs = static_cast<std::size_t>(frequencies.pairs());
  const std::int64_t blocks = (count + fine_offset_rows - 1) / fine_offset_rows;
  const auto coarse = rotations(frequencies, {first, fine_offset_rows, blocks});
  const auto fine = transposed(rotations(frequencies, {0, 1, fine_offset_rows}), 2 * pairs);
  const auto places = static_cast<std::size_t>(blocks * fine_offset_rows);
  DotProductsAndSlopes result{std::vector<double>(places), std::vector<double>(weights.empty() ? 0 : places)};
  for (std::size_t block = 0; block < static_cast<std::size_t>(blocks); ++block) {
    const double* row = &coarse[block * 2 * pairs];
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double* cosines = &fine[pair * fine_offset_rows];
      const double* sines = &fine[(pairs + pair) * fine_offset_rows];
      add_pair(row[pair], row[pairs + pair], cosines, sines, &result.products[block * fine_offset_rows]);
      if (!weights.empty()) {  // sin(a + b) = sin a cos b + cos a sin b
        add_pair(weights[pair] * row[pairs + pair], -weights[pair] * row[pair], cosines, sines,
                 &result.slopes[block * fine_offset_rows]);
      }
    }
  }
  result.products.resize(static_cast<std::size_t>(count));
  result.slopes.resize(weights.empty() ? 0 : static_cast<std::size_t>(count));
  return result;
}

std::vector<double> dot_products(const Frequencies& frequencies, std::int64_t first, std::int64_t count) {
  return dot_products_and_slopes(frequencies, {}, first, count).products;
}

double dot_product_error(int pairs) {
  return (pairs + 5) * pairs * 0x1p-53 * 1.01;
}

std::vector<std::int64_t> record_offsets(const GeometricFrequencies& frequencies, std::int64_t last) {
  constexpr std::int64_t at_once = 1 << 18;
  const double slack = 2 * dot_product_error(frequencies.pairs);
  std::vector<std::int64_t> records;
  Interval least = enclose(std::int64_t{2} * frequencies.pairs);  // no two rows are further apart
  double greatest_product = -frequencies.pairs;
  for (std::int64_t first = 1; first <= last; first += at_once) {
    const auto products = dot_products(frequencies, first, std::min(at_once, last - first + 1));
    for (std::size_t i = 0; i < products.size(); ++i) {
      if (products[i] < greatest_product - slack) {
        continue;
      }
      const auto offset = first + static_cast<std::int64_t>(i);
      const Interval distance = separation(frequencies, offset);
      const auto nearer = certain_sign(Interval(least - distance));
      if (!nearer) {
        throw std::runtime_error("two separations that the working precision cannot tell apart");
      }
      if (*nearer > 0) {
        records.push_back(offset);
        least = distance;
        greatest_product = std::max(greatest_product, products[i]);
      }
    }
  }
  return records;
}

Interval mean_square_dot_product(const GeometricFrequencies& frequencies, std::int64_t first,
                                 std::int64_t last) {
  const Interval half = enclose(Rational(1, 2));
  std::vector<Ends> ends;
  for (const Interval& w : frequencies.enclosures()) {
    ends.push_back({sine_cosine(Interval((last + half) * w)), sine_cosine(Interval((first - half) * w)),
                    sine_cosine(Interval(half * w))});
  }
  // cos(k v) cos(k w) is half the sum of cos(k (v + w)) and cos(k (v - w)).
  const auto count = enclose(std::int64_t{last - first + 1});
  Interval sum = enclose(std::int64_t{0});
  for (std::size_t i = 0; i < ends.size(); ++i) {
    sum += (count + sum_at_sum(ends[i], ends[i])) / 2;
    for (std::size_t j = 0; j < i; ++j) {
      sum += sum_at_sum(ends[i], ends[j]) + sum_at_difference(ends[i], ends[j]);
    }
  }
  return sum / count;
}

}  // namespace vernier
