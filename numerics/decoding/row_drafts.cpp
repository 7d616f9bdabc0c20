#include "numerics/decoding/row_drafts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/core.h>

namespace vernier {
namespace {

/// \name What a map takes to say, in bits, beside its numbers
/// @{
constexpr double rule_number_bits = 3;  ///< a constant, an offset, a factor
constexpr double remainder_bits = 6;    ///< mod n, which fits many short tables
constexpr double quotient_bits = 3;     ///< and steps
constexpr double limit_bits = 3;        ///< of the greatest position
/// @}
/// A line through two rows there always is.
constexpr std::size_t fewest_of_line = 3;
constexpr std::int64_t greatest_tread = 64;
constexpr int most_times = 4;

std::string holds(const RowSet& set) {
  const bool is_one = set.is_one_row || set.rows.starts_with("every");
  return set.rows + (is_one ? " holds" : " hold");
}

double bits_of(const SimpleNumber& number) {
  return rule_number_bits + number.bits;
}

class RowDrafts {
 public:
  RowDrafts(const HeldNumbers& held, const RowGrid& grid, std::span<const RowFeature> features,
            std::span<const std::size_t> failing)
      : held_(held), grid_(grid), features_(features), failing_(failing) {}

  std::vector<RowDraft> run() {
    for (const auto& feature : features_) {
      learn(feature);
    }
    return std::move(drafts_);
  }

 private:
  const std::vector<double>& own() const { return features_.front().values; }

  void draft(RowDraft one) { drafts_.push_back(std::move(one)); }

  void learn(const RowFeature& feature) {
    const auto& f = feature.values;
    const auto less = [&](std::size_t a, std::size_t b) { return f[a] < f[b]; };
    const auto [low, high] = std::ranges::minmax_element(failing_, less);
    const bool varies = f[*low] != f[*high];
    const bool is_own = feature.kind == RowFeature::Kind::position;
    if (feature.kind >= RowFeature::Kind::other_row || feature.kind == RowFeature::Kind::other_axis) {
      if (failing_.size() > 1) {
        as_it_is(feature);
      }
      return;
    }
    if (is_own) {
      constants();
      if (std::ranges::min(f) < 0) {
        magnitudes();
      }
    }
    if (!varies) {
      return;
    }
    const auto low_numbers = anchored(held_, *low);
    const auto high_numbers = anchored(held_, *high);
    offsets(feature, low_numbers.empty() ? *high : *low, low_numbers.empty() ? high_numbers : low_numbers);
    if (different(f) >= fewest_of_line) {
      lines(feature, *low, *high, low_numbers, high_numbers);
    }
    if (failing_.size() > 1) {
      for (int times = 1; times <= most_times; ++times) {
        remainders(feature, times, *low, *high, low_numbers, high_numbers);
      }
      quotients(feature);
      if (is_own) {
        clamps(*high, high_numbers);
        stairs(low_numbers);
        clamped_offsets(*low, low_numbers);
      }
    }
  }

  /// How many values a feature has in failing rows; three are enough.
  std::size_t different(const std::vector<double>& f) const {
    std::set<double> values;
    for (const auto row : failing_) {
      values.insert(f[row]);
      if (values.size() == fewest_of_line) {
        break;
      }
    }
    return values.size();
  }

  static RowRule::Kind kind_of(const RowFeature& feature, RowRule::Kind own) {
    switch (feature.kind) {
      case RowFeature::Kind::row:
        return RowRule::Kind::row_index;
      case RowFeature::Kind::leading_index:
        return RowRule::Kind::leading_index;
      case RowFeature::Kind::other_axis:
        return RowRule::Kind::other_axis;
      case RowFeature::Kind::other_row:
      case RowFeature::Kind::next_row:
        return RowRule::Kind::other_rows;
      case RowFeature::Kind::mirrored_row:
        return RowRule::Kind::reversed;
      case RowFeature::Kind::position:
        break;
    }
    return own;
  }

