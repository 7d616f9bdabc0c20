#include "numerics/decoding/row_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "numerics/tensors/leading_dimensions.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// A set of the indices 0 .. n - 1 along one dimension.
struct IndexSet {
  std::vector<bool> has = {};
  double bits = 0;
  enum class Form { all, one, but_one, range, from, to, periodic, list } form = Form::all;
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t period = 1;
  Form within = Form::all;               ///< of a periodic one
  std::vector<std::size_t> listed = {};  ///< of a list the indices, of a periodic one the residues
};

/// Of one copy by number, where each row's is told by its position.
struct Words {
  std::string subject;
  std::string behind = {};
};

constexpr std::size_t most_listed = 8;
constexpr std::size_t longest_period = 256;

std::vector<std::size_t> members(std::span<const Membership> wanted, Membership kind) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == kind) {
      result.push_back(i);
    }
  }
  return result;
}

class IndexSets {
 public:
  explicit IndexSets(std::span<const Membership> wanted)
      : wanted_(wanted), yes_(members(wanted, Membership::yes)), no_(members(wanted, Membership::no)) {}

  std::optional<IndexSet> simplest() {
    const auto n = wanted_.size();
    if (yes_.empty()) {
      return std::nullopt;
    }
    if (no_.empty()) {
      return IndexSet{.has = std::vector<bool>(n, true), .last = n - 1};
    }
    const double index_bits = std::log2(static_cast<double>(n));
    if (yes_.size() == 1) {
      offer({.bits = 2 + index_bits, .form = IndexSet::Form::one, .first = yes_[0], .last = yes_[0]},
            [&](std::size_t i) { return i == yes_[0]; });
    }
    if (no_.size() == 1 && n > 2) {
      offer({.bits = 3 + index_bits, .form = IndexSet::Form::but_one, .first = no_[0], .last = no_[0]},
            [&](std::size_t i) { return i != no_[0]; });
    }
    for (const auto& range : ranges(no_)) {
      offer(range, [&](std::size_t i) { return i >= range.first && i <= range.last; });
    }
    periods();
    if (yes_.size() <= most_listed) {
      offer({.bits = 2 + static_cast<double>(yes_.size()) * (2 + index_bits),
             .form = IndexSet::Form::list,
             .listed = yes_},
            [&](std::size_t i) { return std::ranges::find(yes_, i) != yes_.end(); });
    }
    return std::move(best_);
  }

 private:
  void offer(IndexSet set, const std::function<bool(std::size_t)>& has) {
    if (best_ && best_->bits <= set.bits) {
      return;
    }
    if (!std::ranges::all_of(yes_, has) || std::ranges::any_of(no_, has)) {
      return;
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      set.has.push_back(has(i));
    }
    best_ = std::move(set);
  }

  /// The ranges that have what has to be in them, and what speaks against none. Of rows next to its ends that
  /// may belong to it or not, none does; but the first and the last row are reached where nothing speaks
  /// against it.
  std::vector<IndexSet> ranges(std::span<const std::size_t> no) const {
    const double index_bits = std::log2(static_cast<double>(wanted_.size()));
    const auto first = yes_.front();
    const auto last = yes_.back();
    std::vector<IndexSet> result;
    if (no.back() < last) {
      result.push_back(
          {.bits = 2 + index_bits, .form = IndexSet::Form::from, .first = first, .last = wanted_.size() - 1});
    }
    if (no.front() > first) {
      result.push_back({.bits = 2 + index_bits, .form = IndexSet::Form::to, .last = last});
    }
    result.push_back(
        {.bits = 3 + 2 * index_bits, .form = IndexSet::Form::range, .first = first, .last = last});
    return result;
  }

