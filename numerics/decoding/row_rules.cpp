#include "numerics/decoding/row_rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "numerics/decoding/row_drafts.hpp"

namespace vernier {
namespace {

/// \name What rules of parts take to say, in bits
/// @{
constexpr double segment_bits = 5;
constexpr double listed_row_bits = 12;  ///< of one row alone
constexpr double next_listed_row_bits = 8;
/// @}
constexpr std::size_t most_listed_rows = 6;
constexpr std::size_t most_segments = 6;
constexpr std::size_t most_parts = 4;
/// Fewer rows of a run say too little.
constexpr std::size_t shortest_run = 3;

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

  /// One rule of all failing rows.
  std::vector<RowRule> single_rules() {
    rules_.clear();
    if (failing_.empty()) {
      return {};
    }
    for (const auto& draft : drafts_of(held_, grid_, features_, failing_)) {
      settle(draft);
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

  /// Takes a draft for a rule if all failing rows fit it, and a set of rows that do can be told.
  void settle(const RowDraft& draft) {
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
      set = simplest_set(grid_, wanted, told_positions(grid_, own()));
    }
    // What leaves some rows as they are is no rule of some rows, unless rows wrap more than once.
    const bool leaves_some = draft.kind == RowRule::Kind::clamped || draft.kind == RowRule::Kind::magnitude ||
                             (draft.kind == RowRule::Kind::wrapped && differences_of(draft).size() == 1);
    if (!set || (leaves_some && !set->has_every_row)) {
      return;
    }
    RowRule rule{draft.kind,
                 words_.tell                             ? words_.tell(*set, draft.expression)
                 : set->is_whole && !draft.whole.empty() ? draft.whole
                                                         : set->in(draft.words),
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
      } else if (rule.kind == RowRule::Kind::factor) {
        rule.kind = RowRule::Kind::block;  // distances to the other rows change by no factor
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

  /// How far from their positions failing rows are.
  std::set<double> differences_of(const RowDraft& draft) const {
    std::set<double> result;
    for (const auto row : failing_) {
      result.insert(draft.held(row) - own()[row]);
    }
    return result;
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

  /// A few rows, each with what it holds.
  void list_rows() {
    std::vector<std::vector<SimpleNumber>> numbers;
    for (const auto row : failing_) {
      auto& of_row = numbers.emplace_back();
      for (const auto& range : anchored(held_, row)) {
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
        rule.bits += number.value == std::rint(number.value) ? 0 : number.bits;
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
      if (longest < at + shortest_run) {
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
    for (const auto& number : anchored(held_, row)) {
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

template <class Number>
std::vector<double> each_row(const RowGrid& grid, const Number& number) {
  std::vector<double> values(grid.all());
  for (std::size_t row = 0; row < values.size(); ++row) {
    values[row] = static_cast<double>(number(row));
  }
  return values;
}

}  // namespace

std::vector<RowFeature> row_features(const RowGrid& grid, std::size_t width,
                                     std::span<const std::vector<double>> positions, std::size_t axis) {
  using Kind = RowFeature::Kind;
  const auto& own = positions[axis];
  auto shape = grid.leading;
  shape.insert(shape.end(), {grid.rows, width});
  std::vector<RowFeature> result{{Kind::position, own, "p", "their positions", 0}};
  const auto add = [&](RowFeature feature) {
    // An index that is the position but for a constant says what the position does.
    const auto is_counted = [&] {
      for (std::size_t row = 1; row < own.size(); ++row) {
        if (feature.values[row] - own[row] != feature.values[0] - own[0]) {
          return false;
        }
      }
      return feature.kind == Kind::row;
    };
    for (const auto& one : result) {
      if (one.values == feature.values || is_counted()) {
        return;
      }
    }
    result.push_back(std::move(feature));
  };
  add({Kind::row, each_row(grid, [&](std::size_t i) { return grid.row(i); }), "r", "its own index", 3});
  for (std::size_t d = 0; d < grid.leading.size(); ++d) {
    add({Kind::leading_index, each_row(grid, [&](std::size_t i) { return grid.leading_index(i, d); }), "b",
         grid.leading.size() == 1 ? "the leading index" : fmt::format("the index of leading dimension {}", d),
         4,
         fmt::format("positions count along dimension -{} of {}, not along -2", grid.leading.size() + 2 - d,
                     to_string(shape))});
  }
  add({Kind::row, each_row(grid, [](std::size_t i) { return i; }), "r",
       "its index, counted on through the leading dimensions", 6});
  for (std::size_t other = 0; other < positions.size(); ++other) {
    if (other != axis) {
      add({Kind::other_axis, positions[other], "q", fmt::format("its position along axis {}", other), 4});
    }
  }
  const auto of_row = [&](Kind kind, const std::string& held, double bits, const auto& other) {
    add({kind, each_row(grid, [&](std::size_t i) { return own[other(i)]; }), "q", held, bits});
  };
  const auto last = grid.rows - 1;
  of_row(Kind::other_row, "the position of that row of leading index 0", 4,
         [&](std::size_t i) { return grid.row(i); });
  of_row(Kind::next_row, "the position of the row before", 5,
         [&](std::size_t i) { return grid.row(i) == 0 ? i : i - 1; });
  of_row(Kind::next_row, "the position of the row before, the first that of the last", 6,
         [&](std::size_t i) { return grid.row(i) == 0 ? i + last : i - 1; });
  of_row(Kind::next_row, "the position of the row behind", 5,
         [&](std::size_t i) { return grid.row(i) == last ? i : i + 1; });
  of_row(Kind::next_row, "the position of the row behind, the last that of the first", 6,
         [&](std::size_t i) { return grid.row(i) == last ? i - last : i + 1; });
  of_row(Kind::mirrored_row, "the position of the row as far from the end", 12,
         [&](std::size_t i) { return i - grid.row(i) + (last - grid.row(i)); });
  of_row(Kind::other_row, "the position of that row of the leading index before", 6,
         [&](std::size_t i) { return i < grid.rows ? i : i - grid.rows; });
  return result;
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
