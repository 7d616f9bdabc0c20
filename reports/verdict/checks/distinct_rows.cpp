#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/verdict/checks/properties.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t hashed_rows_at_once = 1024;

/// Two rows of different positions that hold the same bits.
struct Repetition {
  std::size_t row;
  std::size_t earlier;
};

bool same_bits(const Case& subject, std::size_t a, std::size_t b) {
  return std::ranges::all_of(subject.tensors.all<TableTensor>(), [&](const TableTensor& tensor) {
    return std::ranges::equal(tensor.row_bytes(a), tensor.row_bytes(b));
  });
}

std::uint64_t hash_of(const Case& subject, std::size_t row) {
  std::uint64_t hash = 0;
  for (const auto& tensor : subject.tensors.all<TableTensor>()) {
    const auto bytes = tensor.row_bytes(row);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    hash = 31 * hash + std::hash<std::string_view>{}(text);
  }
  return hash;
}

/// A row by its hash: rows of the same bits are neighbours once sorted, the first one first.
struct HashedRow {
  std::uint64_t hash;
  std::size_t row;
  auto operator<=>(const HashedRow&) const = default;
};

/// The rows that share the last bits of their hash with another, and so all that repeat one; sorted.
std::vector<HashedRow> likely_alike(std::span<const std::uint64_t> hashes) {
  constexpr std::size_t slots_per_row = 8;
  const auto mask = std::bit_ceil(slots_per_row * hashes.size()) - 1;
  std::vector<std::uint8_t> times(mask + 1);
  for (const auto hash : hashes) {
    auto& seen = times[hash & mask];
    seen = static_cast<std::uint8_t>(std::min(seen + 1, 2));
  }
  std::vector<HashedRow> result;
  for (std::size_t row = 0; row < hashes.size(); ++row) {
    if (times[hashes[row] & mask] > 1) {
      result.push_back({hashes[row], row});
    }
  }
  std::ranges::sort(result);
  return result;
}

std::vector<HashedRow> hashed_rows(const Case& subject) {
  std::vector<std::uint64_t> hashes(subject.positions.size());
  oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, hashes.size(), hashed_rows_at_once),
                            [&](const auto& rows) {
                              for (auto row = rows.begin(); row != rows.end(); ++row) {
                                hashes[row] = hash_of(subject, row);
                              }
                            });
  return likely_alike(hashes);
}

/// Appends the repetitions among rows of one hash, which need not be of one kind. \param rows ascending
void add_repetitions(const Case& subject, std::span<const HashedRow> rows, std::vector<Repetition>& out) {
  std::vector<std::size_t> first_of_kind;
  for (const auto& [hash, row] : rows) {
    const auto earlier = std::ranges::find_if(
        first_of_kind, [&, later = row](std::size_t first) { return same_bits(subject, later, first); });
    if (earlier == first_of_kind.end()) {
      first_of_kind.push_back(row);
    } else if (subject.positions[*earlier] != subject.positions[row]) {
      out.push_back({row, *earlier});
    }
  }
}

/// Each row, over all tensors jointly, that repeats the first of its kind at another position.
std::vector<Repetition> repetitions(const Case& subject) {
  const auto rows = hashed_rows(subject);
  std::vector<Repetition> result;
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto end =
        std::find_if(begin, rows.end(), [&](const auto& row) { return row.hash != begin->hash; });
    if (end - begin > 1) {
      add_repetitions(subject, {begin, end}, result);
    }
    begin = end;
  }
  std::ranges::sort(result, {}, &Repetition::row);
  return result;
}

/// The true row of one position with the budget of each element.
struct TrueRow {
  std::vector<Enclosure> values;
  std::vector<Enclosure> partners;
  std::vector<double> budgets;
};

TrueRow true_row(CertifiedTable& table, const BudgetModel& model, std::int64_t position) {
  TrueRow row{std::vector<Enclosure>(table.columns()), std::vector<Enclosure>(table.columns()), {}};
  table.row(position, row.values, row.partners);
  for (std::size_t c = 0; c < table.columns(); ++c) {
    const auto budget = table.table().is_zero(position, c)
                            ? Budget{}
                            : model.at(position, table.table().columns[c].pair, row.values[c].approximately(),
                                       row.partners[c].approximately());
    row.budgets.push_back(budget.total());
  }
  return row;
}

/// Decides which repetitions the contract permits.
class Resolution {
 public:
  explicit Resolution(const Case& subject) : subject_(subject) {
    for (const auto& tensor : subject.tensors.all<TableTensor>()) {
      tables_.push_back(certified_table_for(tensor.table, subject.positions));
      models_.push_back(tensor.model());
    }
  }

  /// Whether some row of numbers can be within the budget of both positions: no element's true values are
  /// further apart than its two budgets together. True values that round to the same number are so close; no
  /// contract's budget is below half an ulp of the stored format.
  bool cannot_tell_apart(const Repetition& repetition) {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const auto a = true_row(tables_[i], models_[i], subject_.positions[repetition.row]);
      const auto b = true_row(tables_[i], models_[i], subject_.positions[repetition.earlier]);
      for (std::size_t c = 0; c < a.values.size(); ++c) {
        const auto difference = a.values[c].middle - b.values[c].middle;
        const double reach = a.budgets[c] + b.budgets[c] + a.values[c].radius + b.values[c].radius;
        if (std::fabs(difference.high) > reach) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  const Case& subject_;
  std::vector<CertifiedTable> tables_;
  std::vector<BudgetModel> models_;
};

std::string row_text(const Case& subject, std::size_t row) {
  return to_string(row_place(subject.leading, subject.positions.size(), row));
}

void describe(Check& check, const Case& subject, const Repetition& first) {
  check.counterexample = {{"row", row_text(subject, first.row)},
                          {"position", subject.position_text(first.row)},
                          {"repeats row", row_text(subject, first.earlier)},
                          {"of position", subject.position_text(first.earlier)}};
}

}  // namespace

void judge_distinct_rows(const AuditedCase& audited, std::vector<Check>& out) {
  const auto& subject = audited.subject;
  if (!subject.tensors.has<TableTensor>()) {
    return;
  }
  const auto property = unique_property();
  Check check{"property/" + std::string(subject.encoding->scheme()) + "/" + std::string(property.id),
              Status::pass, "",
              requirement_of(property) + ", of stored rows where the contract can tell the positions apart"};
  const auto repeated = repetitions(subject);
  check.counts = {subject.positions.size(), subject.positions.size(), 0, 0};
  if (repeated.empty()) {
    check.reason = "rows of different positions all differ";
    out.push_back(std::move(check));
    return;
  }
  Resolution resolution(subject);
  for (const auto& repetition : repeated) {
    if (!resolution.cannot_tell_apart(repetition) && check.counts.failing++ == 0) {
      check.status = Status::fail;
      describe(check, subject, repetition);
      check.reason =
          fmt::format("row {} (position {}) repeats row {} (position {}) bit for bit",
                      row_text(subject, repetition.row), subject.position_text(repetition.row),
                      row_text(subject, repetition.earlier), subject.position_text(repetition.earlier));
    }
  }
  if (check.counts.failing > 1) {
    check.reason += ", the first of " + std::to_string(check.counts.failing) + " such rows";
  } else if (check.counts.failing == 0) {
    check.reason = counted(repeated.size(), "row repeats", "rows repeat") +
                   " another, but of positions that the contract cannot tell apart";
  }
  out.push_back(std::move(check));
}

}  // namespace vernier
