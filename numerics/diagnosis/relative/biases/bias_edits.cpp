// What may be wrong with slopes, and with what multiplies them.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <set>

#include <fmt/core.h>

#include "numerics/computation/spec_patch.hpp"
#include "numerics/decoding/row_rules.hpp"
#include "numerics/diagnosis/relative/biases/bias_model.hpp"
#include "numerics/diagnosis/relative/edit_rows.hpp"
#include "reference/schemes/alibi.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

using SlopeList = std::vector<Slope>;
using Factor = BiasTable::Factor;

/// The slopes of so many heads, as ALiBi has them.
SlopeList alibi_slopes(std::int64_t heads, const Rational& max_bias) {
  return AlibiSpec{.num_heads = heads, .max_bias = max_bias}.slopes();
}

/// What the last slope of the longest power of two is 2 to the minus of.
Rational max_bias_of(const SlopeList& slopes) {
  return slopes.front().step * static_cast<std::int64_t>(std::bit_floor(slopes.size()));
}

Rational exponent(const Slope& slope) {
  return slope.step * slope.power;
}

/// Those of as many heads, of which each has the slope of the place that `place` says.
template <class Place>
SlopeList slopes_at(const SlopeList& slopes, std::int64_t heads, const Place& place) {
  SlopeList result;
  for (std::int64_t head = 0; head < heads; ++head) {
    result.push_back(slopes.at(static_cast<std::size_t>(place(head))));
  }
  return result;
}

/// Appends the edit unless these are the declared slopes.
void append_slopes(const BiasSubject& subject, Finding finding, double bits, SlopeList slopes,
                   BiasEdits& edits) {
  if (std::ranges::equal(slopes, subject.bias.table.slopes, {}, exponent, exponent)) {
    return;
  }
  const auto shared = std::make_shared<const SlopeList>(std::move(slopes));
  edits.push_back({std::move(finding), bits, bias_order::slopes, [shared](BiasModel& model) {
                     model.slope = [shared](std::size_t head) { return HeadSlope{(*shared)[head]}; };
                   }});
}

/// A row says what the powers of 2^-(max_bias/of) are, of the first heads and of the rest.
void append_listed_slopes(const BiasSubject& subject, const NamedNumbers& numbers, BiasEdits& edits) {
  const auto& declared = subject.bias.table.slopes;
  const auto max_bias = max_bias_of(declared);
  const auto heads = static_cast<std::int64_t>(declared.size());
  for (auto& row : edit_rows("slopes", numbers)) {
    const auto integer = [&](std::string_view key, double otherwise) {
      return static_cast<std::int64_t>(row.number(key, otherwise));
    };
    const auto whole = numbers.at("whole");
    SlopeList slopes;
    const auto append_series = [&](std::int64_t until, const Rational& step, std::int64_t power,
                                   std::int64_t by) {
      for (; std::ssize(slopes) < until; power += by) {
        slopes.push_back({step, power});
      }
    };
    append_series(integer("heads", whole), max_bias / integer("of", whole), integer("first", 1),
                  integer("by", 1));
    append_series(heads, max_bias / integer("rest_of", 2 * whole), integer("rest_first", 1),
                  integer("rest_by", 2));
    append_slopes(subject, std::move(row.finding), row.bits, std::move(slopes), edits);
  }
}

void append_sorted_slopes(const BiasSubject& subject, BiasEdits& edits) {
  auto sorted = subject.bias.table.slopes;
  if (std::has_single_bit(sorted.size())) {
    return;
  }
  std::ranges::stable_sort(sorted, {}, exponent);
  for (const double more_bits : {0, 1}) {
    append_slopes(subject,
                  {&fault_kind("mapping/slope-order"), fmt::format("the slopes are sorted, the {} first",
                                                                   more_bits == 0 ? "steepest" : "flattest")},
                  flag_bits + more_bits, sorted, edits);
    std::ranges::reverse(sorted);
  }
}

