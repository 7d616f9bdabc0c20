#include "numerics/decoding/row_rules.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace vernier {
namespace {

/// \name What a part of a rule takes to say, in bits (beside its numbers and its set of rows)
/// @{
constexpr double rule_number_bits = 3;  ///< a constant, an offset, a factor
constexpr double remainder_bits = 6;    ///< mod n, which fits many short tables; the quotient, steps
constexpr double quotient_bits = 3;     ///< and of steps
constexpr double limit_bits = 3;        ///< of the greatest position
constexpr double segment_bits = 5;
constexpr double listed_row_bits = 12;  ///< of one row alone
constexpr double next_listed_row_bits = 8;
/// @}
/// A line through two rows there always is.
constexpr std::size_t fewest_of_line = 3;
constexpr std::size_t most_listed_rows = 6;
constexpr std::size_t most_segments = 6;
constexpr std::size_t most_parts = 4;
constexpr std::int64_t greatest_tread = 64;
constexpr int most_times = 4;
/// So many numbers of a row are looked at.
constexpr std::size_t most_anchored = 24;

std::string holds(const RowSet& set) {
  const bool is_one = set.is_one_row || set.rows.starts_with("every");
  return set.rows + (is_one ? " holds" : " hold");
}

double bits_of(const SimpleNumber& number) {
  return rule_number_bits + number.bits;
}

/// A rule before it is known of which rows.
struct Draft {
  RowRule::Kind kind;
  std::function<std::string(const RowSet&)> words;  ///< of positions
  std::string expression = {};                      ///< of what each row holds, for those who tell otherwise
  double bits = 0;
  std::function<double(std::size_t row)> held = {};
  std::optional<double> offset = {};
  bool is_multiple = false;
};

class RowLearner {
 public:
  /// \param scope rows that the rules may be of
  RowLearner(const HeldNumbers& held, const RowGrid& grid, std::span<const RowFeature> features,
             const RuleWords& words, std::vector<bool> scope)
      : held_(held), grid_(grid), features_(features), words_(words), scope_(std::move(scope)) {
    const auto& positions = own();
    for (std::size_t row = 0; row < positions.size(); ++row) {
      if (scope_[row] && !held_.fits(row, positions[row])) {
        failing_.push_back(row);
      }
    }
  }

  const std::vector<std::size_t>& failing() const { return failing_; }

  /// One rule of all failing rows.
  std::vector<RowRule> single_rules() {
    rules_.clear();
    if (failing_.empty()) {
      return {};
    }
    for (const auto& feature : features_) {
      learn(feature);
    }
    if (failing_.size() <= most_listed_rows) {
      list_rows();
    }
    std::ranges::stable_sort(rules_, {}, &RowRule::bits);
    return std::move(rules_);
  }

  /// Rules of their own for parts of the rows: the best of each.
  std::vector<RowRule> rules_of_parts() {
    rules_.clear();
    for (std::size_t d = 0; d < grid_.leading.size(); ++d) {
      by_leading_index(d);
    }
    segments();
    std::ranges::stable_sort(rules_, {}, &RowRule::bits);
    return std::move(rules_);
  }

 private:
  const std::vector<double>& own() const { return features_.front().values; }

  /// The numbers of a row, few enough to try each.
  std::vector<HeldRange> anchors(std::size_t row) const {
    const auto numbers = held_.numbers(row);
    return numbers.size() > most_anchored ? std::vector<HeldRange>()
                                          : std::vector<HeldRange>(numbers.begin(), numbers.end());
  }