  void as_it_is(const RowFeature& feature) {
    const auto positions = told_positions(grid_, own());
    // Where positions are counted one by one, the row before is the position before.
    const bool is_offset = feature.kind == RowFeature::Kind::next_row && !positions.empty() &&
                           positions.back() - positions.front() + 1 == static_cast<double>(positions.size());
    draft({.kind = is_offset ? RowRule::Kind::offset : kind_of(feature, RowRule::Kind::offset),
           .words = [held = feature.held](const RowSet& set) { return holds(set) + " " + held; },
           .expression = feature.held,
           .bits = feature.bits,
           .held = [&f = feature.values](std::size_t row) { return f[row]; }});
  }

  /// The numbers o with which scale f + o is what each failing row may hold, from those of one row.
  std::optional<HeldRange> offset_range(const std::vector<double>& f, double scale, HeldRange range) const {
    for (const auto row : failing_) {
      if (range.low == range.high) {  // nothing is left to narrow
        if (!held_.fits(row, scale * f[row] + range.low)) {
          return std::nullopt;
        }
        continue;
      }
      std::optional<HeldRange> narrowed;
      for (const auto& number : held_.numbers(row)) {
        const HeldRange one{std::max(range.low, number.low - scale * f[row]),
                            std::min(range.high, number.high - scale * f[row])};
        if (one.low <= one.high) {
          narrowed = narrowed
                         ? HeldRange{std::min(narrowed->low, one.low), std::max(narrowed->high, one.high)}
                         : one;
        }
      }
      if (narrowed) {
        range = *narrowed;
      } else if (!held_.fits(row, scale * f[row] + range.middle())) {
        return std::nullopt;
      }
    }
    return range;
  }

  void constants() {
    if (failing_.size() < 2) {
      return;
    }
    for (const auto& number : anchored(held_, failing_.front())) {
      const std::vector<double> zero(own().size());
      if (const auto range = offset_range(zero, 0, number)) {
        for (const auto& to : simple_numbers(*range)) {
          draft({.kind = RowRule::Kind::constant,
                 .words =
                     [to](const RowSet& set) { return fmt::format("{} position {}", holds(set), to.words); },
                 .expression = to.words,
                 .bits = bits_of(to),
                 .held = [to](std::size_t) { return to.value; }});
        }
      }
    }
  }

  void magnitudes() {
    const auto& p = own();
    draft(
        {.kind = RowRule::Kind::magnitude,
         .words =
             [](const RowSet& set) { return "negative " + set.positions + " lose their sign" + set.behind; },
         .bits = rule_number_bits,
         .held = [&p](std::size_t row) { return std::fabs(p[row]); }});
    draft(
        {.kind = RowRule::Kind::magnitude,
         .words =
             [](const RowSet& set) { return "negative " + set.positions + " are taken for 0" + set.behind; },
         .bits = rule_number_bits,
         .held = [&p](std::size_t row) { return std::max(p[row], 0.0); }});
  }

  void offsets(const RowFeature& feature, std::size_t row, const std::vector<HeldRange>& numbers) {
    const auto& f = feature.values;
    for (const auto& number : numbers) {
      const auto range = offset_range(f, 1, {number.low - f[row], number.high - f[row]});
      if (!range) {
        continue;
      }
      for (const auto& offset : simple_numbers(*range)) {
        add_line(feature, simple_number(1), offset);
      }
    }
  }

  /// p + o, and no more than the greatest position.
  void clamped_offsets(std::size_t low, const std::vector<HeldRange>& numbers) {
    const auto& p = own();
    const double last = std::ranges::max(p);
    for (const auto& number : numbers) {
      const double by = std::rint(number.middle()) - p[low];
      if (by <= 0 || !number.contains(p[low] + by)) {
        continue;
      }
      const auto offset = simple_number(by);
      const auto limit = simple_number(last);
      draft(
          {.kind = RowRule::Kind::offset,
           .words =
               [=](const RowSet& set) {
                 return fmt::format("{} are larger by {}, and those beyond {} are taken for it{}",
                                    set.positions, offset.words, limit.words, set.behind);
               },
           .expression = fmt::format("min({} + {}, {})", features_.front().words, offset.words, limit.words),
           .bits = bits_of(offset) + limit_bits,
           .held = [&p, by, last](std::size_t row) { return std::min(p[row] + by, last); }});
    }
  }