/// Heads that have the slopes of others.
void append_head_rules(const BiasSubject& subject, BiasEdits& edits) {
  constexpr std::size_t most_heads = 256;
  constexpr double nearly = 0.02;  // neighbouring heads differ by more
  const auto& slopes = subject.bias.table.slopes;
  if (slopes.size() > most_heads) {
    return;
  }
  std::vector<double> indices;
  std::vector<std::vector<HeldRange>> held(slopes.size());
  for (std::size_t head = 0; head < slopes.size(); ++head) {
    indices.push_back(static_cast<double>(head));
    for (std::size_t other = 0; other < slopes.size(); ++other) {
      const double expected = HeadSlope{slopes[other]}.approximately();
      if (std::fabs(subject.found_slopes[head] - expected) <= nearly * std::fabs(expected)) {
        held[head].push_back({static_cast<double>(other), static_cast<double>(other)});
      }
    }
  }
  const RowGrid grid{{}, slopes.size(), "head"};
  const std::vector<RowFeature> features{{RowFeature::Kind::position, indices, "i", "its own", 0}};
  const auto tell = [](const RowSet& set, const std::string& expression) {
    return fmt::format("{} {} the slope of head {}", set.is_whole ? "head i" : set.rows,
                       set.is_whole || set.is_told_as_one() ? "has" : "have", expression);
  };
  for (const auto& rule : learn_rows(HeldIndices(std::move(held)), grid, features, {tell})) {
    if (rule.kind == RowRule::Kind::constant) {
      continue;  // all slopes are one number
    }
    append_slopes(subject, {&fault_kind("mapping/slope-order"), rule.words}, rule.bits,
                  mapped(rule.held, [&](double head) { return slopes[static_cast<std::size_t>(head)]; }),
                  edits);
  }
}

void append_head_counts(const BiasSubject& subject, BiasEdits& edits) {
  constexpr std::int64_t most_tried_heads = 256;
  constexpr std::int64_t most_parts_of_heads = 16;
  const auto& declared = subject.bias.table.slopes;
  const auto heads = static_cast<std::int64_t>(declared.size());
  const auto max_bias = max_bias_of(declared);
  const auto add = [&](std::string sentence, double bits, const SlopeList& of, const auto& place) {
    append_slopes(subject, {&fault_kind("slope/head-count"), std::move(sentence)}, bits,
                  slopes_at(of, heads, place), edits);
  };
  for (std::int64_t others = 1; others <= std::max(most_tried_heads, 2 * heads) && heads <= most_tried_heads;
       ++others) {
    const auto slopes = alibi_slopes(others, max_bias);
    const auto cost = std::has_single_bit(static_cast<std::uint64_t>(others)) ? variant_bits : listed_bits;
    if (others > heads) {
      add(fmt::format("the slopes are the first {} of {} heads", heads, others), cost + 1, slopes,
          std::identity());
    }
    for (std::int64_t first = heads;
         others % heads == 0 && others <= most_parts_of_heads * heads && first < others; first += heads) {
      add(fmt::format("the slopes are those of heads {} to {} of {}", first, first + heads - 1, others),
          cost + 2, slopes, [=](std::int64_t head) { return first + head; });
    }
    if (others < heads && heads % others == 0) {
      const auto times = heads / others;
      add(fmt::format("the slopes of {} heads are repeated, each {} times", others, times), cost + 1, slopes,
          [=](std::int64_t head) { return head / times; });
      add(fmt::format("the slopes of {} heads are repeated, one list after another", others), cost + 1,
          slopes, [=](std::int64_t head) { return head % others; });
    }
  }
  for (const std::int64_t first : {0, 1}) {
    add(fmt::format("the slopes are those of {} heads, every second left out, from the {} on", 2 * heads,
                    first == 0 ? "first" : "second"),
        variant_bits, alibi_slopes(2 * heads, max_bias), [=](std::int64_t head) { return first + 2 * head; });
  }
}

void append_max_biases(const BiasSubject& subject, BiasEdits& edits) {
  constexpr int most_digits = 7;
  const auto& declared = subject.bias.table.slopes;
  const auto declared_bias = max_bias_of(declared);
  const auto add = [&](const std::string& text, double bits) {
    const auto value = parse_rational(text);
    if (value && *value > 0 && *value <= 64 && *value != declared_bias) {
      append_slopes(subject,
                    {&fault_kind("slope/max-bias"),
                     fmt::format("max_bias is {}, not {}", text, to_string(declared_bias)),
                     replacement("max_bias", OrderedJson::parse(text))},
                    bits, alibi_slopes(std::ssize(declared), *value), edits);
    }
  };
  for (const int usual : {1, 2, 4, 6, 10, 12, 16, 32}) {
    add(std::to_string(usual), variant_bits);
  }
  const double found = -std::log2(subject.found_slopes[std::bit_floor(declared.size()) - 1]);
  if (std::isfinite(found) && found > 0) {
    for (const auto& decimal : short_decimals(found, most_digits)) {
      add(decimal.text, decimal_bits(decimal.digits));
    }
  }
}