  void periods() {
    for (std::size_t n = 2; n <= std::min(longest_period, wanted_.size() / 2); ++n) {
      std::vector<bool> has(n);
      std::ranges::for_each(yes_, [&](std::size_t i) { has[i % n] = true; });
      const auto count = static_cast<std::size_t>(std::ranges::count(has, true));
      if (count == n || count > most_listed) {
        continue;
      }
      IndexSet set{.bits = 4 + (n == 2 ? 0 : 4 * std::log2(static_cast<double>(n))) +
                           2 * static_cast<double>(std::min(count, n - count) - 1),
                   .form = IndexSet::Form::periodic,
                   .period = n};
      if (best_ && best_->bits <= set.bits) {
        continue;
      }
      for (std::size_t residue = 0; residue < n; ++residue) {
        if (has[residue]) {
          set.listed.push_back(residue);
        }
      }
      const auto others = filtered(no_, [&](std::size_t i) { return has[i % n]; });
      if (others.empty()) {
        offer(std::move(set), [&](std::size_t i) { return has[i % n]; });
        continue;
      }
      // A shorter range is one of a few rows: chance gives most of these a period.
      constexpr std::size_t least_periods = 3;
      for (const auto& range : ranges(others)) {
        if (range.last - range.first + 1 < least_periods * n) {
          continue;
        }
        auto part = set;
        part.bits += range.bits;
        part.within = range.form;
        part.first = range.first;
        part.last = range.last;
        offer(std::move(part),
              [&](std::size_t i) { return has[i % n] && i >= range.first && i <= range.last; });
      }
    }
  }

  std::span<const Membership> wanted_;
  std::vector<std::size_t> yes_;
  std::vector<std::size_t> no_;
  std::optional<IndexSet> best_;
};

std::string periodic_words(const IndexSet& set, const std::string& row) {
  if (set.period == 2) {
    return (set.listed.front() == 0 ? "even " : "odd ") + row + "s";
  }
  return set.listed.size() == 1 && set.listed.front() == 0
             ? fmt::format("every {} that {} divides", row, set.period)
             : fmt::format("{}s {} of every {}", row, fmt::join(set.listed, ", "), set.period);
}

std::string rows_words(const IndexSet& set, const std::string& row) {
  switch (set.form) {
    case IndexSet::Form::all:
      return "every " + row;
    case IndexSet::Form::one:
      return fmt::format("{} {}", row, set.first);
    case IndexSet::Form::but_one:
      return fmt::format("every {0} but {0} {1}", row, set.first);
    case IndexSet::Form::from:
      return fmt::format("{}s from {} on", row, set.first);
    case IndexSet::Form::to:
      return set.last == 0 ? row + " 0" : fmt::format("{}s 0 to {}", row, set.last);
    case IndexSet::Form::range:
      return fmt::format("{}s {} to {}", row, set.first, set.last);
    case IndexSet::Form::periodic:
      return periodic_words(set, row) +
             (set.within == IndexSet::Form::all    ? ""
              : set.within == IndexSet::Form::from ? fmt::format(", from {} on", set.first)
              : set.within == IndexSet::Form::to   ? fmt::format(", up to {}", set.last)
                                                   : fmt::format(", from {} to {}", set.first, set.last));
    case IndexSet::Form::list:
      return fmt::format("{}s {}", row, fmt::join(set.listed, ", "));
  }
  return {};
}

/// "index 3", "indices 4 to 7" of a leading dimension.
std::string index_words(const IndexSet& set) {
  auto text = rows_words(set, "row");
  for (auto at = text.find("row"); at != std::string::npos; at = text.find("row", at)) {
    const bool are_many = text.compare(at, 4, "rows") == 0;
    text.replace(at, are_many ? 4 : 3, are_many ? "indices" : "index");
  }
  return text;
}

/// Of rows whose positions ascend.
Words positions_words(const IndexSet& set, std::span<const double> positions) {
  const auto at = [&](std::size_t row) { return fmt::format("{:.0f}", positions[row]); };
  switch (set.form) {
    case IndexSet::Form::all:
      return {"positions"};
    case IndexSet::Form::one:
      return {fmt::format("position {}", at(set.first))};
    case IndexSet::Form::from:
      return {"positions", positions[set.first] == positions[set.first - 1] + 1
                               ? fmt::format(" from position {} on", at(set.first))
                               : fmt::format(" from a position between {:.0f} and {:.0f} on",
                                             positions[set.first - 1] + 1, positions[set.first])};
    case IndexSet::Form::to:
    case IndexSet::Form::range:
      return {fmt::format("positions {} to {}", at(set.first), at(set.last))};
    default:
      return {"positions of " + rows_words(set, "row")};
  }
}

}  // namespace