  void lines(const RowFeature& feature, std::size_t low, std::size_t high,
             const std::vector<HeldRange>& low_numbers, const std::vector<HeldRange>& high_numbers) {
    const auto& f = feature.values;
    const double reach = f[high] - f[low];
    for (const auto& first : low_numbers) {
      for (const auto& last : high_numbers) {
        const HeldRange slope{(last.low - first.high) / reach, (last.high - first.low) / reach};
        for (const auto& scale : simple_numbers(slope)) {
          if (scale.value == 0 || scale.value == 1) {
            continue;
          }
          const auto range = offset_range(
              f, scale.value, {first.low - scale.value * f[low], first.high - scale.value * f[low]});
          if (range) {
            for (const auto& offset : simple_numbers(*range)) {
              add_line(feature, scale, offset);
            }
          }
        }
      }
    }
  }

  void add_line(const RowFeature& feature, const SimpleNumber& scale, const SimpleNumber& offset) {
    const bool is_own = feature.kind == RowFeature::Kind::position;
    auto kind = kind_of(feature, scale.value == 1    ? RowRule::Kind::offset
                                 : scale.value == -1 ? RowRule::Kind::reversed
                                                     : RowRule::Kind::factor);
    RowDraft draft{.kind = kind,
                   .words = {},
                   .expression = line_words(scale, offset, feature.words),
                   .bits = feature.bits +
                           (scale.value == 1    ? 0
                            : scale.value == -1 ? 2
                                                : bits_of(scale)) +
                           (offset.value == 0 ? 0 : bits_of(offset)),
                   .held = [&f = feature.values, s = scale.value, o = offset.value](std::size_t row) {
                     return s * f[row] + o;
                   }};
    draft.is_multiple = is_own && offset.value == 0;
    if (is_own && scale.value == 1) {
      draft.offset = offset.value;
      draft.words = [offset](const RowSet& set) {
        const bool is_more = offset.value > 0;
        return fmt::format(
            "{} {} {} by {}{}", set.positions, set.positions.starts_with("position ") ? "is" : "are",
            is_more ? "larger" : "smaller", is_more ? offset.words : offset.words.substr(1), set.behind);
      };
    } else if (is_own && scale.value == -1) {
      draft.words = [offset](const RowSet& set) {
        return offset.value == 0 ? set.positions + " are negated" + set.behind
                                 : fmt::format("{} are counted down{}: p stands for {} - p", set.positions,
                                               set.behind, offset.words);
      };
    } else if (is_own && offset.value == 0) {
      draft.words = [scale](const RowSet& set) {
        return fmt::format("{} are multiplied by {}{}", set.positions, scale.words, set.behind);
      };
    } else if (is_own) {
      draft.words = [expression = line_words(scale, offset, "p")](const RowSet& set) {
        return fmt::format("{}{} become {}", set.positions, set.behind, expression);
      };
    } else if (scale.value == 1 && !feature.whole.empty()) {
      draft.words = [&feature, expression = draft.expression](const RowSet& set) {
        return set.is_whole ? feature.whole : of_feature(feature, expression, set);
      };
    } else if (scale.value == 1 && offset.value == 0) {
      draft.words = [held = feature.held](const RowSet& set) {
        return fmt::format("{} {} in place of {} position", holds(set), held,
                           holds(set).ends_with("holds") ? "its" : "their");
      };
    } else {
      draft.words = [&feature, expression = line_words(scale, offset, feature.words)](const RowSet& set) {
        return of_feature(feature, expression, set);
      };
    }
    drafts_.push_back(std::move(draft));
  }

  static std::string of_feature(const RowFeature& feature, const std::string& expression, const RowSet& set) {
    return fmt::format("{} position {}, {} being {}", holds(set), expression, feature.words, feature.held);
  }

