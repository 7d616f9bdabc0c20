#include "props/literature/cosine_sums.hpp"

#include <algorithm>
#include <functional>
#include <ranges>
#include <span>

#include <Eigen/Core>

#include "reference/ladder/rounded_table.hpp"

namespace vernier {
namespace {

constexpr std::int64_t fine_offset_rows = 256;
constexpr std::int64_t offsets_at_once = 1 << 18;

using Rows = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rows of all cosines, then all sines, correctly rounded.
Rows rotations(const Frequencies& frequencies, const PositionRange& positions) {
  TrigTable table;
  table.role = "rotations";
  table.frequencies = frequencies;
  for (const auto component : {Component::cosine, Component::sine}) {
    for (int pair = 0; pair < frequencies.pairs(); ++pair) {
      table.columns.push_back({pair, component});
    }
  }
  Rows values(positions.count, 2 * frequencies.pairs());
  const std::span all(values.data(), static_cast<std::size_t>(values.size()));
  RoundedTable(std::move(table), positions, Format::binary64)
      .write(0, positions.count, std::as_writable_bytes(all));
  return values;
}

Interval near(double value, double error) {
  return enclose(value) + hull(-error, error);
}

}  // namespace

Interval cosine_sum(const Frequencies& frequencies, const Interval& offset) {
  Interval sum = 0;
  for (const auto& frequency : frequencies.enclosures()) {
    sum += cos(Interval(offset * frequency));
  }
  return sum;
}

std::vector<double> cosine_sums(const Frequencies& frequencies, std::int64_t first, std::int64_t count) {
  const Eigen::Index pairs = frequencies.pairs();
  const std::int64_t blocks = (count + fine_offset_rows - 1) / fine_offset_rows;
  const auto coarse = rotations(frequencies, {first, fine_offset_rows, blocks});
  const Eigen::ArrayXXd fine = rotations(frequencies, {0, 1, fine_offset_rows});
  std::vector<double> sums(static_cast<std::size_t>(blocks * fine_offset_rows));
  Eigen::Map<Eigen::ArrayXXd> by_block(sums.data(), fine_offset_rows, blocks);
  for (Eigen::Index block = 0; block < blocks; ++block) {
    for (Eigen::Index pair = 0; pair < pairs; ++pair) {
      by_block.col(block) +=
          coarse(block, pair) * fine.col(pair) - coarse(block, pairs + pair) * fine.col(pairs + pair);
    }
  }
  sums.resize(static_cast<std::size_t>(count));
  return sums;
}

double cosine_sum_error(int pairs) {
  return (pairs + 5) * pairs * 0x1p-53 * 1.01;
}

std::int64_t first_negative_sum(const Frequencies& frequencies, int still, std::int64_t last) {
  if (still >= frequencies.pairs()) {
    return 0;  // no sum of that many cosines is below their number
  }
  const double error = cosine_sum_error(frequencies.pairs());
  std::int64_t at_once = 4096;
  for (std::int64_t first = 1; first <= last; first += at_once) {
    at_once = std::min(first < at_once ? at_once : first, offsets_at_once);
    const auto sums = cosine_sums(frequencies, first, std::min(at_once, last - first + 1));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto offset = first + static_cast<std::int64_t>(i);
      const auto exact = [&] { return Interval(cosine_sum(frequencies, enclose(offset)) + still); };
      if (sums[i] + still < -2 * error || (sums[i] + still < 2 * error && decided_sign(exact).value() < 0)) {
        return offset;
      }
    }
  }
  return 0;
}

CosineSumRange cosine_sum_range(const Frequencies& frequencies, std::int64_t first, std::int64_t last) {
  const double error = cosine_sum_error(frequencies.pairs());
  const double pairs = frequencies.pairs();
  double greatest = -pairs;
  double second = -pairs;
  std::int64_t offset = 0;
  double squares = 0;
  for (std::int64_t k = first; k <= last; k += offsets_at_once) {
    const auto sums = cosine_sums(frequencies, k, std::min(offsets_at_once, last - k + 1));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      squares += sums[i] * sums[i];
      if (sums[i] > greatest) {
        offset = k + static_cast<std::int64_t>(i);
      }
      second = std::max(second, std::min(greatest, sums[i]));
      greatest = std::max(greatest, sums[i]);
    }
  }
  // A square is off by less than three times its root and the error, and so many additions round.
  const auto count = static_cast<double>(last - first + 1);
  const double of_squares = count * (3 * pairs * error + squares * 0x1p-52);
  return {sqrt(Interval(near(squares, of_squares) / enclose(last - first + 1))), near(greatest, error),
          greatest - second > 2 * error ? offset : 0};
}

Interval least_gap_of_cosine_sums(const Frequencies& frequencies, std::int64_t last) {
  auto values = cosine_sums(frequencies, 0, last + 1);
  values.push_back(0);
  std::ranges::sort(values);
  std::ranges::transform(values | std::views::drop(1), values, values.begin(), std::minus());
  values.pop_back();
  return near(std::ranges::min(values), 2 * cosine_sum_error(frequencies.pairs()));
}

}  // namespace vernier