/// What a slope may be off by as it was found: the biases that it was found by are rounded, each by half an
/// ulp.
double rounding_of_found(const BiasSubject& subject, std::size_t head) {
  const auto query = subject.bias.queries() - 1;
  const auto last = subject.bias.keys() - 1;
  const auto half_ulp = [&](std::size_t key) {
    return ulp_at(subject.bias.stored(), subject.at({head, query, key})) / 2;
  };
  if (subject.is_slopes()) {
    return half_ulp(0);
  }
  if (last == 0) {
    return half_ulp(0) /
           std::fabs(subject.declared().multiplier_at(subject.bias.queries(), {head, query, 0}));
  }
  return (half_ulp(0) + half_ulp(last)) /
         std::fabs(static_cast<double>(subject.keys[last] - subject.keys[0]));
}

/// The factor by which heads differ from the declared slopes: in the middle of what all leave open, as they
/// were rounded, or else that of most.
double found_factor(const BiasSubject& subject) {
  std::vector<double> factors;
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  for (std::size_t head = 0; head < subject.heads(); ++head) {
    const double declared = HeadSlope{subject.bias.table.slopes[head]}.approximately();
    const double found = subject.found_slopes[head];
    if (std::isfinite(found)) {
      const double half = rounding_of_found(subject, head);
      factors.push_back(found / declared);
      low = std::max(low, (found - half) / declared);
      high = std::min(high, (found + half) / declared);
    }
  }
  if (factors.empty()) {
    return 1;
  }
  if (low <= high && std::isfinite(high)) {
    return (low + high) / 2;
  }
  const auto middle = factors.begin() + static_cast<std::ptrdiff_t>(factors.size() / 2);
  std::ranges::nth_element(factors, middle);
  return *middle;
}

using SlopeMap = std::function<HeadSlope(HeadSlope)>;

void map_slopes(BiasModel& model, const SlopeMap& map) {
  model.slope = [map, before = model.slope](std::size_t head) { return map(before(head)); };
}

SlopeMap multiplied_by(double factor) {
  return [factor](HeadSlope slope) {
    slope.factor *= factor;
    return slope;
  };
}

void append_found_factors(const BiasSubject& subject, BiasEdits& edits) {
  constexpr int most_digits = 7;
  constexpr double least_difference = 1e-6;
  const double found = found_factor(subject);
  if (!(found > 0) || std::fabs(found - 1) <= least_difference) {
    return;
  }
  const auto add = [&](double factor, const std::string& text, double bits) {
    edits.push_back({{&fault_kind("slope/factor"), fmt::format("all slopes are multiplied by {}", text)},
                     bits,
                     bias_order::slope_factor,
                     [factor](BiasModel& model) { map_slopes(model, multiplied_by(factor)); }});
  };
  for (const auto& decimal : short_decimals(found, most_digits)) {
    add(decimal.value, decimal.text, decimal_bits(decimal.digits) + flag_bits);
  }
  add(found, in_sentence(found), real_bits);
}

/// What a multiplier seems to be off by if this is the slope of the first head.
std::int64_t found_offset(const BiasSubject& subject, Factor factor, double slope) {
  auto model = subject.declared();
  model.kind = factor;
  constexpr double most = 0x1p31;
  const BiasPlace place{0, subject.bias.queries() - 1, subject.bias.keys() - 1};
  const double offset = subject.at(place) / slope - model.multiplier_at(subject.bias.queries(), place);
  return std::fabs(offset) < most ? std::llround(offset) : 0;
}