  static bool are_integers(const std::vector<double>& f) {
    return std::ranges::all_of(f, [](double x) { return x == std::rint(x) && std::fabs(x) < 0x1p53; });
  }

  /// The remainders of a feature, or of a small multiple of it.
  void remainders(const RowFeature& feature, int times, std::size_t low, std::size_t high,
                  const std::vector<HeldRange>& low_numbers, const std::vector<HeldRange>& high_numbers) {
    const auto f = [&feature, times](std::size_t row) { return times * feature.values[row]; };
    if (!are_integers(feature.values) || std::ranges::min(feature.values) < 0) {
      return;
    }
    // The modulus divides how far every failing row is from its own number: two rows say enough.
    std::set<std::int64_t> multiples;
    const auto distances = [&](std::size_t row, const std::vector<HeldRange>& numbers) {
      std::vector<std::int64_t> result;
      for (const auto& number : numbers) {
        const auto by = static_cast<std::int64_t>(f(row) - std::rint(number.middle()));
        if (by > 0 && number.contains(std::rint(number.middle()))) {
          result.push_back(by);
        }
      }
      return result;
    };
    const auto of_low = distances(low, low_numbers);
    for (const auto by : distances(high, high_numbers)) {
      if (of_low.empty()) {
        multiples.insert(by);
      }
      for (const auto also : of_low) {
        multiples.insert(std::gcd(by, also));
      }
    }
    std::set<std::int64_t> moduli;
    for (const auto multiple : multiples) {
      for (std::int64_t part = 1; part <= 8; ++part) {
        if (multiple % part == 0 && multiple / part > 1) {
          moduli.insert(multiple / part);
        }
      }
    }
    for (const auto modulus : moduli) {
      const auto n = static_cast<double>(modulus);
      const auto number = simple_number(n);
      const auto multiple = times == 1 ? feature.words : fmt::format("({} {})", times, feature.words);
      draft({.kind = kind_of(feature, RowRule::Kind::wrapped),
             .words =
                 [&feature, times, multiple, number](const RowSet& set) {
                   return feature.kind == RowFeature::Kind::position && times == 1
                              ? fmt::format("{} wrap at {}{}", set.positions, number.words, set.behind)
                              : of_feature(feature, multiple + " mod " + number.words, set);
                 },
             .expression = multiple + " mod " + number.words,
             .bits = feature.bits + remainder_bits + number.bits + (times == 1 ? 0 : rule_number_bits),
             .held = [f, n](std::size_t row) { return f(row) - n * std::floor(f(row) / n); }});
    }
  }

  void quotients(const RowFeature& feature) {
    const auto& f = feature.values;
    const bool is_own = feature.kind == RowFeature::Kind::position;
    if (is_own && !are_integers(f)) {
      draft({.kind = RowRule::Kind::staircase,
             .words = [](const RowSet& set) { return set.positions + " are cut to integers" + set.behind; },
             .bits = rule_number_bits + 2,
             .held = [&f](std::size_t row) { return std::trunc(f[row]); }});
      draft(
          {.kind = RowRule::Kind::staircase,
           .words = [](const RowSet& set) { return set.positions + " are rounded to integers" + set.behind; },
           .bits = rule_number_bits + 2,
           .held = [&f](std::size_t row) { return std::nearbyint(f[row]); }});
    }
    for (std::int64_t tread = 2; tread <= greatest_tread; ++tread) {
      const auto n = static_cast<double>(tread);
      const auto number = simple_number(n);
      const double bits = feature.bits + quotient_bits + number.bits;
      draft({.kind = kind_of(feature, RowRule::Kind::staircase),
             .words =
                 [&feature, is_own, number](const RowSet& set) {
                   return is_own ? fmt::format("{} are divided by {}, and the remainder is dropped{}",
                                               set.positions, number.words, set.behind)
                                 : of_feature(feature,
                                              fmt::format("floor({}/{})", feature.words, number.words), set);
                 },
             .expression = fmt::format("floor({}/{})", feature.words, number.words),
             .bits = bits,
             .held = [&f, n](std::size_t row) { return std::floor(f[row] / n); }});
      draft({.kind = kind_of(feature, RowRule::Kind::staircase),
             .words =
                 [&feature, is_own, number](const RowSet& set) {
                   return is_own ? fmt::format("{} come in steps of {}{}", set.positions, number.words,
                                               set.behind)
                                 : of_feature(feature,
                                              fmt::format("{1} floor({0}/{1})", feature.words, number.words),
                                              set);
                 },
             .expression = fmt::format("{1} floor({0}/{1})", feature.words, number.words),
             .bits = bits,
             .held = [&f, n](std::size_t row) { return n * std::floor(f[row] / n); }});
    }
  }

