#include "numerics/identification/rotated_signal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace vernier {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

using Point = std::complex<double>;

}  // namespace

RotatedRows rotated_rows(std::span<const std::int64_t> positions, const Tensor& input,
                         const Tensor& rotated) {
  constexpr std::size_t most_rows = 4096;
  assert(input.shape().size() == 2 && input.shape() == rotated.shape());
  assert(input.shape().front() == positions.size());
  RotatedRows rows;
  rows.head_dim = input.shape().back();
  const auto order = rows_to_measure(positions, most_rows);
  rows.input.resize(order.size() * rows.head_dim);
  rows.rotated.resize(rows.input.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rows.positions.push_back(positions[order[i]]);
    const auto into = [&](std::vector<double>& values) {
      return std::span(values).subspan(i * rows.head_dim, rows.head_dim);
    };
    input.numbers(order[i] * rows.head_dim, into(rows.input));
    rotated.numbers(order[i] * rows.head_dim, into(rows.rotated));
  }
  return rows;
}

int rotating_dimensions(const RotatedRows& rows) {
  std::size_t rotating = 0;
  for (std::size_t r = 0; r < rows.positions.size(); ++r) {
    if (rows.positions[r] == 0) {
      continue;
    }
    for (auto d = rows.head_dim; d > rotating; --d) {
      const auto element = r * rows.head_dim + d - 1;
      if (rows.input[element] != rows.rotated[element]) {
        rotating = d;
      }
    }
  }
  return static_cast<int>(rotating);
}

std::vector<PairSignal> rotation_signals(const RotatedRows& rows, RopeSpec::Layout layout, int rotating) {
  constexpr double least_share_of_median = 0.05;
  const RopeSpec pairing{.head_dim = rotating, .layout = layout};
  std::vector<PairSignal> signals(static_cast<std::size_t>(rotating / 2));
  for (std::size_t pair = 0; pair < signals.size(); ++pair) {
    const auto [first, second] = pairing.dimensions(static_cast<int>(pair));
    const auto point = [&](const std::vector<double>& values, std::size_t row) {
      const auto begin = row * rows.head_dim;
      return Point(values[begin + static_cast<std::size_t>(first)],
                   values[begin + static_cast<std::size_t>(second)]);
    };
    std::vector<double> lengths;
    for (std::size_t row = 0; row < rows.positions.size(); ++row) {
      lengths.push_back(std::abs(point(rows.input, row)));
    }
    const double least = least_share_of_median * median(lengths);
    for (std::size_t row = 0; row < rows.positions.size(); ++row) {
      const auto x = point(rows.input, row);
      const auto z = point(rows.rotated, row) * std::conj(x) / std::norm(x);
      if (std::abs(x) > least && std::isfinite(z.real()) && std::isfinite(z.imag())) {
        signals[pair].positions.push_back(rows.positions[row]);
        signals[pair].points.push_back(z);
      }
    }
  }
  return signals;
}

double modulus_spread(std::span<const PairSignal> signals) {
  std::vector<double> spreads;
  for (const auto& signal : signals) {
    std::vector<double> lengths;
    for (const auto& point : signal.points) {
      lengths.push_back(std::abs(point));
    }
    const double usual = median(lengths);
    for (const double length : lengths) {
      spreads.push_back(usual > 0 ? std::fabs(length / usual - 1) : std::numeric_limits<double>::infinity());
    }
  }
  return spreads.empty() ? std::numeric_limits<double>::infinity() : median(std::move(spreads));
}

}  // namespace vernier
