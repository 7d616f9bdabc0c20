#include "props/models/value_code.hpp"

#include <algorithm>
#include <set>

#include "props/judging/interval_predicates.hpp"
#include "props/judging/shift.hpp"
#include "props/models/judging.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

/// As many rows are looked at one by one, and as few that their triples can be compared.
constexpr std::int64_t most_rows = 256;
constexpr std::size_t few_rows = 24;

Rational dot(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/// Whether no row is a linear combination of the others: by elimination, exactly.
bool independent(std::vector<std::vector<Rational>> rows) {
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    const auto pivot = std::ranges::find_if(*row, [](const auto& x) { return x != 0; });
    if (pivot == row->end()) {
      return false;
    }
    const auto column = pivot - row->begin();
    for (auto below = row + 1; below != rows.end(); ++below) {
      const Rational factor = (*below)[static_cast<std::size_t>(column)] / *pivot;
      std::ranges::transform(*below, *row, below->begin(),
                             [&](const Rational& a, const Rational& b) { return Rational(a - factor * b); });
    }
  }
  return true;
}

Justification exhaustively(Answer answer, const std::string& told) {
  return {answer, Method::exhaustive, told};
}

}  // namespace

ValueCode::ValueCode(ExactTable table, Options options)
    : table_(std::move(table)), options_(std::move(options)), first_(window().lowest) {
  if (!table_.first_position && !table_.last_position) {
    first_ = 0;
  }
  const auto last = std::min(window().highest, first_ + most_rows - 1);
  for (auto position = first_; position <= last; ++position) {
    Row row;
    for (std::size_t column = 0; column < table_.columns; ++column) {
      row.push_back(table_.factor(position, column));
    }
    rows_.push_back(std::move(row));
  }
}

PositionWindow ValueCode::window() const {
  const PositionWindow all;
  return {std::max(all.lowest, table_.first_position.value_or(all.lowest)),
          std::min(all.highest, table_.last_position.value_or(all.highest))};
}

IntervalVector ValueCode::code(std::int64_t position) const {
  const auto [entry, is_new] = codes_.try_emplace(position);
  if (is_new) {
    IntervalVector row(static_cast<Eigen::Index>(table_.columns));
    for (std::size_t column = 0; column < table_.columns; ++column) {
      row(static_cast<Eigen::Index>(column)) = table_.entry(position, column)();
    }
    entry->second = std::move(row);
  }
  return entry->second;
}

bool ValueCode::is_zero() const {
  return std::ranges::all_of(
      rows_, [](const Row& row) { return std::ranges::all_of(row, [](const auto& x) { return x == 0; }); });
}

bool ValueCode::is_affine() const {
  if (table_.sines || rows_.size() < 3) {
    return false;
  }
  for (std::size_t t = 2; t < rows_.size(); ++t) {
    for (std::size_t column = 0; column < table_.columns; ++column) {
      if (rows_[t][column] - rows_[t - 1][column] != rows_[1][column] - rows_[0][column]) {
        return false;
      }
    }
  }
  return true;
}

std::optional<Interval> ValueCode::bound() const {
  const auto seen = all_rows_known() ? rows_.size() : std::min<std::size_t>(rows_.size(), 64);
  Interval greatest = 0;
  for (std::size_t t = 0; t < seen; ++t) {
    const auto row = code(first_ + static_cast<std::int64_t>(t));
    for (Eigen::Index i = 0; i < row.size(); ++i) {
      if (certainly_less(greatest, abs(row(i)))) {
        greatest = abs(row(i));
      }
    }
  }
  return greatest;
}

std::optional<Interval> ValueCode::lipschitz() const {
  if (options_.trained || !is_affine()) {
    return std::nullopt;
  }
  return norm(code(first_ + 1) - code(first_));
}

std::optional<Justification> ValueCode::uniqueness() const {
  if (table_.sines) {
    // The norm grows with the factor, and the sines' own norm is constant.
    bool grows = true;
    for (std::size_t t = 1; t < rows_.size(); ++t) {
      const auto position = first_ + static_cast<std::int64_t>(t);
      grows &= certainly_less(norm(code(position - 1)), norm(code(position)));
    }
    return grows ? std::optional(exhaustively(
                       Answer::yes, std::string("the norm grows with every step from ") +
                                        std::to_string(first_) + " to " + std::to_string(rows_.size() - 1)))
                 : std::nullopt;
  }
  const std::set<Row> different(rows_.begin(), rows_.end());
  if (different.size() < rows_.size()) {
    return std::nullopt;
  }
  return exhaustively(Answer::yes,
                      all_rows_known()
                          ? std::string("all ") + std::to_string(rows_.size()) + " rows differ"
                          : std::string("the rows of the positions ") + std::to_string(first_) + " to " +
                                std::to_string(first_ + static_cast<std::int64_t>(rows_.size()) - 1) +
                                " differ");
}

