#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "props/properties/property.hpp"

namespace vernier {
namespace {

/// What the sums and products of a residual here may be off by, of the sum of the magnitudes of its terms: a
/// few roundings of binary64, 2^-53 each, the radius with its own among them.
constexpr double own_rounding = 0x1p-49;

/// How many turns a property looks at, so that a tensor of any size takes a moment.
constexpr std::size_t most_instances = std::size_t{1} << 18;

PropertyTally::Place place_of(const TurnView& view, std::size_t pair, std::size_t row) {
  return {{"tensors", view.source},
          {"row of all copies", std::to_string(row)},
          {"position", std::to_string(view.position(row, view.axes[pair]))},
          {"pair", std::to_string(pair)}};
}

/// A row and its position in one axis.
struct PlacedRow {
  std::int64_t position = 0;
  std::size_t row = 0;
  auto operator<=>(const PlacedRow&) const = default;
};
using Placed = std::vector<PlacedRow>;

/// The rows of each axis that any pair turns by, in ascending order of their positions: all, or the first
/// and the last.
std::map<int, Placed> placed_rows(const TurnView& view) {
  constexpr std::size_t most_rows = std::size_t{1} << 19;
  std::map<int, Placed> result;
  for (const int axis : view.axes) {
    if (result.contains(axis)) {
      continue;
    }
    auto& rows = result[axis];
    for (std::size_t i = 0; i < std::min(view.rows, most_rows); ++i) {
      const auto row = i < most_rows / 2 || view.rows <= most_rows ? i : view.rows - most_rows + i;
      rows.push_back({view.position(row, axis), row});
    }
    std::ranges::sort(rows);
  }
  return result;
}

/// The square of the circle that a turn lies on, as it is stored.
double square_of(const PairTurn& turn) {
  return turn.cosine * turn.cosine + turn.sine * turn.sine;
}

/// The most that it may be away from R^2.
double square_error(const PairTurn& turn) {
  return square_allowance(turn.cosine, turn.error, turn.sine, turn.error);
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
                         2 * query.error * key.error + own_rounding * terms;
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
    std::vector<RowPair> kept;
    for (const auto i : spread_indices(found.size(), most)) {
      kept.push_back(found[i]);
    }
    result.push_back(std::move(kept));
  }
  return result;
}

/// Judges that one pair has one product in all of these rows.
void judge_products(const TurnView& view, std::size_t pair, const std::vector<RowPair>& far,
                    PropertyTally& tally) {
  const auto position = [&](std::size_t row) { return std::to_string(view.position(row, view.axes[pair])); };
  std::optional<std::pair<RowPair, Measured>> first;
  for (const auto& rows : far) {
    const auto query = view.query(rows.query, pair);
    const auto key = view.key_or_query()(rows.key, pair);
    if (!query || !key) {
      continue;
    }
    const auto product = product_of(*query, *key);
    if (!first) {
      first = {rows, product};
      continue;
    }
    const auto& [expected_rows, expected] = *first;
    tally.must_vanish(product.value - expected.value, product.allowed + expected.allowed,
                      query->radius * key->radius, [&, other = expected_rows] {
                        auto place = place_of(view, pair, rows.query);
                        place.emplace_back("position of the key", position(rows.key));
                        place.emplace_back("compared with position", position(other.query));
                        place.emplace_back("and key", position(other.key));
                        return place;
                      });
  }
}

void judge_offset(const TurnView& view, PropertyTally& tally) {
  constexpr std::size_t offsets = 40;
  const auto most = std::clamp<std::size_t>(most_instances / (offsets * view.pairs()), 2, 64);
  for (const auto& [axis, rows] : placed_rows(view)) {
    for (const auto& far : equally_far(rows, most)) {
      for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
        if (view.axes[pair] == axis) {
          judge_products(view, pair, far, tally);
        }
      }
    }
  }
}

void judge_position(const TurnView& view, PropertyTally& tally) {
  const auto by_axis = placed_rows(view);
  for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
    const auto& rows = by_axis.at(view.axes[pair]);
    const auto most = std::max<std::size_t>(2, most_instances / view.pairs());
    for (const auto i : spread_indices(rows.size(), most)) {
      const auto first = std::ranges::lower_bound(rows, rows[i].position, {}, &PlacedRow::position)->row;
      if (first == rows[i].row) {
        continue;
      }
      const auto a = view.query(first, pair);
      const auto b = view.query(rows[i].row, pair);
      if (!a || !b) {
        continue;
      }
      const double allowed =
          a->error + b->error + a->radius * (a->phase_error + b->phase_error) + own_rounding * a->radius;
      const double apart = std::max(std::fabs(a->cosine - b->cosine), std::fabs(a->sine - b->sine));
      tally.must_vanish(apart, allowed, a->radius, [&] { return place_of(view, pair, rows[i].row); });
    }
  }
}

