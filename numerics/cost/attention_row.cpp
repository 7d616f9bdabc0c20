#include "numerics/cost/attention_row.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "numerics/tensors/spread_indices.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// What a sum or a product in binary64 rounds by at most, with room.
constexpr double rounding_unit = 0x1p-52;

}  // namespace

double norm_of(const PairedVector& vector) {
  const double square = sum_of(vector, [](const auto& number) { return std::norm(number); });
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
  refuse_if(!tensor.format() || shape.size() < 2 || shape.back() != rotation.head_dim ||
                tensor.elements() == 0 || tensor.elements() != shape[shape.size() - 2] * shape.back(),
            "{}: found {} of shape {}, expected floating-point vectors of one head, [rows, {}]", source,
            traits(tensor.type()).name, to_string(shape), rotation.head_dim);
  std::vector<PairedVector> result(shape[shape.size() - 2]);
  std::vector<double> numbers(rotation.head_dim);
  for (std::size_t row = 0; row < result.size(); ++row) {
    tensor.numbers(row * rotation.head_dim, numbers);
    if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); })) {
      throw InputError("{}: row {}: found an element that is not finite, expected numbers", source, row);
    }
    for (const auto& [first, second] : rotation.pairs) {
      result[row].emplace_back(numbers[first], rotation.direction() * numbers[second]);
    }
    for (const auto place : rotation.passed_through()) {
      result[row].emplace_back(numbers[place]);
    }
  }
  return result;
}