std::size_t RowGrid::leading_index(std::size_t index, std::size_t dimension) const {
  return vernier::leading_index(leading, index / rows)[dimension];
}

std::string RowSet::in(std::string words) const {
  const bool is_one = is_told_as_one();
  const bool is_one_position = positions.starts_with("position ");
  const std::array<std::pair<std::string_view, std::string>, 5> parts{
      {{"<hold>", rows + (is_one ? " holds" : " hold")},
       {"<positions>", positions},
       {"<behind>", behind},
       {"<are>", is_one_position ? "is" : "are"},
       {"<their>", is_one ? "its" : "their"}}};
  for (const auto& [name, part] : parts) {
    if (const auto at = words.find(name); at != std::string::npos) {
      words.replace(at, name.size(), part);
    }
  }
  return words;
}

RowSet every_row(const RowGrid& grid) {
  return {.has = std::vector<bool>(grid.all(), true),
          .rows = "every " + std::string(grid.noun),
          .positions = "positions",
          .behind = {},
          .has_every_row = true,
          .is_whole = true};
}

std::optional<RowSet> simplest_set(const RowGrid& grid, std::span<const Membership> wanted,
                                   std::span<const double> positions) {
  // What all rows with one index of a dimension say of it: one that has to be there says so, and one that
  // must not counts only where every other index of the row is there.
  const auto dimensions = grid.leading.size() + 1;
  const auto size = [&](std::size_t d) { return d == grid.leading.size() ? grid.rows : grid.leading[d]; };
  const auto index = [&](std::size_t row, std::size_t d) {
    return d == grid.leading.size() ? grid.row(row) : grid.leading_index(row, d);
  };
  std::vector<std::vector<Membership>> by_index(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) {
    by_index[d].assign(size(d), Membership::either);
  }
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    for (std::size_t d = 0; wanted[row] == Membership::yes && d < dimensions; ++d) {
      by_index[d][index(row, d)] = Membership::yes;
    }
  }
  const bool is_product = dimensions == 1;
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    if (wanted[row] != Membership::no) {
      continue;
    }
    std::size_t outside = 0;
    std::size_t where = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      if (by_index[d][index(row, d)] != Membership::yes) {
        ++outside;
        where = d;
      }
    }
    if (outside == 0) {
      return std::nullopt;
    }
    if (is_product || outside == 1) {
      by_index[where][index(row, where)] = Membership::no;
    }
  }
  std::vector<IndexSet> sets;
  RowSet result{.has = std::vector<bool>(wanted.size(), true)};
  for (std::size_t d = 0; d < dimensions; ++d) {
    auto set = IndexSets(by_index[d]).simplest();
    if (!set) {
      return std::nullopt;
    }
    result.bits += set->bits;
    sets.push_back(*std::move(set));
  }
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      result.has[row] = result.has[row] && sets[d].has[index(row, d)];
    }
    if (wanted[row] == Membership::no && result.has[row]) {
      return std::nullopt;
    }
  }
  const auto& of_rows = sets.back();
  std::string of_leading;
  for (std::size_t d = 0; d + 1 < dimensions; ++d) {
    const auto& set = sets[d];
    if (set.form == IndexSet::Form::all) {
      continue;
    }
    auto words = index_words(set);
    of_leading += grid.leading.size() == 1 ? fmt::format(" of leading {}", words)
                                           : fmt::format(" of {} of leading dimension {}", words, d);
  }
  result.is_one_row = of_rows.form == IndexSet::Form::one;
  result.has_every_row = of_rows.form == IndexSet::Form::all;
  result.is_whole = result.bits == 0;
  result.rows = rows_words(of_rows, std::string(grid.noun)) + of_leading;
  if (dimensions == 1 && positions.size() == grid.rows) {
    auto words = positions_words(of_rows, positions);
    result.positions = std::move(words.subject);
    result.behind = std::move(words.behind);
  } else if (of_rows.form == IndexSet::Form::all) {
    result.positions = "positions" + of_leading;
  } else {
    result.positions = "positions of " + result.rows;
  }
  return result;
}

}  // namespace vernier