  /// Takes a draft for a rule if all failing rows fit it, and a set of rows that do can be told.
  void settle(const Draft& draft) {
    const auto fits = [&](std::size_t row) { return held_.fits(row, draft.held(row)); };
    if (!std::ranges::all_of(failing_, fits)) {
      return;
    }
    std::vector<Membership> wanted(own().size(), Membership::either);
    bool is_whole = true;
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      if (!scope_[row] || !fits(row)) {
        wanted[row] = Membership::no;
        is_whole = false;
      }
    }
    auto set = std::optional(every_row(grid_));
    if (!is_whole) {
      for (const auto row : failing_) {
        wanted[row] = Membership::yes;
      }
      set = simplest_set(grid_, wanted, told_positions());
    }
    // What leaves some rows as they are is no rule of some rows.
    const bool leaves_some = draft.kind == RowRule::Kind::clamped || draft.kind == RowRule::Kind::wrapped ||
                             draft.kind == RowRule::Kind::magnitude;
    if (!set || (leaves_some && !set->has_every_row)) {
      return;
    }
    RowRule rule{draft.kind,
                 words_.tell ? words_.tell(*set, draft.expression) : draft.words(*set),
                 draft.bits + set->bits,
                 own(),
                 draft.offset,
                 set->is_whole,
                 draft.is_multiple};
    if (!set->is_whole) {
      rule.offset.reset();
      if (rule.kind == RowRule::Kind::offset) {
        rule.kind = set->is_one_row       ? RowRule::Kind::single_rows
                    : set->behind.empty() ? RowRule::Kind::block
                                          : RowRule::Kind::jump;
      }
    }
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      if (set->has[row]) {
        rule.held[row] = draft.held(row);
      }
    }
    if (rule.kind == RowRule::Kind::row_index && !words_.tell) {
      rule.words += differences(rule.held);
    }
    rules_.push_back(std::move(rule));
  }

  /// What the failing rows hold beside their positions, where that is an offset, of all or of each leading
  /// index: ": positions of leading index 0 are larger by 5".
  std::string differences(const std::vector<double>& held) const {
    std::map<std::size_t, std::set<double>> by_copy;
    std::set<double> all;
    std::vector<Membership> wanted(own().size(), Membership::either);
    for (std::size_t row = 0; row < held.size(); ++row) {
      wanted[row] = held[row] == own()[row] ? Membership::no : Membership::either;
    }
    for (const auto row : failing_) {
      const double by = held[row] - own()[row];
      by_copy[row / grid_.rows].insert(by);
      all.insert(by);
      wanted[row] = Membership::yes;
    }
    const auto words = [](double by) {
      return fmt::format("{} by {}", by > 0 ? "larger" : "smaller", simple_number(std::fabs(by)).words);
    };
    if (all.size() == 1) {
      const auto set = simplest_set(grid_, wanted, {});
      return set ? fmt::format(": {} are {}", set->positions, words(*all.begin())) : std::string();
    }
    std::string text;
    for (const auto& [copy, by] : by_copy) {
      if (by.size() != 1 || by_copy.size() > most_parts) {
        return {};
      }
      text += fmt::format("{}those of {} are {}", text.empty() ? ": " : ", ",
                          grid_.leading.size() == 1
                              ? fmt::format("leading index {}", copy)
                              : "leading index" + leading_words(copy * grid_.rows).substr(3),
                          words(*by.begin()));
    }
    return text;
  }

  /// Where rows are told by their positions: in one copy whose integers ascend.
  std::span<const double> told_positions() const {
    const auto& positions = own();
    if (!grid_.leading.empty()) {
      return {};
    }
    for (std::size_t row = 0; row < positions.size(); ++row) {
      if (positions[row] != std::rint(positions[row]) || (row > 0 && positions[row] <= positions[row - 1])) {
        return {};
      }
    }
    return positions;
  }

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
    const auto low_numbers = anchors(*low);
    const auto high_numbers = anchors(*high);
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
    const auto positions = told_positions();
    // Where positions are counted one by one, the row before is the position before.
    const bool is_offset = feature.kind == RowFeature::Kind::next_row && !positions.empty() &&
                           positions.back() - positions.front() + 1 == static_cast<double>(positions.size());
    settle({.kind = is_offset ? RowRule::Kind::offset : kind_of(feature, RowRule::Kind::offset),
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
    for (const auto& number : anchors(failing_.front())) {
      const std::vector<double> zero(own().size());
      if (const auto range = offset_range(zero, 0, number)) {
        for (const auto& to : simple_numbers(*range)) {
          settle({.kind = RowRule::Kind::constant,
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
    settle(
        {.kind = RowRule::Kind::magnitude,
         .words =
             [](const RowSet& set) { return "negative " + set.positions + " lose their sign" + set.behind; },
         .bits = rule_number_bits,
         .held = [&p](std::size_t row) { return std::fabs(p[row]); }});
    settle(
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
      settle(
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
    Draft draft{.kind = kind,
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
      draft.words = [this, &feature, expression = line_words(scale, offset, feature.words)](
                        const RowSet& set) { return of_feature(feature, expression, set); };
    }
    settle(draft);
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
      settle({.kind = kind_of(feature, RowRule::Kind::wrapped),
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
      settle({.kind = RowRule::Kind::staircase,
              .words = [](const RowSet& set) { return set.positions + " are cut to integers" + set.behind; },
              .bits = rule_number_bits + 2,
              .held = [&f](std::size_t row) { return std::trunc(f[row]); }});
      settle(
          {.kind = RowRule::Kind::staircase,
           .words = [](const RowSet& set) { return set.positions + " are rounded to integers" + set.behind; },
           .bits = rule_number_bits + 2,
           .held = [&f](std::size_t row) { return std::nearbyint(f[row]); }});
    }
    for (std::int64_t tread = 2; tread <= greatest_tread; ++tread) {
      const auto n = static_cast<double>(tread);
      const auto number = simple_number(n);
      const double bits = feature.bits + quotient_bits + number.bits;
      settle({.kind = kind_of(feature, RowRule::Kind::staircase),
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
      settle({.kind = kind_of(feature, RowRule::Kind::staircase),
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
        settle({.kind = RowRule::Kind::staircase,
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
      if (limit < p[high]) {
        settle({.kind = RowRule::Kind::clamped,
                .words =
                    [words](const RowSet& set) {
                      return fmt::format("{} beyond {} are taken for it{}", set.positions, words.words,
                                         set.behind);
                    },
                .expression = fmt::format("min({}, {})", features_.front().words, words.words),
                .bits = bits_of(words),
                .held = [&p, limit](std::size_t row) { return std::min(p[row], limit); }});
      } else {
        settle({.kind = RowRule::Kind::clamped,
                .words =
                    [words](const RowSet& set) {
                      return fmt::format("{} below {} are taken for it{}", set.positions, words.words,
                                         set.behind);
                    },
                .expression = fmt::format("max({}, {})", features_.front().words, words.words),
                .bits = bits_of(words) + 1,
                .held = [&p, limit](std::size_t row) { return std::max(p[row], limit); }});
      }
    }
  }

  /// A few rows, each with what it holds.
  void list_rows() {
    std::vector<std::vector<SimpleNumber>> numbers;
    for (const auto row : failing_) {
      auto& of_row = numbers.emplace_back();
      for (const auto& range : anchors(row)) {
        const auto simple = simple_numbers(range);
        of_row.insert(of_row.end(), simple.begin(), simple.end());
      }
      std::ranges::stable_sort(of_row, {}, &SimpleNumber::bits);
      if (of_row.empty()) {
        return;
      }
    }
    // Of one row every number that it may hold; of several the likeliest of each.
    const auto alternatives = failing_.size() == 1 ? numbers.front().size() : std::size_t{1};
    for (std::size_t a = 0; a < alternatives; ++a) {
      RowRule rule{RowRule::Kind::single_rows, {}, 0, own()};
      for (std::size_t i = 0; i < failing_.size(); ++i) {
        const auto row = failing_[i];
        const auto& number = numbers[i][failing_.size() == 1 ? a : 0];
        rule.held[row] = number.value;
        rule.bits += i == 0 ? listed_row_bits : next_listed_row_bits;
        if (words_.tell) {
          const RowSet one{.rows = fmt::format("{} {}", grid_.noun, grid_.row(row)), .is_one_row = true};
          rule.words += (i == 0 ? "" : ", ") + words_.tell(one, number.words);
          continue;
        }
        rule.words +=
            fmt::format("{}row {}{} (position {}) holds the values of position {}", i == 0 ? "" : ", ",
                        grid_.row(row), leading_words(row), simple_number(own()[row]).words, number.words);
      }
      rules_.push_back(std::move(rule));
    }
  }

  std::string leading_words(std::size_t row) const {
    std::vector<std::size_t> index;
    for (std::size_t d = 0; d < grid_.leading.size(); ++d) {
      index.push_back(grid_.leading_index(row, d));
    }
    return index.empty() ? std::string() : fmt::format(" of [{}]", fmt::join(index, ", "));
  }

  void by_leading_index(std::size_t dimension) {
    std::set<std::size_t> indices;
    for (const auto row : failing_) {
      indices.insert(grid_.leading_index(row, dimension));
    }
    if (indices.size() < 2 || indices.size() > most_parts) {
      return;
    }
    std::vector<RowRule> parts;
    for (const auto index : indices) {
      auto scope = scope_;
      for (std::size_t row = 0; row < scope.size(); ++row) {
        scope[row] = scope[row] && grid_.leading_index(row, dimension) == index;
      }
      auto rules = RowLearner(held_, grid_, features_, words_, std::move(scope)).single_rules();
      if (rules.empty()) {
        return;
      }
      parts.push_back(std::move(rules.front()));
    }
    join(parts);
  }

  void join(const std::vector<RowRule>& parts) {
    auto rule = parts.front();
    rule.offset.reset();
    for (std::size_t i = 1; i < parts.size(); ++i) {
      rule.words += "; " + parts[i].words;
      rule.bits += parts[i].bits;
      for (std::size_t row = 0; row < rule.held.size(); ++row) {
        if (parts[i].held[row] != own()[row]) {
          rule.held[row] = parts[i].held[row];
        }
      }
    }
    rules_.push_back(std::move(rule));
  }

  /// Runs of rows, each with an offset or a constant: from each first row on the one that goes farthest.
  void segments() {
    std::vector<RowRule> parts;
    std::size_t at = 0;
    while (at < failing_.size()) {
      if (parts.size() == most_segments) {
        return;
      }
      const auto longest = longest_run(at);
      if (longest < at + fewest_of_line) {
        return;
      }
      auto scope = std::vector<bool>(scope_.size());
      for (auto row = failing_[at]; row <= failing_[longest - 1]; ++row) {
        scope[row] = scope_[row];
      }
      auto rules = RowLearner(held_, grid_, features_, words_, std::move(scope)).single_rules();
      if (rules.empty()) {
        return;
      }
      parts.push_back(std::move(rules.front()));
      parts.back().bits += segment_bits;
      at = longest;
    }
    if (parts.size() > 1) {
      join(parts);
    }
  }

  /// One past the last of the failing rows that hold p + o, r + o or one number from the one at `first` on.
  std::size_t longest_run(std::size_t first) const {
    std::size_t longest = first;
    const auto row = failing_[first];
    const std::vector<double> zero(own().size());
    std::vector<const std::vector<double>*> candidates{&own(), &zero};
    for (const auto& feature : features_) {
      if (feature.kind == RowFeature::Kind::row) {
        candidates.push_back(&feature.values);
      }
    }
    for (const auto& number : anchors(row)) {
      for (const auto* f : candidates) {
        auto range = HeldRange{number.low - (*f)[row], number.high - (*f)[row]};
        auto end = first + 1;
        for (; end < failing_.size() && narrow(range, failing_[end], (*f)[failing_[end]]); ++end) {
        }
        longest = std::max(longest, end);
      }
    }
    return longest;
  }

  bool narrow(HeldRange& range, std::size_t row, double f) const {
    for (const auto& number : held_.numbers(row)) {
      const HeldRange one{std::max(range.low, number.low - f), std::min(range.high, number.high - f)};
      if (one.low <= one.high) {
        range = one;
        return true;
      }
    }
    return held_.numbers(row).empty() && held_.fits(row, f + range.middle());
  }

  const HeldNumbers& held_;
  const RowGrid& grid_;
  std::span<const RowFeature> features_;
  const RuleWords& words_;
  std::vector<bool> scope_;
  std::vector<std::size_t> failing_;
  std::vector<RowRule> rules_;
};

}  // namespace

bool HeldIndices::fits(std::size_t row, double number) const {
  return std::ranges::any_of(held_[row], [=](const HeldRange& one) { return one.contains(number); });
}

std::vector<RowRule> learn_rows(const HeldNumbers& held, const RowGrid& grid,
                                std::span<const RowFeature> features, const RuleWords& words,
                                std::size_t most) {
  RowLearner learner(held, grid, features, words, std::vector<bool>(grid.all(), true));
  auto rules = learner.single_rules();
  // What many parts take to say is worth it where one rule takes more, or there is none.
  constexpr double short_rule = 30;
  if (rules.empty() || rules.front().bits > short_rule) {
    auto parts = learner.rules_of_parts();
    std::ranges::move(parts, std::back_inserter(rules));
    std::ranges::stable_sort(rules, {}, &RowRule::bits);
  }
  // What takes as much to say as the rows themselves says nothing.
  constexpr double most_bits = 60;
  std::erase_if(rules, [](const RowRule& rule) { return rule.bits > most_bits; });
  std::set<std::vector<double>> told;
  std::erase_if(rules, [&](const RowRule& rule) { return !told.insert(rule.held).second; });
  if (rules.size() > most) {
    rules.resize(most);
  }
  return rules;
}

}  // namespace vernier
