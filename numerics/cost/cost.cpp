#include "numerics/cost/cost.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "numerics/cost/attention_bounds.hpp"
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

void add(AttentionSample& sample, const RowCost& row) {
  const auto greater = [](const ValueBounds& x, const ValueBounds& y) {
    return ValueBounds{std::max(x.lower, y.lower), std::max(x.upper, y.upper)};
  };
  const auto sum = [](const ValueBounds& x, const ValueBounds& y) {
    return ValueBounds{x.lower + y.lower, x.upper + y.upper};
  };
  ++sample.rows;
  sample.mean_kl = sum(sample.mean_kl, row.kl);
  sample.greatest_kl = greater(sample.greatest_kl, row.kl);
  sample.mean_kl_bound += row.kl_bound;
  sample.greatest_kl_bound = std::max(sample.greatest_kl_bound, row.kl_bound);
  sample.mean_total_variation = sum(sample.mean_total_variation, row.total_variation);
  sample.greatest_total_variation = greater(sample.greatest_total_variation, row.total_variation);
  sample.greatest_weight_change = greater(sample.greatest_weight_change, row.weight_change);
}

void divide_means(AttentionSample& sample) {
  const double part = 1 / static_cast<double>(sample.rows);
  sample.mean_kl = times(sample.mean_kl, part);
  sample.mean_total_variation = times(sample.mean_total_variation, part);
  sample.mean_total_variation.upper = std::min(1.0, sample.mean_total_variation.upper);
  sample.mean_kl_bound *= part;
}

/// Rows of the last position over keys at all rows of the errors, each of new directions.
AttentionSample drawn_sample(const AttentionErrors& errors, std::size_t pairs,
                             const AttentionModel& attention, std::size_t passing) {
  AttentionSample sample;
  std::vector<std::size_t> keys(errors.positions().size());
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  sample.keys = keys.size();
  const auto queries = drawn_vectors(attention.rows, pairs, passing, attention.query_norm, attention.seed);
  for (std::size_t i = 0; i < attention.rows; ++i) {
    const auto drawn = drawn_vectors(keys.size(), pairs, passing, attention.key_norm, attention.seed + 1 + i);
    add(sample, cost_of(errors.row(queries, i, keys.back(), drawn, keys, attention.scale)));
  }
  divide_means(sample);
  return sample;
}

AttentionSample given_sample(const AttentionErrors& errors, const GivenVectors& given,
                             const AttentionModel& attention) {
  AttentionSample sample;
  sample.is_drawn = false;
  for (const auto query : spread_rows_of(given.rows, attention.rows)) {
    std::vector<std::size_t> keys(query + 1);
    std::iota(keys.begin(), keys.end(), std::size_t{0});
    sample.keys = std::max(sample.keys, keys.size());
    add(sample, cost_of(errors.row(given.queries, query, query, given.keys, keys, attention.scale)));
  }
  divide_means(sample);
  return sample;
}

/// The sentences of attention_bounds.hpp for the greatest change of a logit; lower ends from the sample.
void bound_attention(Cost& cost) {
  const auto& attention = cost.attention;
  const double factor = attention.query_norm * attention.key_norm * attention.scale;
  cost.score = times(cost.rotation.worst, factor);
  for (const auto& at : cost.rotation.by_distance) {
    cost.score_by_distance.push_back(times(at.change, factor));
  }
  const double e = cost.score.upper;
  const auto& sample = cost.sample;
  const auto lower = [&](const ValueBounds& measured) { return sample.is_measured ? measured.lower : 0; };
  cost.kl = {lower(sample.greatest_kl), greatest_kl(e).upper};
  cost.total_variation = {lower(sample.greatest_total_variation), greatest_total_variation(e).upper};
  cost.weight_change = {lower(sample.greatest_weight_change), cost.total_variation.upper};
  cost.weight_factor = {1, greatest_weight_factor(e).upper};
}

/// What holds of every row, where the errors are no factors.
void bound_sample(Cost& cost) {
  auto& sample = cost.sample;
  sample.mean_kl = sample.greatest_kl = {0, cost.kl.upper};
  sample.mean_kl_bound = sample.greatest_kl_bound = cost.kl.upper;
  sample.mean_total_variation = sample.greatest_total_variation = {0, cost.total_variation.upper};
  sample.greatest_weight_change = {0, cost.weight_change.upper};
}

/// The greatest norms stand for all.
void take_norms(AttentionModel& attention, const GivenVectors& given) {
  attention.query_norm = 0;
  attention.key_norm = 0;
  for (std::size_t row = 0; row < given.rows; ++row) {
    attention.query_norm = std::max(attention.query_norm, given.queries.norm(row));
    attention.key_norm = std::max(attention.key_norm, given.keys.norm(row));
  }
}

}  // namespace

AttentionModel AttentionModel::of_unit_components(std::size_t head_dim) {
  const double root = std::sqrt(static_cast<double>(head_dim));
  return {root, root, 1 / root};
}

Cost cost_of(const StoredRotations& rotations, const HeadRotation& rotation, const AttentionModel& attention,
             const std::optional<GivenVectors>& given) {
  const auto& positions = rotations.positions();
  if (given && (given->rows > positions.size() || positions.front() != 0 ||
                positions[given->rows - 1] != static_cast<std::int64_t>(given->rows - 1))) {
    throw InputError("queries and keys: found {} rows, expected no more than the {} positions from 0 on",
                     given->rows, positions.size());
  }
  Cost cost;
  cost.context = std::ssize(positions);
  cost.has_gaps = positions.back() - positions.front() + 1 != cost.context;
  cost.head_dim = rotation.head_dim;
  cost.attention = attention;
  const auto rows =
      given ? spread_rows_of(given->rows, given->rows) : spread_rows_of(positions.size(), attention.keys);
  ErrorsOfRows kept;
  cost.rotation = measured_change(rotations, rows, kept);
  const AttentionErrors errors(rotations.meant().frequencies, approximately(rotations.meant().amplitude),
                               rotation.direction(), kept);
  if (given) {
    take_norms(cost.attention, *given);
    cost.sample = given_sample(errors, *given, attention);
  } else {
    cost.sample = drawn_sample(errors, static_cast<std::size_t>(kept.pairs), attention,
                               rotation.passed_through().size());
  }
  cost.sample.is_measured = std::isfinite(cost.rotation.worst.upper) && !cost.rotation.are_columns_apart;
  bound_attention(cost);
  if (!cost.sample.is_measured) {
    bound_sample(cost);
  }
  return cost;
}

std::shared_ptr<const Cost> cost_of(const Case& subject) {
  const auto rotations = rotations_of(subject);
  if (rotations == nullptr ||
      rotations->positions().size() * static_cast<std::size_t>(rotations->meant().frequencies.pairs()) >
          most_pairs_of_a_verdict) {
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
  cost.head_dim = rotation.head_dim;
  cost.attention = attention;
  cost.rotation = allowed_change(model, n);
  std::vector<std::int64_t> positions;
  // Bounds by pair and distance take longer than errors that are known.
  constexpr std::size_t most_bounded_keys = 256;
  for (const auto row : spread_rows_of(static_cast<std::size_t>(n), most_bounded_keys)) {
    positions.push_back(static_cast<std::int64_t>(row));
  }
  const AttentionErrors errors(model, rotation.table.frequencies, n, std::move(positions));
  cost.sample = drawn_sample(errors, static_cast<std::size_t>(model.pairs()), attention,
                             rotation.passed_through().size());
  bound_attention(cost);
  return cost;
}

}  // namespace vernier
