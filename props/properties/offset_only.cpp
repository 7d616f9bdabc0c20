#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "props/judging/shift.hpp"
#include "props/laws/law.hpp"
#include "props/models/judging.hpp"
#include "props/properties/bias_view.hpp"
#include "props/properties/bucket_view.hpp"
#include "props/properties/turn_view.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

void judge_equal_offsets_of_buckets(const BucketView& view, PropertyTally& tally) {
  for (std::size_t i = 1; i < view.entries.size(); ++i) {
    const auto& a = view.entries[i - 1];
    const auto& b = view.entries[i];
    if (a.relative == b.relative) {
      tally.must_hold(a.bucket == b.bucket, [&] { return place_of(b, a); });
    }
  }
}

/// The keys of each query are compared with those as far from the first query.
void judge_equal_offsets_of_biases(const BiasView& view, PropertyTally& tally) {
  std::vector<std::size_t> keys(view.keys.size());
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  const auto position_of = [&](std::size_t key) { return view.keys[key]; };
  std::ranges::stable_sort(keys, {}, position_of);
  const auto first = view.seen_queries.front();
  for (const auto query : view.seen_queries) {
    for (const auto key : query == first ? std::vector<std::size_t>() : view.seen_keys) {
      const auto wanted = view.keys[key] + view.query_position(query) - view.query_position(first);
      const auto found = std::ranges::lower_bound(keys, wanted, {}, position_of);
      if (found == keys.end() || view.keys[*found] != wanted) {
        continue;
      }
      for (std::size_t head = 0; head < view.heads; ++head) {
        const auto expected = view.at(head, first, key);
        const auto bias = view.at(head, query, *found);
        const double size = std::max(std::fabs(bias.value), std::fabs(expected.value));
        tally.must_vanish(bias.value - expected.value, bias.allowed + expected.allowed + bias_rounding * size,
                          size, [&] { return place_of(view, head, query, *found); });
      }
    }
  }
}

/// <key, query> of one pair, and the most that it may be away from R_q R_k cos(f_q - f_k).
///
/// Apart from e, the points are those of phases off by at most D_q and D_k, so that the difference is off by
/// D = D_q + D_k at most and the product by R_q R_k D. Where each component has an error of the phase of its
/// own, the terms of second order, (D_q^2 + D_k^2)/2 + D_q D_k, are no more than D^2. Each component's e adds
/// its product with the other factor.
Measured product_of(const PairTurn& query, const PairTurn& key) {
  const double turned = query.phase_error + key.phase_error;
  const double terms = std::fabs(query.cosine * key.cosine) + std::fabs(query.sine * key.sine);
  const double allowed = query.radius * key.radius * turned * (1 + turned) +
                         (std::fabs(query.cosine) + std::fabs(query.sine)) * key.error +
                         (std::fabs(key.cosine) + std::fabs(key.sine)) * query.error +
                         2 * query.error * key.error + turn_rounding * terms;
  return {query.cosine * key.cosine + query.sine * key.sine, allowed};
}

/// Two rows as far apart as others: the query's, the key's.
struct RowPair {
  std::size_t query;
  std::size_t key;
};

/// The offsets that are looked at: powers of two, and distances of the first position from others, which rows
/// that are far apart have.
std::set<std::int64_t> offsets_of(const Placed& rows) {
  std::set<std::int64_t> result;
  const auto reach = rows.back().position - rows.front().position;
  for (std::int64_t offset = 1; offset <= reach; offset *= 2) {
    result.insert(offset);
  }
  for (std::size_t i = 1; i < rows.size(); i *= 2) {
    result.insert(rows[i].position - rows.front().position);
  }
  result.erase(0);
  return result;
}

/// For each offset, `most` pairs of rows that are so far apart, fewer if there are not as many.
std::vector<std::vector<RowPair>> equally_far(const Placed& rows, std::size_t most) {
  std::vector<std::vector<RowPair>> result;
  for (const auto offset : offsets_of(rows)) {
    std::vector<RowPair> found;
    for (const auto i : spread_indices(rows.size(), 16 * most)) {
      const auto other = std::ranges::lower_bound(rows, rows[i].position + offset, {}, &PlacedRow::position);
      if (other != rows.end() && other->position == rows[i].position + offset) {
        found.push_back({other->row, rows[i].row});
      }
    }
    auto kept = mapped(spread_indices(found.size(), most), [&](auto i) { return found[i]; });
    result.push_back(std::move(kept));
  }
  return result;
}

