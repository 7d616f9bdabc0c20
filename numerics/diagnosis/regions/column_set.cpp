#include "numerics/diagnosis/regions/column_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/diagnosis/damage.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// The columns of pairs of which all that are chosen are in the set.
/// \param is_chosen which columns \param words before the pairs \param bits of the choice
template <class IsChosen>
std::optional<ColumnSet> columns_of_pairs(const Misses& misses, const std::vector<Membership>& wanted,
                                          const IsChosen& is_chosen, const std::string& words, double bits) {
  const auto columns = misses.columns();
  std::vector<Membership> of_pairs(misses.computation().tones.size(), Membership::either);
  bool excludes_without_pair = false;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const auto pair = static_cast<std::size_t>(columns[column].pair);
    if (!is_chosen(columns[column]) || columns[column].pair < 0) {
      if (wanted[column] == Membership::yes) {
        return std::nullopt;
      }
      excludes_without_pair =
          excludes_without_pair || (columns[column].pair < 0 && wanted[column] == Membership::no);
    } else if (of_pairs[pair] != Membership::no && wanted[column] != Membership::either) {
      of_pairs[pair] = wanted[column];
    }
  }
  const auto pairs = simplest_rows({{}, of_pairs.size(), "pair"}, of_pairs);
  if (!pairs) {
    return std::nullopt;
  }
  const bool is_whole = pairs->is_whole && words.empty() && !excludes_without_pair;
  ColumnSet result{{}, words + pairs->rows, bits + pairs->bits, is_whole};
  for (const auto& column : columns) {
    const bool has_pair = column.pair >= 0 && pairs->has[static_cast<std::size_t>(column.pair)];
    result.has.push_back(is_chosen(column) && (column.pair < 0 ? is_whole : has_pair));
  }
  return result;
}

/// The same columns of some tensors, which are as wide.
std::optional<ColumnSet> columns_of_tensors(const Suspect& suspect, const Misses& misses,
                                            const std::vector<Membership>& wanted,
                                            std::span<const std::size_t> tensors) {
  const auto width = suspect.width(tensors.front());
  std::vector<Membership> of_any(width, Membership::either);
  std::ptrdiff_t members = 0;
  for (const auto tensor : tensors) {
    for (std::size_t column = 0; column < width; ++column) {
      const auto own = wanted[misses.first_column(tensor) + column];
      members += own == Membership::yes ? 1 : 0;
      of_any[column] = of_any[column] == Membership::no || own == Membership::either ? of_any[column] : own;
    }
  }
  const auto set = simplest_rows({{}, width, "column"}, of_any);
  if (!set || members != std::ranges::count(wanted, Membership::yes)) {
    return std::nullopt;
  }
  const auto role = [&](std::size_t tensor) { return role_of(suspect, tensor); };
  ColumnSet result{std::vector<bool>(wanted.size()),
                   fmt::format("{} of {}", set->rows, joined(tensors, role, " and ")),
                   flag_bits + std::log2(static_cast<double>(suspect.tensors())) + set->bits};
  for (const auto tensor : tensors) {
    const auto first = static_cast<std::ptrdiff_t>(misses.first_column(tensor));
    std::copy(set->has.begin(), set->has.end(), result.has.begin() + first);
  }
  return result;
}

}  // namespace

std::optional<ColumnSet> simplest_columns(const Suspect& suspect, const Misses& misses,
                                          const std::vector<Membership>& wanted) {
  std::optional<ColumnSet> simplest;
  const auto offer = [&](std::optional<ColumnSet> set) {
    if (set && (!simplest || set->bits < simplest->bits)) {
      simplest = std::move(set);
    }
  };
  const auto every = [](const Misses::Column&) { return true; };
  offer(columns_of_pairs(misses, wanted, every, "", 0));
  const bool are_tables = suspect.vectors() == nullptr;
  for (const bool is_second : {false, true}) {
    const auto has_component = [=](const Misses::Column& column) { return column.is_second == is_second; };
    const auto* words = are_tables ? (is_second ? "the sines of " : "the cosines of ")
                                   : (is_second ? "the second dimensions of " : "the first dimensions of ");
    offer(columns_of_pairs(misses, wanted, has_component, words, flag_bits));
  }
  std::vector<std::size_t> all_tensors(suspect.tensors());
  std::iota(all_tensors.begin(), all_tensors.end(), 0);
  for (const auto& tensor : all_tensors) {
    offer(columns_of_tensors(suspect, misses, wanted, {&tensor, 1}));
  }
  const bool are_as_wide = std::ranges::all_of(
      all_tensors, [&](std::size_t tensor) { return suspect.width(tensor) == suspect.width(0); });
  if (all_tensors.size() > 1 && are_as_wide) {
    offer(columns_of_tensors(suspect, misses, wanted, all_tensors));
  }
  return simplest;
}

ColumnSet every_column(const Misses& misses) {
  return {std::vector<bool>(misses.columns().size(), true), "every pair", 0, true};
}

std::vector<IndexRun> index_runs(const std::vector<bool>& set) {
  std::vector<IndexRun> result;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (!set[i]) {
      continue;
    }
    if (auto* run = result.empty() ? nullptr : &result.back();
        run != nullptr && (run->first == run->last || i - run->last == run->step)) {
      run->step = i - run->last;
      run->last = i;
    } else {
      result.push_back({i, i});
    }
  }
  return result;
}

std::optional<RowSet> simplest_rows(const RowGrid& grid, const std::vector<Membership>& wanted) {
  return std::ranges::find(wanted, Membership::yes) == wanted.end() ? std::nullopt
                                                                    : simplest_set(grid, wanted, {});
}

}  // namespace vernier