std::optional<Justification> ValueCode::boundedness() const {
  if (all_rows_known() || (is_affine() && is_zero())) {
    return exhaustively(
        Answer::yes, std::string("by ") + digits(*bound(), 5) +
                         (options_.trained ? ", its greatest element, as every finite table; nothing in the "
                                             "definition says how large training makes that"
                                           : ""));
  }
  return std::nullopt;
}

Justification ValueCode::smoothness() const {
  if (const auto constant = lipschitz()) {
    return {Answer::yes, Method::exhaustive, std::string("affine, L = ") + digits(*constant, 5)};
  }
  if (options_.trained) {
    return {Answer::no, Method::exact, "nothing in the definition relates neighbouring rows"};
  }
  Interval least = norm(code(first_ + 1) - code(first_));
  Interval greatest = least;
  for (std::size_t t = 2; t < rows_.size(); ++t) {
    const auto position = first_ + static_cast<std::int64_t>(t);
    const Interval step = norm(code(position) - code(position - 1));
    if (certainly_less(step, least)) {
      least = step;
    }
    if (certainly_less(greatest, step)) {
      greatest = step;
    }
  }
  return exhaustively(Answer::no, std::string(table_.sines ? "steps grow with the position: "
                                                           : "defined for integers only; steps of length ") +
                                      digits(least, 4) + " to " + digits(greatest, 4) + " in the first " +
                                      std::to_string(rows_.size()) + " rows");
}

std::optional<Justification> ValueCode::over_all_rows(std::string_view property) const {
  if (table_.sines || !all_rows_known() || rows_.size() > few_rows) {
    return std::nullopt;
  }
  const auto n = rows_.size();
  const auto score = [&](std::size_t a, std::size_t b) { return dot(rows_[a], rows_[b]); };
  bool holds = true;
  for (std::size_t t = 0; t < n && holds; ++t) {
    for (std::size_t s = 0; s < n && holds; ++s) {
      if (property == "constant-norm") {
        holds = score(t, t) == score(s, s);
      } else if (property == "symmetric") {
        // s stands for t + k, and t - k must be a row too.
        holds = s > 2 * t || 2 * t - s >= n || score(t, s) == score(t, 2 * t - s);
      } else if (property == "decay") {
        holds = (s > t || s == 0 || score(t, s - 1) <= score(t, s)) &&
                (s < t || s + 1 == n || score(t, s + 1) <= score(t, s));
      } else {
        for (std::size_t k = 0; std::max(t, s) + k < n && holds; ++k) {
          holds = score(t, t + k) == score(s, s + k);
        }
      }
    }
  }
  if (!holds) {
    return std::nullopt;
  }
  return exhaustively(Answer::yes, std::string("over all ") + std::to_string(n) + " rows");
}

std::optional<Justification> ValueCode::justification(std::string_view property) const {
  if (property == "unique") {
    return uniqueness();
  }
  if (property == "bounded") {
    return boundedness();
  }
  if (property == "same-for-every-length") {
    return options_.of_length
               ? std::nullopt
               : std::optional(Justification{Answer::yes, Method::exact, "no length in the definition"});
  }
  if (property == "defined-beyond") {
    if (!table_.last_position) {
      return Justification{Answer::yes, Method::exact, "defined for every t"};
    }
    try {
      table_.require(*table_.last_position + 1);
    } catch (const InputError&) {
      return Justification{Answer::no, Method::exact,
                           std::string("t = ") + std::to_string(*table_.last_position + 1) + " is refused"};
    }
    return std::nullopt;
  }
  if (property == "lipschitz") {
    return smoothness();
  }
  if (property == "direction-aware") {
    return Justification{Answer::no, Method::exact, "a dot product commutes"};
  }
  if (is_affine() && is_zero()) {
    return Justification{property == "decay" ? Answer::not_applicable : Answer::yes, Method::exhaustive,
                         "every row is zero"};
  }
  if (property == "linear-shift") {
    return !table_.sines && all_rows_known() && independent(rows_)
               ? std::optional(exhaustively(
                     Answer::yes, std::string("the ") + std::to_string(rows_.size()) +
                                      " rows are linearly independent, so a linear map takes them to any " +
                                      std::to_string(rows_.size()) + " rows"))
               : std::nullopt;
  }
  return over_all_rows(property);
}

}  // namespace vernier