void judge_unit_norm(const TurnView& view, PropertyTally& tally) {
  if (!view.is_table) {
    return;
  }
  for (const auto row : spread_indices(view.rows, std::max<std::size_t>(2, most_instances / view.pairs()))) {
    for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
      for (const auto* turns : {&view.query, &view.key}) {
        const auto turn = *turns ? (*turns)(row, pair) : std::nullopt;
        if (turn) {
          const double expected = turn->radius * turn->radius;
          tally.must_vanish(square_of(*turn) - expected, square_error(*turn) + own_rounding * expected,
                            expected, [&] { return place_of(view, pair, row); });
        }
      }
    }
  }
}

void judge_keys(const TurnView& view, PropertyTally& tally) {
  if (!view.key) {
    return;
  }
  for (const auto row : spread_indices(view.rows, std::max<std::size_t>(2, most_instances / view.pairs()))) {
    for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
      const auto query = view.query(row, pair);
      const auto key = view.key(row, pair);
      if (!query || !key) {
        continue;
      }
      const double q = square_of(*query);
      const double k = square_of(*key);
      const double expected = query->radius * query->radius * key->radius * key->radius;
      const double dq = square_error(*query);
      const double dk = square_error(*key);
      tally.must_vanish(q * k - expected, q * dk + k * dq + dq * dk + own_rounding * (q * k + expected),
                        expected, [&] { return place_of(view, pair, row); });
    }
  }
}

}  // namespace

Property turn_offset_property() {
  return {.id = "offset-only",
          .name = "Products of turned pairs depend on the offset only",
          .statement =
              "c_p c'_q + s_p s'_q = c_(p+t) c'_(q+t) + s_(p+t) s'_(q+t) in every pair, p, q the "
              "positions that it turns by, ' of keys; xPos: A^2 zeta^((p - q)/B) cos((p - q) w)",
          .hypotheses =
              "pairs that turn by a fixed frequency and scale by a power of the position: sinusoids, "
              "Transformer-XL, RoPE with any fixed scaling, axial and multi-axis RoPE in every "
              "axis, xPos",
          .citation =
              "Su et al. 2021, equations 11 and 16; Sun et al. 2022, section 2 (xPos); Vaswani et al. "
              "2017, section 3.5",
          .counterexample =
              "two tokens as far apart as two others that attend to each other differently: "
              "attention depends on where the text, or the image's patch, stands",
          .judge = judge_offset};
}

Property turn_position_property() {
  return {.id = "own-position",
          .name = "A pair turns by the position of its own axis only",
          .statement = "p_s = q_s implies c_p = c_q and s_p = s_q in every pair of the axis s",
          .hypotheses = "tables and rotations of one position or several; rows that share one",
          .citation = "Wang et al. 2024 (Qwen2-VL), section 2.1: M-RoPE; Heo et al. 2024: axial RoPE",
          .counterexample = "a pair that turns by another axis, or copies of a row that differ",
          .judge = judge_position};
}

Property unit_norm_property() {
  return {.id = "unit-norm",
          .name = "Each pair lies on the circle of its amplitude and scale",
          .statement =
              "c^2 + s^2 = (A sigma_p)^2, whatever the phase; sigma = 1 but for xPos, where it is "
              "zeta^((p - c)/B) of queries and the inverse of keys",
          .hypotheses =
              "tables of sines and cosines of any frequencies, of one position or several, with a scale or "
              "not; of rotated vectors it is norm",
          .citation = "sin^2 + cos^2 = 1; Sun et al. 2022, section 2",
          .counterexample =
              "a sine and a cosine that do not share one phase or one scale: vectors grow or "
              "shrink with their position. Any phase will do, so that the trigonometry, the amplitude and "
              "the storage are judged apart from errors of position and frequency",
          .judge = judge_unit_norm};
}

Property turn_keys_property() {
  return {
      .id = "keys-undo-queries",
      .name = "The scale of a key undoes that of a query at its position",
      .statement = "(c_p^2 + s_p^2) (c'_p^2 + s'_p^2) = A^4, ' of keys",
      .hypotheses = "xPos: tables or rotated vectors of queries and of keys",
      .citation = "Sun et al. 2022, section 2: keys are scaled by the inverse",
      .counterexample = "a key scaled like a query, or about another centre: scores grow with the position",
      .judge = judge_keys};
}

}  // namespace vernier