  /// Steps from the position on that the first failing row holds.
  void stairs(const std::vector<HeldRange>& low_numbers) {
    const auto& p = own();
    for (const auto& number : low_numbers) {
      const double start = std::rint(number.middle());
      if (start == 0 || !number.contains(start)) {
        continue;
      }
      for (std::int64_t tread = 2; tread <= greatest_tread; ++tread) {
        const auto n = static_cast<double>(tread);
        const auto words = fmt::format("come in steps of {} from {} on", tread, simple_number(start).words);
        draft({.kind = RowRule::Kind::staircase,
               .words = [words](const RowSet& set) { return set.positions + " " + words + set.behind; },
               .expression = fmt::format("{0} + {1} floor(({2} - {0})/{1})", simple_number(start).words,
                                         tread, features_.front().words),
               .bits = quotient_bits + simple_number(n).bits + rule_number_bits + simple_number(start).bits,
               .held =
                   [&p, n, start](std::size_t row) {
                     return p[row] < start ? p[row] : start + n * std::floor((p[row] - start) / n);
                   }});
      }
    }
  }

  void clamps(std::size_t high, const std::vector<HeldRange>& high_numbers) {
    const auto& p = own();
    for (const auto& number : high_numbers) {
      const double limit = std::rint(number.middle());
      if (!number.contains(limit)) {
        continue;
      }
      const auto words = simple_number(limit);
      const bool is_most = limit < p[high];
      draft({.kind = RowRule::Kind::clamped,
             .words =
                 [words, is_most](const RowSet& set) {
                   return fmt::format("{} {} {} are taken for it{}", set.positions,
                                      is_most ? "beyond" : "below", words.words, set.behind);
                 },
             .expression =
                 fmt::format("{}({}, {})", is_most ? "min" : "max", features_.front().words, words.words),
             .bits = bits_of(words) + (is_most ? 0 : 1),
             .held =
                 [&p, limit, is_most](std::size_t row) {
                   return is_most ? std::min(p[row], limit) : std::max(p[row], limit);
                 }});
    }
  }

  const HeldNumbers& held_;
  const RowGrid& grid_;
  std::span<const RowFeature> features_;
  std::span<const std::size_t> failing_;
  std::vector<RowDraft> drafts_;
};

}  // namespace

std::vector<RowDraft> drafts_of(const HeldNumbers& held, const RowGrid& grid,
                                std::span<const RowFeature> features, std::span<const std::size_t> failing) {
  return RowDrafts(held, grid, features, failing).run();
}

std::vector<HeldRange> anchored(const HeldNumbers& held, std::size_t row) {
  constexpr std::size_t most = 24;
  const auto numbers = held.numbers(row);
  return numbers.size() > most ? std::vector<HeldRange>()
                               : std::vector<HeldRange>(numbers.begin(), numbers.end());
}

std::span<const double> told_positions(const RowGrid& grid, const std::vector<double>& positions) {
  if (!grid.leading.empty()) {
    return {};
  }
  for (std::size_t row = 0; row < positions.size(); ++row) {
    if (positions[row] != std::rint(positions[row]) || (row > 0 && positions[row] <= positions[row - 1])) {
      return {};
    }
  }
  return positions;
}

}  // namespace vernier
