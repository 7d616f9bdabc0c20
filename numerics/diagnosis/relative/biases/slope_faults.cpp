// Slopes that belong to other heads, or follow another rule.

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/biases/bias_model.hpp"
#include "numerics/diagnosis/relative/biases/slope_lists.hpp"
#include "numerics/diagnosis/spec_patch.hpp"

namespace vernier {
namespace {

BiasEdit with_slopes(std::string sentence, double bits, SlopeList slopes, OrderedJson patch = nullptr) {
  const auto shared = std::make_shared<const SlopeList>(std::move(slopes));
  return {
      {nullptr, std::move(sentence), std::move(patch)}, bits, bias_order::slopes, [shared](BiasModel& model) {
        model.slope = [shared](std::size_t head) { return HeadSlope{(*shared)[head]}; };
      }};
}

/// Adds the edit unless these are the declared slopes.
void propose_slopes(const BiasSubject& subject, BiasEdits& edits, std::string sentence, double bits,
                    SlopeList slopes, OrderedJson patch = nullptr) {
  if (!are_same(slopes, subject.bias.table.slopes)) {
    edits.push_back(with_slopes(std::move(sentence), bits, std::move(slopes), std::move(patch)));
  }
}

BiasEdits slope_orders(const BiasSubject& subject) {
  const auto& slopes = subject.bias.table.slopes;
  const auto whole = std::bit_floor(slopes.size());
  BiasEdits edits;
  propose_slopes(subject, edits, "the heads are in reverse order", flag_bits,
                 {slopes.rbegin(), slopes.rend()});
  if (whole == slopes.size()) {
    return edits;
  }
  propose_slopes(subject, edits, "the slopes are sorted, the steepest first", flag_bits, sorted(slopes));
  auto flattest_first = sorted(slopes);
  std::ranges::reverse(flattest_first);
  propose_slopes(subject, edits, "the slopes are sorted, the flattest first", flag_bits + 1,
                 std::move(flattest_first));
  auto rotated = slopes;
  std::ranges::rotate(rotated, rotated.begin() + static_cast<std::ptrdiff_t>(whole));
  propose_slopes(subject, edits, "the interpolated slopes come before the others", flag_bits + 1,
                 std::move(rotated));
  propose_slopes(subject, edits, "the odd places of the longer list come before the even ones", variant_bits,
                 odd_places_first(slopes.size(), max_bias_of(slopes)));
  return edits;
}

BiasEdits plain_geometric(const BiasSubject& subject) {
  const auto heads = static_cast<std::int64_t>(subject.heads());
  BiasEdits edits;
  propose_slopes(
      subject, edits,
      fmt::format("the slopes are one geometric series over {} heads, as if that were a power of two", heads),
      flag_bits, geometric_slopes(heads, max_bias_of(subject.bias.table.slopes) / heads, 1, 1));
  return edits;
}

BiasEdits first_powers(const BiasSubject& subject) {
  const auto& slopes = subject.bias.table.slopes;
  const auto heads = static_cast<std::int64_t>(slopes.size());
  const auto whole = std::bit_floor(slopes.size());
  BiasEdits edits;
  const auto add_shifted = [&](std::string_view of_which, double bits, int first, std::size_t begin,
                               std::size_t end) {
    auto shifted = slopes;
    for (auto head = begin; head < end; ++head) {
      shifted[head].power += first - 1;
    }
    propose_slopes(subject, edits,
                   fmt::format("the powers of the {}slopes are counted from {}, not from 1", of_which, first),
                   bits, std::move(shifted));
  };
  for (const int first : {0, 2}) {
    add_shifted("", variant_bits, first, 0, slopes.size());
    if (whole == slopes.size()) {
      continue;
    }
    add_shifted(fmt::format("first {} ", whole), variant_bits + 1, first, 0, whole);
    if (first == 0) {  // From 2 on they are the even places, which interpolated_heads proposes.
      add_shifted(fmt::format("last {} ", slopes.size() - whole), variant_bits + 1, first, whole,
                  slopes.size());
    }
    propose_slopes(
        subject, edits,
        fmt::format("the slopes are one geometric series over {} heads, and their powers are counted from {}",
                    heads, first),
        variant_bits + flag_bits, geometric_slopes(heads, max_bias_of(slopes) / heads, first, 1));
  }
  return edits;
}

BiasEdits interpolated_heads(const BiasSubject& subject) {
  const auto& declared = subject.bias.table.slopes;
  const auto heads = static_cast<std::int64_t>(declared.size());
  const auto whole = static_cast<std::int64_t>(std::bit_floor(declared.size()));
  const auto max_bias = max_bias_of(declared);
  BiasEdits edits;
  const auto add_tail = [&](std::string sentence, const Rational& step, std::int64_t first, std::int64_t by) {
    auto slopes = geometric_slopes(whole, max_bias / whole, 1, 1);
    const auto tail = geometric_slopes(heads - whole, step, first, by);
    slopes.insert(slopes.end(), tail.begin(), tail.end());
    propose_slopes(subject, edits, std::move(sentence), variant_bits, std::move(slopes));
  };
  if (whole == heads) {
    return edits;
  }
  propose_slopes(
      subject, edits,
      fmt::format("the slopes are the first {} of {} heads: the power of two above the number of heads, "
                  "not the one below",
                  heads, 2 * whole),
      flag_bits + 1, geometric_slopes(heads, max_bias / (2 * whole), 1, 1));
  add_tail(fmt::format("the last {} slopes are the first ones of {} heads, none of them left out",
                       heads - whole, 2 * whole),
           max_bias / (2 * whole), 1, 1);
  add_tail(fmt::format("the last {} slopes are those at the even places of {} heads, not at the odd ones",
                       heads - whole, 2 * whole),
           max_bias / (2 * whole), 2, 2);
  add_tail(fmt::format("the last {} slopes go on where those of {} heads end", heads - whole, whole),
           max_bias / whole, whole + 1, 1);
  add_tail(fmt::format("the last {} slopes have the ratio of {} heads, not that of {}", heads - whole, whole,
                       2 * whole),
           max_bias / whole, 1, 2);
  return edits;
}

BiasEdits head_counts(const BiasSubject& subject) {
  constexpr std::int64_t most_tried_heads = 256;
  constexpr std::int64_t most_parts = 16;
  const auto& declared = subject.bias.table.slopes;
  const auto heads = static_cast<std::int64_t>(declared.size());
  const auto max_bias = max_bias_of(declared);
  BiasEdits edits;
  for (std::int64_t others = 1; others <= std::max(most_tried_heads, 2 * heads) && heads <= most_tried_heads;
       ++others) {
    const auto slopes = alibi_slopes(others, max_bias);
    const auto cost = std::has_single_bit(static_cast<std::uint64_t>(others)) ? variant_bits : listed_bits;
    if (others > heads) {
      propose_slopes(subject, edits, fmt::format("the slopes are the first {} of {} heads", heads, others),
                     cost + 1, {slopes.begin(), slopes.begin() + heads});
    }
    for (std::int64_t first = heads; others % heads == 0 && others <= most_parts * heads && first < others;
         first += heads) {
      propose_slopes(
          subject, edits,
          fmt::format("the slopes are those of heads {} to {} of {}", first, first + heads - 1, others),
          cost + 2, {slopes.begin() + first, slopes.begin() + first + heads});
    }
    if (others < heads && heads % others == 0) {
      propose_slopes(
          subject, edits,
          fmt::format("the slopes of {} heads are repeated, each {} times", others, heads / others), cost + 1,
          each_repeated(slopes, heads / others));
      propose_slopes(subject, edits,
                     fmt::format("the slopes of {} heads are repeated, one list after another", others),
                     cost + 1, list_repeated(slopes, heads / others));
    }
  }
  const auto twice = alibi_slopes(2 * heads, max_bias);
  for (const std::size_t first : {0U, 1U}) {
    propose_slopes(subject, edits,
                   fmt::format("the slopes are those of {} heads, every second left out, from the {} on",
                               2 * heads, first == 0 ? "first" : "second"),
                   variant_bits, every_second(twice, first));
  }
  return edits;
}

BiasEdits max_biases(const BiasSubject& subject) {
  constexpr int most_digits = 7;
  const auto& declared = subject.bias.table.slopes;
  const auto heads = static_cast<std::int64_t>(declared.size());
  BiasEdits edits;
  const auto add_bias = [&](const std::string& text, double bits) {
    const auto value = parse_rational(text);
    if (value && *value > 0 && *value <= 64 && *value != max_bias_of(declared)) {
      propose_slopes(subject, edits,
                     fmt::format("max_bias is {}, not {}", text, to_string(max_bias_of(declared))), bits,
                     alibi_slopes(heads, *value), replacement("max_bias", OrderedJson::parse(text)));
    }
  };
  for (const int usual : {1, 2, 4, 6, 10, 12, 16, 32}) {
    add_bias(std::to_string(usual), variant_bits);
  }
  const auto whole = std::bit_floor(declared.size());
  const double found = -std::log2(subject.found_slopes[whole - 1]);
  if (std::isfinite(found) && found > 0) {
    for (const auto& decimal : short_decimals(found, most_digits)) {
      add_bias(decimal.text, decimal_bits(decimal.digits));
    }
  }
  return edits;
}

constexpr std::array<BiasFault, 6> slope_list_faults{{
    {"mapping/slope-order", slope_orders},
    {"slope/plain-geometric", plain_geometric},
    {"slope/first-power", first_powers},
    {"slope/interpolated-heads", interpolated_heads},
    {"slope/head-count", head_counts},
    {"slope/max-bias", max_biases},
}};

}  // namespace

BiasEdits slope_edits(const BiasSubject& subject) {
  BiasEdits edits;
  append_edits(slope_list_faults, subject, edits);
  return edits;
}

}  // namespace vernier