void append_found_offsets(const BiasSubject& subject, BiasEdits& edits) {
  std::set<std::int64_t> candidates{1, -1};
  const double found = subject.found_slopes[0];
  for (const auto factor : {Factor::key_position, Factor::distance_to_last, Factor::distance}) {
    for (const double slope : {subject.declared().slope(0).approximately(), found, -found}) {
      candidates.insert(found_offset(subject, factor, slope));
    }
  }
  candidates.erase(0);
  const bool is_position = subject.bias.table.factor == Factor::key_position;
  for (const auto offset : candidates) {
    const auto by = std::abs(offset);
    const bool grows = is_position == (offset > 0);
    edits.push_back({{&fault_kind("position/distance-offset"),
                      fmt::format("{} are {} by {}", is_position ? "positions of keys" : "distances",
                                  grows ? "larger" : "smaller", by)},
                     by == 1 ? flag_bits + 1.5 : variant_bits + integer_bits(by),
                     bias_order::offset,
                     [offset](BiasModel& model) { model.offset = offset; }});
  }
}

double rounded_power(const Slope& slope, Format format) {
  const double base = round_to(format, std::exp2(-approximately(slope.step)));
  return round_to(format, std::pow(base, static_cast<double>(slope.power)));
}

constexpr std::array<RowSetting<BiasModel>, 12> bias_settings{
    {{"slope factor", bias_order::slope_factor,
      [](BiasModel& model, const EditRow& row) {
        map_slopes(model, multiplied_by(row.number("slope factor")));
      }},
     {"slope power", bias_order::slope_factor,
      [](BiasModel& model, const EditRow& row) {
        map_slopes(model, [by = static_cast<std::int64_t>(row.number("slope power"))](HeadSlope slope) {
          slope.slope.power *= by;
          return slope;
        });
      }},
     {"rounds slopes", bias_order::slope_format,
      [](BiasModel& model, const EditRow& row) {
        map_slopes(model, [format = row.format()](HeadSlope slope) {
          slope.known = round_to(format, slope.approximately());
          return slope;
        });
      }},
     {"rounds bases", bias_order::slope_format,
      [](BiasModel& model, const EditRow& row) {
        map_slopes(model, [format = row.format()](HeadSlope slope) {
          slope.known = slope.factor * rounded_power(slope.slope, format);
          return slope;
        });
      }},
     {"factor", bias_order::multiplier,
      [](BiasModel& model, const EditRow& row) { model.kind = static_cast<Factor>(row.number("factor")); }},
     {"distance", bias_order::multiplier,
      [](BiasModel& model, const EditRow& row) { model.distance = row.map("distance"); }},
     {"queries first", bias_order::multiplier,
      [](BiasModel& model, const EditRow&) { model.queries_first = true; }},
     {"counts keys", bias_order::multiplier,
      [](BiasModel& model, const EditRow&) { std::iota(model.keys.begin(), model.keys.end(), 0); }},
     {"reverses keys", bias_order::multiplier,
      [](BiasModel& model, const EditRow&) { std::ranges::reverse(model.keys); }},
     {"sign", bias_order::sign,
      [](BiasModel& model, const EditRow& row) { model.sign = row.number("sign"); }},
     {"rounds multipliers", bias_order::multiplier_format,
      [](BiasModel& model, const EditRow& row) { model.multiplier_format = row.format(); }},
     {"rounds products", bias_order::product_format,
      [](BiasModel& model, const EditRow& row) { model.product_format = row.format(); }}}};

}  // namespace

BiasEdits bias_edits(const BiasSubject& subject) {
  const auto& bias = subject.bias;
  const auto heads = subject.heads();
  std::vector<std::int64_t> counted(subject.keys.size());
  std::iota(counted.begin(), counted.end(), 0);
  const NamedNumbers numbers{{"heads", heads},
                             {"whole", std::bit_floor(heads)},
                             {"rest", heads - std::bit_floor(heads)},
                             {"slopes", subject.is_slopes()},
                             {"factor", static_cast<double>(bias.table.factor)},
                             {"queries", bias.queries()},
                             {"keys", bias.keys()},
                             {"are_counted", std::ranges::equal(counted, subject.keys)},
                             {"precision", traits(bias.stored()).precision}};
  BiasEdits edits;
  append_listed_slopes(subject, numbers, edits);
  append_sorted_slopes(subject, edits);
  append_head_rules(subject, edits);
  append_head_counts(subject, edits);
  append_max_biases(subject, edits);
  append_rows("biases", numbers, bias_settings, edits);
  append_found_factors(subject, edits);
  if (!subject.is_slopes()) {
    append_found_offsets(subject, edits);
  }
  return edits;
}

}  // namespace vernier
