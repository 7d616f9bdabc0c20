#include "numerics/cost/cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <ranges>

#include "numerics/budgets/conclusive.hpp"
#include "numerics/tensors/spread_indices.hpp"
#include "numerics/tolerances/error_bound.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// Pairs of all rows of the longest tables whose cost a verdict has: 131072 positions of 128 dimensions.
constexpr std::size_t most_pairs_of_a_verdict = std::size_t{1} << 23;
/// For sums and products of a bound that are computed in binary64.
constexpr double cost_slack = 1 + 0x1p-40;

/// What a function of two numbers makes of each number of two rows.
template <class Join>
RowCost joined_costs(const RowCost& x, const RowCost& y, const Join& join) {
  const auto both = [&](const ValueBounds& a, const ValueBounds& b) {
    return ValueBounds{join(a.lower, b.lower), join(a.upper, b.upper)};
  };
  return {both(x.kl, y.kl), both(x.total_variation, y.total_variation),
          both(x.weight_change, y.weight_change), join(x.weight_factor, y.weight_factor),
          join(x.kl_bound, y.kl_bound)};
}

/// What no row of attention exceeds whose logits move by the change: the sentences of attention_row.hpp.
Cost bounded_cost(const RotationChange& change, const AttentionModel& attention, std::int64_t context) {
  Cost cost;
  cost.context = context;
  cost.attention = attention;
  cost.score = scaled(change, attention.query_norm * attention.key_norm * attention.scale);
  cost.row = greatest_cost(cost.score.worst.change.upper);
  return cost;
}

using CostOfRow = std::function<RowCost(const PairedVector& query, std::span<const PairedVector> keys)>;

/// Takes the lower ends from rows of the last position over keys at all positions, each of new directions; or
/// of given vectors, each over those before.
void take_sample(Cost& cost, const std::optional<GivenVectors>& given, const CostOfRow& cost_of_row) {
  const auto& attention = cost.attention;
  auto& sample = cost.sample;
  sample.is_drawn = !given;
  const auto drawn = [&](std::size_t count, double norm, std::uint64_t seed) {
    return given ? std::vector<PairedVector>()
                 : drawn_vectors(count, attention.pairs, attention.passing, norm, seed);
  };
  const auto keys_of_row = std::min(attention.keys, static_cast<std::size_t>(cost.context));
  const auto drawn_queries = drawn(attention.rows, attention.query_norm, attention.seed);
  const auto& queries = given ? given->queries : drawn_queries;
  for (const auto query : spread_indices(queries.size(), attention.rows)) {
    const auto drawn_keys = drawn(keys_of_row, attention.key_norm, attention.seed + 1 + query);
    const auto keys = given ? std::span(given->keys).first(query + 1) : std::span(drawn_keys);
    const auto row = cost_of_row(queries[query], keys);
    ++sample.rows;
    sample.keys = std::max(sample.keys, keys.size());
    sample.mean = joined_costs(sample.mean, row, std::plus<>());
    sample.greatest = joined_costs(sample.greatest, row, [](double x, double y) { return std::max(x, y); });
  }
  const double part = 1 / static_cast<double>(sample.rows);
  sample.mean = {times(sample.mean.kl, part), times(sample.mean.total_variation, part),
                 times(sample.mean.weight_change, part), sample.mean.weight_factor * part,
                 sample.mean.kl_bound * part};
  sample.mean.total_variation.upper = std::min(1.0, sample.mean.total_variation.upper);
  cost.row.kl.lower = sample.greatest.kl.lower;
  cost.row.total_variation.lower = sample.greatest.total_variation.lower;
  cost.row.weight_change.lower = sample.greatest.weight_change.lower;
}

/// The most that rotating by a position and storing adds to a pair, as a share of its norm.
double error_of_rotation(const BudgetModel& model, Format stored, std::int64_t position) {
  double turned = 0;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const double a = std::min(2.0, greatest_phase_error(model, pair, std::abs(position))) +
                     std::numbers::sqrt2 * model.trig(position, pair, model.amplitude()) / model.amplitude();
    turned = std::max(turned, a);
  }
  const double u = traits(arithmetic_of(model.parameters().compute, stored)).unit_roundoff();
  const double v = traits(stored).unit_roundoff();
  return std::expm1(std::log1p(turned) + std::log1p(std::numbers::sqrt2 * u * (2 + u)) + std::log1p(v)) *
         cost_slack;
}

}  // namespace

AttentionModel AttentionModel::of_unit_components(const HeadRotation& rotation) {
  const double root = std::sqrt(static_cast<double>(rotation.head_dim));
  return {rotation.pairs.size(), rotation.passed_through().size(), root, root, 1 / root};
}