/// Judges that each pair of an axis has one product in all of these rows.
void judge_products(const TurnView& view, int axis, const std::vector<RowPair>& far, PropertyTally& tally) {
  std::vector<std::optional<std::pair<RowPair, Measured>>> first(view.pairs());
  for (const auto& rows : far) {
    const auto queries = view.query(rows.query);
    const auto keys = view.key_or_query()(rows.key);
    for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
      const auto& query = queries[pair];
      const auto& key = keys[pair];
      if (view.axes[pair] != axis || !query || !key) {
        continue;
      }
      const auto product = product_of(*query, *key);
      if (!first[pair]) {
        first[pair] = {rows, product};
        continue;
      }
      const auto& [expected_rows, expected] = *first[pair];
      tally.must_vanish(
          product.value - expected.value, product.allowed + expected.allowed, query->radius * key->radius,
          [&, other = expected_rows] {
            const auto position = [&](std::size_t row) { return view.position_text(row, axis); };
            auto place = place_of(view, pair, rows.query);
            place.emplace_back("position of the key", position(rows.key));
            place.emplace_back("compared with rows", fmt::format("{} and {}", other.query, other.key));
            place.emplace_back("compared with position", position(other.query));
            place.emplace_back("and key", position(other.key));
            return place;
          });
    }
  }
}

void judge_equal_offsets_of_turns(const TurnView& view, PropertyTally& tally) {
  constexpr std::size_t offsets = 40;
  const auto most = std::clamp<std::size_t>(most_turns / (offsets * view.distinct_pairs), 2, 64);
  for (const auto& [axis, rows] : placed_rows(view)) {
    for (const auto& far : equally_far(rows, most)) {
      judge_products(view, axis, far, tally);
    }
  }
}

void judge_products_of_rows(const LawCase& instance, TableView& view, Judgement& judgement) {
  const std::int64_t t = instance.position("t");
  const std::int64_t s = instance.position("s");
  const std::int64_t k = instance.position("k");
  const auto product_at = [&](std::int64_t position) {
    return dot(view, view.row(position, Allowance::total), view.row(position + k, Allowance::total));
  };
  const Interval at_t = product_at(t);
  const Interval at_s = product_at(s);
  const auto offset = view.truth(k);
  Interval sum = 0;
  for (const auto& pair : view.pairs()) {
    sum += offset.cosine(pair.pair);
  }
  const auto pairs = static_cast<std::ptrdiff_t>(view.pairs().size());
  judgement.must_vanish(at_t - at_s, dot_scale(view), "product at t less product at s, pairs summed:", pairs);
  judgement.must_vanish(at_t - squared(view.amplitude()) * sum, dot_scale(view),
                        "product at t less the sum of cosines, pairs summed:", pairs);
}

void judge_scores_of_rotated(const LawCase& instance, RotationView& view, Judgement& judgement) {
  const auto q = observed_exactly(instance.vector("q"));
  const auto k = observed_exactly(instance.vector("k"));
  const auto score = [&](std::int64_t shift) {
    const auto query = view.turned(Mapping::query, instance.position("m") + shift, q, Allowance::total);
    const auto key = view.turned(Mapping::key, instance.position("n") + shift, k, Allowance::total);
    return Interval(query.enclosures.dot(key.enclosures));
  };
  const double scale = norm_above(q.values) * norm_above(k.values);
  judgement.must_vanish(
      score(0) - score(instance.position("s")), scale,
      "difference of the scores, dimensions summed:", static_cast<std::ptrdiff_t>(q.values.size()));
}

Outcome judge_scores_of_model(const PositionModel& model, const MatrixCase& values) {
  return must_vanish(model.score(values.t, values.t + values.k) - model.score(values.s, values.s + values.k));
}

}  // namespace

std::vector<Property> offset_only_properties() {
  return {{.id = "offset-only",
           .buckets = judge_equal_offsets_of_buckets,
           .biases = judge_equal_offsets_of_biases,
           .turns = judge_equal_offsets_of_turns,
           .drawn = {{.judge = judge_products_of_rows}, {.judge = judge_scores_of_rotated}},
           .model = ModelJudge{.judge = judge_scores_of_model}}};
}

}  // namespace vernier
