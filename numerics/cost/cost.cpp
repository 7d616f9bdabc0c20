#include "numerics/cost/cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

/// Pairs of all rows of the longest tables whose cost a verdict has: 131072 positions of 128 dimensions.
constexpr std::size_t most_pairs_of_a_verdict = std::size_t{1} << 23;

/// At most so many indices below n, evenly, with the first and the last.
std::vector<std::size_t> spread_rows_of(std::size_t n, std::size_t most) {
  std::vector<std::size_t> result;
  const auto count = std::min(n, most);
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(count == 1 ? n - 1 : i * (n - 1) / (count - 1));
  }
  return result;
}

/// What a function of two numbers makes of each number of two rows.
template <class Join>
RowCost joined_costs(const RowCost& x, const RowCost& y, const Join& join) {
  const auto both = [&](const ValueBounds& a, const ValueBounds& b) {
    return ValueBounds{join(a.lower, b.lower), join(a.upper, b.upper)};
  };
  return {both(x.kl, y.kl), both(x.total_variation, y.total_variation),
          both(x.weight_change, y.weight_change), join(x.kl_bound, y.kl_bound)};
}

/// Of rows of the last position over keys at all positions, each of new directions; or of given vectors, each
/// over those before. \param cost_of_row called with a query, keys, and how many of the keys
template <class CostOfRow>
AttentionSample sample_of(const TurnedRows& rows, const HeadRotation& rotation,
                          const AttentionModel& attention, const std::optional<GivenVectors>& given,
                          const CostOfRow& cost_of_row) {
  AttentionSample sample;
  sample.is_drawn = !given;
  const auto drawn = [&](std::size_t count, double norm, std::uint64_t seed) {
    return given ? std::vector<PairedVector>()
                 : drawn_vectors(count, rows.meant.size(), rotation.passed_through().size(), norm, seed);
  };
  const auto drawn_queries = drawn(attention.rows, attention.query_norm, attention.seed);
  const auto& queries = given ? given->queries : drawn_queries;
  for (const auto query : spread_rows_of(queries.size(), attention.rows)) {
    const auto drawn_keys = drawn(rows.positions.size(), attention.key_norm, attention.seed + 1 + query);
    const auto count = given ? query + 1 : drawn_keys.size();
    const RowCost cost = cost_of_row(queries[query], given ? given->keys : drawn_keys, count);
    ++sample.rows;
    sample.keys = std::max(sample.keys, count);
    sample.mean = joined_costs(sample.mean, cost, std::plus<>());
    sample.greatest = joined_costs(sample.greatest, cost, [](double x, double y) { return std::max(x, y); });
  }
  const double part = 1 / static_cast<double>(sample.rows);
  sample.mean = {times(sample.mean.kl, part), times(sample.mean.total_variation, part),
                 times(sample.mean.weight_change, part), sample.mean.kl_bound * part};
  sample.mean.total_variation.upper = std::min(1.0, sample.mean.total_variation.upper);
  return sample;
}

/// The sentences of softmax_change.hpp for the greatest change of a logit; lower ends from the sample.
void bound_attention(Cost& cost, const RotationChange& change) {
  const auto& attention = cost.attention;
  cost.score = scaled(change, attention.query_norm * attention.key_norm * attention.scale);
  const double e = cost.score.worst.change.upper;
  auto& sample = cost.sample;
  const auto attained = sample.is_measured ? sample.greatest : RowCost();
  cost.kl = {attained.kl.lower, greatest_kl(e)};
  cost.total_variation = {attained.total_variation.lower, greatest_total_variation(e)};
  cost.weight_change = {attained.weight_change.lower, cost.total_variation.upper};
  cost.weight_factor = {1, greatest_weight_factor(e)};
}

/// The greatest norm, which stands for all.
double greatest_norm_of(const std::vector<PairedVector>& vectors) {
  return norm_of(*std::ranges::max_element(vectors, {}, norm_of));
}

}  // namespace

AttentionModel AttentionModel::of_unit_components(std::size_t head_dim) {
  const double root = std::sqrt(static_cast<double>(head_dim));
  return {root, root, 1 / root};
}

