#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "numerics/cases/bias_tensor.hpp"
#include "props/properties/property.hpp"
#include "reference/real.hpp"

namespace vernier {
namespace {

/// What the additions and products of a residual here may be off by, of the sum of the magnitudes of its
/// terms: at most four roundings of binary64 each, 2^-53 a time, and room.
constexpr double own_rounding = 0x1p-50;

std::string decimal(double value) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 9);
  return {digits.data(), end.ptr};
}

PropertyTally::Place place_of(const BiasView& view, std::size_t head, std::size_t query, std::size_t key) {
  return {{"head", std::to_string(head)},
          {"query position", std::to_string(view.query_position(query))},
          {"key position", std::to_string(view.keys[key])},
          {"bias", decimal(view.at(head, query, key).value)}};
}

/// The keys at or before a query, by ascending position.
std::vector<std::size_t> causal_keys(const BiasView& view, std::size_t query) {
  std::vector<std::size_t> result;
  for (const auto key : view.seen_keys) {
    if (view.keys[key] <= view.query_position(query)) {
      result.push_back(key);
    }
  }
  std::ranges::stable_sort(result, {}, [&](std::size_t key) { return view.keys[key]; });
  return result;
}

/// Calls `judge(head, query, keys)` for each row, with the causal keys of the query.
template <class Judge>
void for_each_row(const BiasView& view, const Judge& judge) {
  for (const auto query : view.seen_queries) {
    const auto keys = causal_keys(view, query);
    for (std::size_t head = 0; head < view.heads; ++head) {
      judge(head, query, keys);
    }
  }
}

/// The keys of each query are compared with those as far from the first query.
void judge_offset(const BiasView& view, PropertyTally& tally) {
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
        tally.must_vanish(bias.value - expected.value, bias.allowed + expected.allowed + own_rounding * size,
                          size, [&] { return place_of(view, head, query, *found); });
      }
    }
  }
}

/// The chord between the first and the last key holds all others: the widest triples, in which what each
/// bias may be off by counts least.
void judge_line(const BiasView& view, PropertyTally& tally) {
  for_each_row(view, [&](std::size_t head, std::size_t query, const std::vector<std::size_t>& keys) {
    if (keys.size() < 3) {
      return;
    }
    const auto first = view.at(head, query, keys.front());
    const auto last = view.at(head, query, keys.back());
    const auto from_first = [&](std::size_t key) {
      return static_cast<double>(view.keys[key] - view.keys[keys.front()]);
    };
    const double span = from_first(keys.back());
    for (std::size_t i = 1; i + 1 < keys.size(); ++i) {
      const auto bias = view.at(head, query, keys[i]);
      const double along = from_first(keys[i]);
      const double rise = bias.value - first.value;
      const double whole = last.value - first.value;
      const double terms = (std::fabs(bias.value) + std::fabs(first.value)) * span +
                           (std::fabs(last.value) + std::fabs(first.value)) * along;
      tally.must_vanish(rise * span - whole * along,
                        (bias.allowed + first.allowed) * span + (last.allowed + first.allowed) * along +
                            own_rounding * terms,
                        std::fabs(whole) * span, [&] { return place_of(view, head, query, keys[i]); });
    }
  });
}

void judge_decay(const BiasView& view, PropertyTally& tally) {
  for_each_row(view, [&](std::size_t head, std::size_t query, const std::vector<std::size_t>& keys) {
    if (keys.size() < 2) {
      return;
    }
    const double whole =
        std::fabs(view.at(head, query, keys.back()).value - view.at(head, query, keys.front()).value);
    std::optional<Measured> greatest;  // of the farther keys, by the least that it can be
    for (const auto key : keys) {
      const auto bias = view.at(head, query, key);
      if (greatest) {
        tally.must_vanish(std::max(0.0, greatest->value - bias.value), greatest->allowed + bias.allowed,
                          whole, [&] { return place_of(view, head, query, key); });
      }
      if (!greatest || bias.value - bias.allowed > greatest->value - greatest->allowed) {
        greatest = bias;
      }
    }
  });
}

void judge_zero(const BiasView& view, PropertyTally& tally) {
  for_each_row(view, [&](std::size_t head, std::size_t query, const std::vector<std::size_t>&) {
    const auto own = view.keys.size() - view.queries + query;
    const auto bias = view.at(head, query, own);
    tally.must_hold(std::fabs(bias.value) <= bias.allowed, [&] { return place_of(view, head, query, own); });
  });
}