Cost cost_of(const Rotations& rotations, AttentionModel attention, const std::optional<GivenVectors>& given) {
  const auto& positions = rotations.positions;
  auto rows = spread_indices(positions.size(), attention.keys);
  if (given) {
    const auto count = given->queries.size();
    refuse_if(count > positions.size() || positions.front() != 0 ||
                  positions[count - 1] != static_cast<std::int64_t>(count - 1),
              "queries and keys: found {} rows, expected no more than the {} positions from 0 on", count,
              positions.size());
    rows = spread_indices(count, count);
    // The greatest norm stands for all.
    attention.query_norm = std::ranges::max(given->queries | std::views::transform(norm_of));
    attention.key_norm = std::ranges::max(given->keys | std::views::transform(norm_of));
  }
  ErrorsByPair errors;
  const auto change = measured_change(rotations, rows, errors);
  auto cost = bounded_cost(change, attention, std::ssize(positions));
  cost.has_gaps = positions.back() - positions.front() + 1 != cost.context;
  cost.sample.is_measured = std::isfinite(change.worst.change.upper) && !change.are_columns_apart;
  take_sample(cost, given, [&](const auto& query, const auto& keys) {
    // Errors that are no factors: what holds of every row.
    return cost.sample.is_measured ? cost_of(score_row(rotations, rows, errors, query, keys, attention.scale))
                                   : cost.row;
  });
  return cost;
}

std::shared_ptr<const Cost> cost_of(const Case& subject) {
  const auto rotations = rotations_of(subject);
  if (!rotations || rotations->positions.size() * rotations->meant.size() > most_pairs_of_a_verdict) {
    return nullptr;
  }
  auto attention = AttentionModel::of_unit_components(*subject.encoding->rotation());
  attention.rows = 4;
  attention.keys = 256;
  auto cost = std::make_shared<Cost>(cost_of(*rotations, attention));
  cost->computed = "the tables of " + subject.name;
  return cost;
}

Cost allowed_cost(const Contract& contract, const HeadRotation& rotation, Format stored, std::int64_t n,
                  AttentionModel attention) {
  attention.keys = 256;  // bounds by pair and distance take longer than errors that are known
  const auto model = contract.bind(rotation.table, stored);
  auto cost = bounded_cost(allowed_change(model, n), attention, n);
  const auto rows = spread_indices(static_cast<std::size_t>(n), attention.keys);
  const Rotations seen{
      turns_of(rotation.table.frequencies), model.amplitude(), {rows.begin(), rows.end()}, {}};
  const ErrorsByPair none(seen.meant.size(), PairedVector(rows.size()));
  take_sample(cost, {}, [&](const auto& query, const auto& keys) {
    const auto row =
        score_row(seen, spread_indices(rows.size(), rows.size()), none, query, keys, attention.scale);
    std::vector<double> radii(keys.size(), row.change_error);
    for (std::size_t key = 0; key < keys.size(); ++key) {
      const auto distance = seen.positions.back() - seen.positions[key];
      for (std::size_t pair = 0; pair < seen.meant.size(); ++pair) {
        radii[key] += std::abs(query[pair] * keys[key][pair]) * attention.scale * cost_slack *
                      allowed_change(model, n, distance, static_cast<int>(pair));
      }
    }
    auto allowed = greatest_cost(std::ranges::max(radii));
    allowed.kl.upper = allowed.kl_bound = kl_over_box(weights_of(row.scores), radii);
    return allowed;
  });
  return cost;
}

Moves moves_of(const Contract& contract, const HeadRotation& rotation, Format stored, std::int64_t n,
               std::int64_t shift) {
  auto moved = rotation.table;
  moved.amplitude = 1;  // a move turns: the amplitude is in the key already
  const auto compute = contract.bind(rotation.table, stored).parameters().compute;
  Moves result;
  result.shift = shift;
  result.first = error_of_rotation(contract.bind(rotation.table, compute), stored, n - 1);
  result.of_one = error_of_rotation(contract.bind(moved, compute), stored, shift);
  if (result.first < conclusive_share) {
    const double moves =
        (std::log1p(conclusive_share) - std::log1p(result.first)) / std::log1p(result.of_one) / cost_slack;
    result.most = static_cast<std::int64_t>(std::min(moves, 0x1p62));
  }
  const double amplitude = approximately(rotation.table.amplitude);
  if (amplitude != 1) {
    result.amplitude_again = std::fabs(amplitude - 1);
  }
  if (const auto* scaled = rotation.table.frequencies.scaled()) {
    const auto right = turns_of(rotation.table.frequencies);
    const auto unscaled = turns_of(Frequencies(scaled->unscaled));
    double greatest = 0;
    for (std::size_t pair = 0; pair < right.size(); ++pair) {
      const auto is = right[pair].at(shift);
      const auto plain = unscaled[pair].at(shift);
      greatest = std::max(greatest, std::hypot(is.cosine - plain.cosine, is.sine - plain.sine));
    }
    if (greatest > 4 * PhaseTurns::error) {
      result.scaling_ignored = greatest;
    }
  }
  return result;
}

}  // namespace vernier