Cost cost_of(const Rotations& rotations, const HeadRotation& rotation, const AttentionModel& attention,
             const std::optional<GivenVectors>& given) {
  const auto& positions = rotations.positions;
  Cost cost;
  cost.context = std::ssize(positions);
  cost.has_gaps = positions.back() - positions.front() + 1 != cost.context;
  cost.attention = attention;
  auto rows = spread_rows_of(positions.size(), attention.keys);
  if (given) {
    const auto count = given->queries.size();
    if (count > positions.size() || positions.front() != 0 ||
        positions[count - 1] != static_cast<std::int64_t>(count - 1)) {
      throw InputError("queries and keys: found {} rows, expected no more than the {} positions from 0 on",
                       count, positions.size());
    }
    rows.resize(count);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    cost.attention.query_norm = greatest_norm_of(given->queries);
    cost.attention.key_norm = greatest_norm_of(given->keys);
  }
  TurnedRows turned{rotations.meant, rotations.amplitude, rotation.direction(), {}, {}};
  const auto change = measured_change(rotations, rows, turned.errors);
  for (const auto row : rows) {
    turned.positions.push_back(positions[row]);
  }
  cost.sample = sample_of(turned, rotation, attention, given,
                          [&](const auto& query, const auto& keys, std::size_t count) {
                            return cost_of(score_row(turned, query, keys, count, attention.scale));
                          });
  cost.sample.is_measured = std::isfinite(change.worst.change.upper) && !change.are_columns_apart;
  bound_attention(cost, change);
  if (!cost.sample.is_measured) {
    // The errors are no factors: what holds of every row.
    cost.sample.mean = cost.sample.greatest = {
        {0, cost.kl.upper}, {0, cost.total_variation.upper}, {0, cost.weight_change.upper}, cost.kl.upper};
  }
  return cost;
}

std::shared_ptr<const Cost> cost_of(const Case& subject) {
  const auto rotations = rotations_of(subject);
  if (!rotations || rotations->positions.size() * rotations->meant.size() > most_pairs_of_a_verdict) {
    return nullptr;
  }
  const auto rotation = subject.encoding->all<HeadRotation>().front();
  auto attention = AttentionModel::of_unit_components(rotation.head_dim);
  attention.rows = 4;
  attention.keys = 256;
  auto cost = std::make_shared<Cost>(cost_of(*rotations, rotation, attention));
  cost->computed = "the tables of " + subject.name;
  return cost;
}

Cost allowed_cost(const Contract& contract, const HeadRotation& rotation, Format stored, std::int64_t n,
                  const AttentionModel& attention) {
  const auto model = contract.bind(rotation.table, stored);
  Cost cost;
  cost.context = n;
  cost.attention = attention;
  // Bounds by pair and distance take longer than errors that are known.
  constexpr std::size_t most_bounded_keys = 256;
  TurnedRows rows{turns_of(rotation.table.frequencies), model.amplitude(), 1, {}, {}};
  for (const auto row : spread_rows_of(static_cast<std::size_t>(n), most_bounded_keys)) {
    rows.positions.push_back(static_cast<std::int64_t>(row));
  }
  rows.errors.assign(rows.meant.size(), PairedVector(rows.positions.size()));
  cost.sample = sample_of(
      rows, rotation, attention, std::nullopt, [&](const auto& query, const auto& keys, std::size_t count) {
        const auto row = score_row(rows, query, keys, count, attention.scale);
        std::vector<double> radii(count, row.change_error);
        for (std::size_t key = 0; key < count; ++key) {
          const auto distance = rows.positions.back() - rows.positions[key];
          for (std::size_t pair = 0; pair < rows.meant.size(); ++pair) {
            radii[key] += std::abs(query[pair] * keys[key][pair]) * attention.scale * (1 + 0x1p-40) *
                          allowed_change(model, n, distance, static_cast<int>(pair));
          }
        }
        return RowCost::at_most(kl_over_box(weights_of(row.scores), radii),
                                greatest_total_variation(*std::ranges::max_element(radii)));
      });
  bound_attention(cost, allowed_change(model, n));
  return cost;
}

}  // namespace vernier
