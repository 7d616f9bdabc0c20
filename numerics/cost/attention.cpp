#include "numerics/cost/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <random>

#include "numerics/cost/attention_bounds.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

constexpr double rounding_unit = 0x1p-52;

/// The weights of logits; each is off by (n + 8 L) u of itself, L the largest logit.
std::vector<double> weights_of(std::span<const double> logits) {
  const double greatest = *std::ranges::max_element(logits);
  std::vector<double> weights;
  double sum = 0;
  for (const double logit : logits) {
    weights.push_back(std::exp(logit - greatest));
    sum += weights.back();
  }
  for (double& weight : weights) {
    weight /= sum;
  }
  return weights;
}

double largest_magnitude(std::span<const double> values) {
  double largest = 1;
  for (const double value : values) {
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

/// Of errors that binary64 cannot hold.
RowCost unbounded_cost() {
  constexpr double any = std::numeric_limits<double>::infinity();
  return {{0, any}, {0, 1}, {0, 1}, any};
}

RowCost bounded_cost(const AttentionRow& row, std::span<const double> weights) {
  if (!std::ranges::all_of(row.radii, [](double radius) { return std::isfinite(radius); })) {
    return unbounded_cost();
  }
  const double greatest = *std::ranges::max_element(row.radii);
  const double bound = kl_over_box(weights, row.radii);
  return {{0, bound},
          {0, greatest_total_variation(greatest).upper},
          {0, WeightsOverBox(row.logits, row.radii).greatest_change()},
          bound};
}

}  // namespace

RowCost cost_of(const AttentionRow& row) {
  const auto n = row.logits.size();
  const auto weights = weights_of(row.logits);
  const bool is_known =
      !row.changes.empty() && std::ranges::all_of(row.changes, [](double x) { return std::isfinite(x); });
  if (!is_known) {
    return bounded_cost(row, weights);
  }
  const double weight_error =
      row.logit_error + (static_cast<double>(n) + 8 * largest_magnitude(row.logits)) * rounding_unit;
  const auto [least, greatest] = std::ranges::minmax(row.changes);
  const double half_range = (greatest - least) / 2 + row.change_error;
  double mean = 0;
  for (std::size_t j = 0; j < n; ++j) {
    mean += weights[j] * row.changes[j];
  }
  double variance = 0;
  double excess = 0;  // E exp(y) - 1
  double spread = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double y = row.changes[j] - mean;
    variance += weights[j] * y * y;
    excess += weights[j] * (std::expm1(y) - y);
    spread += weights[j] * std::fabs(y);
  }
  const double kl = std::log1p(excess);
  double moved = 0;
  double most = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double by = weights[j] * std::fabs(std::expm1(row.changes[j] - mean - kl));
    moved += by / 2;
    most = std::max(most, by);
  }
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
  const auto around = [](double value, double error) {
    return ValueBounds{std::max(0.0, value - error), value + error};
  };
  const auto share = [&](double value, double error) {
    const auto bounds = around(value, error);
    return ValueBounds{bounds.lower, std::min(1.0, bounds.upper)};
  };
  const double bound = certain_variance * quotient * (1 + 0x1p-30);
  if (!std::isfinite(kl + kl_error) || !std::isfinite(moved + moved_error) || !std::isfinite(bound)) {
    return unbounded_cost();
  }
  return {around(kl, kl_error), share(moved, moved_error), share(most, 2 * moved_error),
          std::max(bound, kl + kl_error)};
}

double PairedVectors::norm(std::size_t index) const {
  double square = 0;
  for (const auto& one : row(index)) {
    square += std::norm(one);
  }
  for (const double one : passing_of(index)) {
    square += one * one;
  }
  return std::sqrt(square) * (1 + 0x1p-40);
}

PairedVectors drawn_vectors(std::size_t count, std::size_t pairs, std::size_t passing, double norm,
                            std::uint64_t seed) {
  PairedVectors result{pairs, passing, {}, {}};
  result.turned.reserve(count * pairs);
  std::mt19937_64 generator(seed);
  const auto uniform = [&] { return (static_cast<double>(generator() >> 11) + 0.5) * 0x1p-53; };
  // Two independent normal numbers (Box and Muller 1958).
  const auto normal = [&] {
    return std::polar(std::sqrt(-2 * std::log(uniform())), 2 * std::numbers::pi * uniform());
  };
  for (std::size_t row = 0; row < count; ++row) {
    double square = 0;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      result.turned.push_back(normal());
      square += std::norm(result.turned.back());
    }
    for (std::size_t i = 0; i < passing; ++i) {
      result.unturned.push_back(normal().real());
      square += result.unturned.back() * result.unturned.back();
    }
    const double factor = norm / std::sqrt(square);
    for (std::size_t i = result.turned.size() - pairs; i < result.turned.size(); ++i) {
      result.turned[i] *= factor;
    }
    for (std::size_t i = result.unturned.size() - passing; i < result.unturned.size(); ++i) {
      result.unturned[i] *= factor;
    }
  }
  return result;
}

