#include "numerics/cost/score_row.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "reference/support/input_error.hpp"

namespace vernier {

double norm_of(const PairedVector& vector) {
  double square = 0;
  for (const auto& number : vector) {
    square += std::norm(number);
  }
  return std::sqrt(square) * (1 + 0x1p-40);
}

std::vector<PairedVector> drawn_vectors(std::size_t count, std::size_t pairs, std::size_t passing,
                                        double norm, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  const auto uniform = [&] { return (static_cast<double>(generator() >> 11) + 0.5) * 0x1p-53; };
  // Two independent normal numbers (Box and Muller 1958).
  const auto normal = [&] {
    return std::polar(std::sqrt(-2 * std::log(uniform())), 2 * std::numbers::pi * uniform());
  };
  std::vector<PairedVector> result(count, PairedVector(pairs + passing));
  for (auto& vector : result) {
    double square = 0;
    for (std::size_t i = 0; i < vector.size(); ++i) {
      vector[i] = i < pairs ? normal() : normal().real();
      square += std::norm(vector[i]);
    }
    std::ranges::for_each(vector, [&](auto& number) { number *= norm / std::sqrt(square); });
  }
  return result;
}

std::vector<PairedVector> paired_vectors(const Tensor& tensor, const std::string& source,
                                         const HeadRotation& rotation) {
  const auto& shape = tensor.shape();
  if (!tensor.format() || shape.size() < 2 || shape.back() != rotation.head_dim || tensor.elements() == 0 ||
      tensor.elements() != shape[shape.size() - 2] * shape.back()) {
    throw InputError("{}: found {} of shape {}, expected floating-point vectors of one head, [rows, {}]",
                     source, traits(tensor.type()).name, to_string(shape), rotation.head_dim);
  }
  // In the order of the frequencies, as errors are.
  std::map<int, const RotatedDimension*> dimensions;
  for (const auto& dimension : rotation.rotated) {
    if (dimension.sign == rotation.rotated.front().sign) {
      dimensions.emplace(dimension.pair, &dimension);
    }
  }
  std::vector<PairedVector> result(shape[shape.size() - 2]);
  std::vector<double> numbers(rotation.head_dim);
  for (std::size_t row = 0; row < result.size(); ++row) {
    tensor.numbers(row * rotation.head_dim, numbers);
    if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); })) {
      throw InputError("{}: row {}: found an element that is not finite, expected numbers", source, row);
    }
    for (const auto& [pair, dimension] : dimensions) {
      result[row].emplace_back(numbers[dimension->own], numbers[dimension->other]);
    }
    for (const auto place : rotation.passed_through()) {
      result[row].emplace_back(numbers[place]);
    }
  }
  return result;
}

ScoreRow score_row(const TurnedRows& rows, const PairedVector& query, std::span<const PairedVector> keys,
                   std::size_t count, double scale) {
  ScoreRow result;
  const double square = rows.amplitude * rows.amplitude;
  const auto pairs = rows.meant.size();
  const auto last = count - 1;
  double greatest_norm = 0;
  double size = 1;  // the greatest |1 + a|
  for (std::size_t row = 0; row < count; ++row) {
    const auto& key = keys[row];
    double turned = 0;
    double change = 0;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto [sine, cosine] = rows.meant[pair].at(rows.positions[last] - rows.positions[row]);
      const auto product = query[pair] * std::conj(key[pair]) * std::complex(cosine, rows.direction * sine);
      const auto& errors = rows.errors[pair];
      const auto by = factor_change(errors[last], errors[row]);
      turned += product.real();
      change += (product * std::complex(by.real(), rows.direction * by.imag())).real();
      size = std::max({size, std::abs(1.0 + errors[last]), std::abs(1.0 + errors[row])});
    }
    double passing = 0;
    for (std::size_t i = pairs; i < key.size(); ++i) {
      passing += query[i].real() * key[i].real();
    }
    result.scores.push_back(scale * (square * turned + passing));
    result.changes.push_back(scale * square * change);
    greatest_norm = std::max(greatest_norm, norm_of(key));
  }
  const double product = scale * norm_of(query) * greatest_norm;
  const double rounding = (static_cast<double>(query.size()) + 8) * rounding_unit;
  result.score_error = product * std::max(1.0, square) * (4 * PhaseTurns::error + rounding);
  result.change_error = product * square * size * size * (4 * factor_error + rounding);
  return result;
}

ScoreRow equal_scores(const Rotations& rotations) {
  const auto pairs = rotations.meant.size();
  const auto count = rotations.positions.size();
  const std::vector<PairedVector> vectors(count,
                                          PairedVector(pairs, 1 / std::sqrt(static_cast<double>(pairs))));
  const double square = rotations.amplitude * rotations.amplitude;
  return score_row({rotations.meant, rotations.amplitude, 1, rotations.positions, errors_of(rotations)},
                   vectors.front(), vectors, count, 1 / square);
}

double score_drift(const Recipe& recipe, const TrigTable& table, Format stored, std::int64_t n) {
  constexpr std::int64_t most_offsets = 1024;
  const auto count = std::min(n, most_offsets);
  double greatest = 0;
  for (const double change :
       equal_scores(rotations_of(recipe, table, stored, {n - count, 1, count})).changes) {
    if (std::isnan(change)) {
      return change;
    }
    greatest = std::max(greatest, std::fabs(change));
  }
  return greatest;
}

}  // namespace vernier
