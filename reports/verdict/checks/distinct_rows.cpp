#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/properties.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Two rows of different positions that hold the same bits.
struct Repetition {
  std::size_t row;
  std::size_t earlier;
};

/// The hash of a row, and the row.
using HashedRow = std::pair<std::uint64_t, std::size_t>;

/// The rows of all tensors of a view jointly.
class JointRows {
 public:
  explicit JointRows(const CaseView& viewed) : viewed_(viewed), view_(viewed.view) {}

  /// Each row that repeats the first of its kind at another position.
  std::vector<Repetition> repetitions() const {
    const auto rows = sorted_rows();
    std::vector<Repetition> result;
    for (auto row = rows.begin(), first = row; row != rows.end(); ++row) {
      if (order(*first, *row) != 0) {
        first = row;
      } else if (row != first && !viewed_.rows.stand_together(row->second, first->second)) {
        result.push_back({row->second, first->second});
      }
    }
    std::ranges::sort(result, {}, &Repetition::row);
    return result;
  }

  /// Whether some row of numbers can be within the budget of both positions: no element's true values are
  /// further apart than its two budgets together. True values that round to the same number are so close; no
  /// contract's budget is below half an ulp of the stored format.
  bool cannot_tell_apart(const Repetition& repetition) {
    const auto later = allowed_row(repetition.row);
    const auto earlier = allowed_row(repetition.earlier);
    for (std::size_t i = 0; i < later.size(); ++i) {
      const double apart = std::fabs((later[i].truth.middle - earlier[i].truth.middle).high);
      if (apart > later[i].reach + earlier[i].reach) {
        return false;
      }
    }
    return true;
  }

 private:
  struct AllowedNumber {
    Enclosure truth;
    double reach;  ///< from it
  };

  std::string_view bits(const TensorPart& part, std::size_t row) const {
    const auto bytes = part.bits(row);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// 0 for rows of the same bits.
  int order(const HashedRow& row, const HashedRow& other) const {
    int result = row.first == other.first ? 0 : row.first < other.first ? -1 : 1;
    for (const auto& part : viewed_.view.parts()) {
      result = result == 0 ? bits(part, row.second).compare(bits(part, other.second)) : result;
    }
    return result;
  }

  /// Rows of the same bits are neighbours, the first one first.
  std::vector<HashedRow> sorted_rows() const {
    std::vector<HashedRow> rows(viewed_.view.rows());
    oneapi::tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t row) {
      std::uint64_t hash = 0;
      for (const auto& part : viewed_.view.parts()) {
        hash = 31 * hash + std::hash<std::string_view>{}(bits(part, row));
      }
      rows[row] = {hash, row};
    });
    std::ranges::stable_sort(
        rows, [&](const HashedRow& row, const HashedRow& other) { return order(row, other) < 0; });
    return rows;
  }

  std::vector<AllowedNumber> allowed_row(std::size_t row) {
    std::vector<AllowedNumber> result;
    view_.go_to(row);
    for (std::size_t part = 0; part < view_.parts().size(); ++part) {
      for (std::size_t column = 0; column < view_.parts()[part].columns; ++column) {
        const auto allowed = view_.allowed(part, column);
        const auto truth = allowed.truth.value_or(Enclosure());
        const bool is_known = allowed.truth && !allowed.may_overflow;
        result.push_back({truth, is_known ? allowed.budget.total() + truth.radius
                                          : std::numeric_limits<double>::infinity()});
      }
    }
    return result;
  }

  const CaseView& viewed_;
  RowView view_;
};

std::string row_text(const CaseView& viewed, std::size_t row) {
  return to_string(row_place(viewed.rows.leading, viewed.rows.count(), row));
}

/// \param check that passes
void conclude_repetitions(Check& check, const CaseView& viewed) {
  JointRows rows(viewed);
  const auto repeated = rows.repetitions();
  check.counts = {viewed.view.rows(), viewed.view.rows(), 0, 0};
  for (const auto& repetition : repeated) {
    if (rows.cannot_tell_apart(repetition) || check.counts.failing++ > 0) {
      continue;
    }
    const auto& [row, earlier] = repetition;
    check.status = Status::fail;
    check.counterexample = {{"row", row_text(viewed, row)},
                            {"position", viewed.rows.position_text(row)},
                            {"repeats row", row_text(viewed, earlier)},
                            {"of position", viewed.rows.position_text(earlier)}};
    check.reason = fmt::format("row {} (position {}) repeats row {} (position {}) bit for bit",
                               row_text(viewed, row), viewed.rows.position_text(row),
                               row_text(viewed, earlier), viewed.rows.position_text(earlier));
  }
  if (repeated.empty()) {
    check.reason = "rows of different positions all differ";
  } else if (check.counts.failing > 1) {
    check.reason += fmt::format(", the first of {} such rows", check.counts.failing);
  } else if (check.counts.failing == 0) {
    check.reason = counted(repeated.size(), "row repeats", "rows repeat") +
                   " another, but of positions that the contract cannot tell apart";
  }
}

}  // namespace

void judge_distinct_rows(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  const auto& property = *property_named("unique");
  for (const auto& viewed : *audited.views) {
    if (!viewed.view.parts().front().bits) {
      continue;
    }
    auto check = property_check(property, audited.subject.encoding->scheme());
    check.status = Status::pass;
    check.required += ", of stored rows where the contract can tell the positions apart";
    conclude_repetitions(check, viewed);
    out.push_back(std::move(check));
  }
}

}  // namespace vernier