PairedVectors paired_vectors(const Tensor& tensor, const std::string& source, const HeadRotation& rotation) {
  const auto& shape = tensor.shape();
  const bool fits = tensor.format() && shape.size() >= 2 && shape.back() == rotation.head_dim &&
                    tensor.elements() == shape[shape.size() - 2] * shape.back() && tensor.elements() > 0;
  if (!fits) {
    throw InputError("{}: found {} of shape {}, expected floating-point vectors of one head, [rows, {}]",
                     source, traits(tensor.type()).name, to_string(shape), rotation.head_dim);
  }
  // In the order of the frequencies, as errors are.
  std::map<int, std::pair<std::size_t, std::size_t>> dimensions;
  for (const auto& dimension : rotation.rotated) {
    if (dimension.sign == rotation.rotated.front().sign) {
      dimensions.emplace(dimension.pair, std::pair(dimension.own, dimension.other));
    }
  }
  const auto passing = rotation.passed_through();
  const auto rows = shape[shape.size() - 2];
  PairedVectors result{dimensions.size(), passing.size(), {}, {}};
  std::vector<double> vector(rotation.head_dim);
  for (std::size_t row = 0; row < rows; ++row) {
    tensor.numbers(row * rotation.head_dim, vector);
    if (!std::ranges::all_of(vector, [](double x) { return std::isfinite(x); })) {
      throw InputError("{}: row {}: found an element that is not finite, expected numbers", source, row);
    }
    for (const auto& [pair, places] : dimensions) {
      result.turned.emplace_back(vector[places.first], vector[places.second]);
    }
    for (const auto place : passing) {
      result.unturned.push_back(vector[place]);
    }
  }
  return result;
}

AttentionErrors::AttentionErrors(const Frequencies& frequencies, double amplitude, int direction,
                                 const ErrorsOfRows& kept)
    : turns_(turns_of(frequencies)),
      amplitude_(amplitude),
      direction_(direction),
      positions_(kept.positions),
      kept_(&kept) {}

AttentionErrors::AttentionErrors(const BudgetModel& model, const Frequencies& frequencies, std::int64_t n,
                                 std::vector<std::int64_t> positions)
    : turns_(turns_of(frequencies)),
      amplitude_(model.amplitude()),
      positions_(std::move(positions)),
      model_(&model),
      context_(n) {}

AttentionRow AttentionErrors::row(const PairedVectors& queries, std::size_t query, std::size_t query_row,
                                  const PairedVectors& keys, std::span<const std::size_t> key_rows,
                                  double scale) const {
  AttentionRow result;
  const double square = amplitude_ * amplitude_;
  const auto q = queries.row(query);
  const auto q_passing = queries.passing_of(query);
  double greatest_norm = 0;
  double size = 1;
  for (std::size_t j = 0; j < key_rows.size(); ++j) {
    const auto k = keys.row(j);
    const auto distance = positions_[query_row] - positions_[key_rows[j]];
    const auto allowed = model_ == nullptr ? std::vector<double>()
                                           : allowed_change_by_pair(*model_, context_, std::abs(distance));
    double turned = 0;
    double change = 0;
    double radius = 0;
    for (std::size_t pair = 0; pair < q.size(); ++pair) {
      const auto [sine, cosine] = turns_[pair].at(distance);
      const auto product = q[pair] * std::conj(k[pair]) * std::complex(cosine, direction_ * sine);
      turned += product.real();
      if (kept_ != nullptr) {
        const auto a = kept_->row(query_row)[pair];
        const auto b = std::conj(kept_->row(key_rows[j])[pair]);
        const auto both = a + b + a * b;
        size = std::max({size, std::abs(1.0 + a), std::abs(1.0 + b)});
        change += (product * std::complex(both.real(), direction_ * both.imag())).real();
        radius += std::abs(product) * std::abs(both);
      } else {
        radius += std::abs(product) * allowed[pair] / square;
      }
    }
    double passing = 0;
    const auto k_passing = keys.passing_of(j);
    for (std::size_t i = 0; i < q_passing.size(); ++i) {
      passing += q_passing[i] * k_passing[i];
    }
    result.logits.push_back(scale * (square * turned + passing));
    if (kept_ != nullptr) {
      result.changes.push_back(scale * square * change);
    }
    result.radii.push_back(scale * square * radius * (1 + 0x1p-40));
    greatest_norm = std::max(greatest_norm, keys.norm(j));
  }
  const double product = scale * queries.norm(query) * greatest_norm;
  const auto terms = static_cast<double>(q.size() + q_passing.size());
  result.logit_error =
      product * std::max(1.0, square) * (4 * PhaseTurns::error + (terms + 8) * rounding_unit);
  result.change_error = product * square * size * size * (4 * factor_error + (terms + 8) * rounding_unit);
  for (double& radius : result.radii) {
    radius += result.change_error;
  }
  return result;
}

}  // namespace vernier