/// b_(h-1) b_(h+1) = b_h^2, at the key whose bias says most. With b + e for b in all three, the left side is
/// off by |b_(h-1)| e + |b_(h+1)| e + e e and the right one by 2 |b_h| e + e^2.
void judge_ratio(const BiasView& view, PropertyTally& tally) {
  if (view.heads < 3) {
    return;
  }
  std::size_t query = view.seen_queries.front();
  std::size_t key = view.seen_keys.front();
  for (const auto q : view.seen_queries) {
    for (const auto k : view.seen_keys) {
      if (std::fabs(view.at(0, q, k).value) > std::fabs(view.at(0, query, key).value)) {
        query = q;
        key = k;
      }
    }
  }
  for (std::size_t head = 1; head + 1 < view.heads; ++head) {
    const auto before = view.at(head - 1, query, key);
    const auto bias = view.at(head, query, key);
    const auto after = view.at(head + 1, query, key);
    const double square = bias.value * bias.value;
    const double product = before.value * after.value;
    const double allowed = std::fabs(before.value) * after.allowed + std::fabs(after.value) * before.allowed +
                           before.allowed * after.allowed + 2 * std::fabs(bias.value) * bias.allowed +
                           bias.allowed * bias.allowed + own_rounding * (square + std::fabs(product));
    tally.must_vanish(product - square, allowed, std::max(square, std::fabs(product)),
                      [&] { return place_of(view, head, query, key); });
  }
}

BiasView shape_of(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  constexpr std::size_t most_queries = 64;
  constexpr std::size_t most_biases = std::size_t{1} << 17;
  const bool is_slope = bias.table.factor == BiasTable::Factor::one;
  BiasView view{bias.table.slopes.size(),
                bias.queries(),
                is_slope ? std::vector<std::int64_t>{0} : std::vector(keys.begin(), keys.end()),
                {}};
  view.seen_queries = spread_indices(view.queries, most_queries);
  const auto rows = view.heads * view.seen_queries.size();
  view.seen_keys = spread_indices(view.keys.size(), std::max<std::size_t>(16, most_biases / rows));
  return view;
}

}  // namespace

std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most) {
  std::vector<std::size_t> result(std::min(count, most));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = count <= most ? i : i * (count - 1) / (most - 1);
  }
  return result;
}

BiasView reference_view(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  auto view = shape_of(bias, keys);
  std::vector<Enclosure> slopes;
  for (const auto& slope : bias.table.slopes) {
    slopes.push_back(tight_enclosure([&] { return slope.enclosure(); }));
  }
  view.at = [&bias, keys, slopes](std::size_t head, std::size_t query, std::size_t key) -> Measured {
    const auto multiplier = bias.table.multiplier(keys, bias.queries(), query, key);
    const auto truth = slopes[head] * Enclosure{{static_cast<double>(multiplier), 0}, 0};
    const double value = truth.approximately();
    // Rounding to a double, and the radius of an enclosure that is tight to many more bits.
    return {value, std::fabs(value) * 0x1p-52};
  };
  return view;
}

BiasView view_of(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  auto view = shape_of(bias, keys);
  std::vector<BiasBudget> budgets;
  for (const auto& slope : bias.table.slopes) {
    budgets.push_back(bias.contract->bind(slope, bias.stored()));
  }
  const auto truth = reference_view(bias, keys);
  view.at = [&bias, budgets, truth](std::size_t head, std::size_t query, std::size_t key) -> Measured {
    const auto index = (head * bias.queries() + query) * bias.keys() + key;
    return {bias.tensor.number(index), budgets[head].at(truth.at(head, query, key).value)};
  };
  return view;
}

Property bias_offset_property() {
  return {.id = "bias-offset",
          .name = "Biases depend on the offset only",
          .statement = "b(q, k) = b(q + s, k + s) in every head",
          .hypotheses = "biases of a distance, of several queries",
          .citation = "Press et al. 2022, section 3",
          .counterexample =
              "a key and a query as far apart as two others, with another bias: attention "
              "depends on where the text starts",
          .judge = judge_offset};
}

Property bias_line_property() {
  return {.id = "bias-line",
          .name = "Biases lie on one line",
          .statement =
              "(b(q, k) - b(q, j)) (l - j) = (b(q, l) - b(q, j)) (k - j) for all keys j, k, l up to "
              "the query q: each token further back costs as much as the one before, and a row "
              "differs from that of any other position by a constant that the softmax does not see",
          .hypotheses = "linear biases",
          .citation = "Press et al. 2022, section 3",
          .counterexample = "a key whose bias leaves the line: its position was rounded, clipped or wrapped",
          .judge = judge_line};
}

Property bias_decay_property() {
  return {.id = "bias-decay",
          .name = "Biases fall with the distance",
          .statement = "j <= k <= q implies b(q, j) <= b(q, k)",
          .hypotheses = "linear biases with slopes > 0",
          .citation = "Press et al. 2022, section 3: a penalty that grows with the distance",
          .counterexample = "a key that is preferred to a nearer one: a wrong sign, or positions that wrap",
          .judge = judge_decay};
}

Property bias_zero_property() {
  return {.id = "bias-zero",
          .name = "A token has no bias on itself",
          .statement = "b(q, q) = 0",
          .hypotheses = "biases of a distance",
          .citation = "Press et al. 2022, section 3",
          .counterexample = "distances counted from 1, or from another key than the query",
          .judge = judge_zero};
}

Property bias_ratio_property() {
  return {.id = "bias-ratio",
          .name = "Slopes fall by one ratio from head to head",
          .statement = "b(h - 1) b(h + 1) = b(h)^2 at every key",
          .hypotheses = "slopes that are a geometric sequence: a power of two of heads",
          .citation = "Press et al. 2022, section 3",
          .counterexample = "heads in another order, or slopes on a straight line",
          .judge = judge_ratio};
}

}  // namespace vernier