ScoreRow score_row(const Rotations& rotations, std::span<const std::size_t> rows, const ErrorsByPair& errors,
                   const PairedVector& query, std::span<const PairedVector> keys, double scale) {
  ScoreRow result;
  const double square = rotations.amplitude * rotations.amplitude;
  const auto pairs = rotations.meant.size();
  const auto last = keys.size() - 1;
  double greatest_norm = 0;
  double size = 1;  // the greatest |1 + a|
  for (std::size_t row = 0; row <= last; ++row) {
    const auto& key = keys[row];
    const auto distance = rotations.positions[rows[last]] - rotations.positions[rows[row]];
    double turned = 0;
    double change = 0;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto [sine, cosine] = rotations.meant[pair].at(distance);
      const auto product = query[pair] * std::conj(key[pair]) * std::complex(cosine, sine);
      const auto [a, other] = std::pair(errors[pair][last], errors[pair][row]);
      turned += product.real();
      change += (product * factor_change(a, other)).real();
      size = std::max({size, std::abs(1.0 + a), std::abs(1.0 + other)});
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

double score_drift(const Recipe& recipe, const TrigTable& table, Format stored, std::int64_t n) {
  constexpr std::int64_t most_offsets = 1024;
  const auto count = std::min(n, most_offsets);
  const auto rotations = rotations_of(recipe, table, stored, {n - count, 1, count});
  ErrorsByPair errors;
  const auto rows = spread_indices(rotations.positions.size(), rotations.positions.size());
  measured_change(rotations, rows, errors);
  const auto pairs = errors.size();
  const std::vector<PairedVector> vectors(rows.size(),
                                          PairedVector(pairs, 1 / std::sqrt(static_cast<double>(pairs))));
  const double square = rotations.amplitude * rotations.amplitude;
  double greatest = 0;
  for (const double change :
       score_row(rotations, rows, errors, vectors.front(), vectors, 1 / square).changes) {
    greatest = std::isnan(change) ? change : std::max(greatest, std::fabs(change));
  }
  return greatest;
}

RowCost greatest_cost(double e) {
  if (!std::isfinite(e)) {
    return {{0, INFINITY}, {0, 1}, {0, 1}, INFINITY, INFINITY};
  }
  const WorkingPrecision precision(256);
  const auto x = enclose(e);
  // Below, e^2/2 is closer than 256 bits tell, and KL is at most that (Hoeffding's lemma).
  constexpr double least_told = 0x1p-60;
  const double kl = greatest_magnitude(
      e < least_told ? Interval(x * x / 2) : Interval(log(Interval(sinh(x) / x)) + x / tanh(x) - 1));
  const ValueBounds moved{0, greatest_magnitude(tanh(x / 2))};
  return {{0, kl}, moved, moved, greatest_magnitude(exp(2 * x)), kl};
}

std::vector<double> weights_of(std::span<const double> logits) {
  const double greatest = *std::ranges::max_element(logits);
  auto weights = mapped(logits, [&](double logit) { return std::exp(logit - greatest); });
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) {
    weight /= sum;
  }
  return weights;
}

double kl_over_box(std::span<const double> weights, std::span<const double> radii) {
  const auto with = [&](double c) {
    double sum = 0;
    double rounding = std::fabs(c) + 1;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double r = radii[j];
      // Both less 1 - c, which they sum to where all r are zero, so that small radii keep their digits.
      const double up = std::expm1(r - c) - (r - c);
      const double down = std::expm1(-r - c) + (r + c);
      sum += weights[j] * std::max(up, down);
      rounding += weights[j] * (std::exp(r - c) + r);
    }
    // expm1(y) - y rounds by u of its terms.
    return sum + rounding * (static_cast<double>(weights.size()) + 16) * rounding_unit;
  };
  const double greatest = *std::ranges::max_element(radii);
  if (!std::isfinite(greatest)) {
    return INFINITY;
  }
  // The least is where c = log sum p exp(x), within [-greatest, greatest]; the sum is convex in c.
  double low = -greatest;
  double high = greatest;
  constexpr int steps = 40;
  for (int step = 0; step < steps; ++step) {
    const double third = (high - low) / 3;
    if (with(low + third) < with(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return std::min(with(low), greatest_cost(greatest).kl_bound);
}

RowCost cost_of(const ScoreRow& row) {
  const auto n = row.scores.size();
  const auto weights = weights_of(row.scores);
  // Over the keys, of a term in the weight and in the change less a number.
  const auto sum_of = [&](double centre, const auto& term) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += term(weights[j], row.changes[j] - centre);
    }
    return sum;
  };
  const double mean = sum_of(0, [](double p, double x) { return p * x; });
  const double variance = sum_of(mean, [](double p, double y) { return p * y * y; });
  const double spread = sum_of(mean, [](double p, double y) { return p * std::fabs(y); });
  const double kl = std::log1p(sum_of(mean, [](double p, double y) { return p * (std::expm1(y) - y); }));
  double most = 0;  // that a weight moves by
  const double moved = sum_of(mean, [&](double p, double y) {
    const double by = p * std::fabs(std::expm1(y - kl));
    most = std::max(most, by);
    return by / 2;
  });
  const auto [least, greatest] = std::ranges::minmax(row.changes);
  const double half_range = (greatest - least) / 2 + row.change_error;
  const auto [lowest, highest] = std::ranges::minmax(row.scores);
  const double largest = std::max({1.0, -lowest, highest});
  const double weight_error = row.score_error + (static_cast<double>(n) + 8 * largest) * rounding_unit;
  // Roundings: of expm1(y) - y by u |y| each, of sums of n terms by n u of them.
  const double rounding = static_cast<double>(n + 16) * rounding_unit;
  const double kl_error = 3 * half_range * weight_error + half_range * row.change_error +
                          4 * rounding_unit * spread + rounding * (kl + spread * spread);
  const double moved_error =
      row.change_error + (3 * weight_error + rounding) * moved + kl_error + 4 * rounding_unit * spread;
  const double reach = greatest - mean + row.change_error + half_range * weight_error;
  // The variance moves by at most 2 h per change that is off, and by 4 h^2 d for weights that are.
  const double certain_variance = variance * (1 + rounding) + 4 * half_range * row.change_error +
                                  4 * half_range * half_range * weight_error;
  const double quotient = reach < 0x1p-20 ? 0.5 + reach / 4 : (std::expm1(reach) - reach) / (reach * reach);
  const double bound = certain_variance * quotient * (1 + 0x1p-30);
  if (!std::isfinite(kl + kl_error) || !std::isfinite(moved + moved_error) || !std::isfinite(bound)) {
    return greatest_cost(INFINITY);
  }
  const auto around = [](double value, double error, double limit) {
    return ValueBounds{std::max(0.0, value - error), std::min(limit, value + error)};
  };
  return {around(kl, kl_error, INFINITY), around(moved, moved_error, 1), around(most, 2 * moved_error, 1),
          std::exp(2 * half_range) * (1 + 0x1p-40), std::max(bound, kl + kl_error)};
}

}  // namespace vernier
