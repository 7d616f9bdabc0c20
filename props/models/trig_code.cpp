#include "props/models/trig_code.hpp"

#include <algorithm>

#include "props/judging/interval_predicates.hpp"
#include "props/judging/shift.hpp"
#include "reference/numbers/sine_cosine.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
IntervalVector TrigCode::code(std::int64_t position) const {
  const auto [entry, is_new] = codes_.try_emplace(position);
  if (is_new) {
    const auto values = mapped(
        frequencies_, [&](const auto& frequency) { return sine_cosine(enclose(position) * frequency); });
    IntervalVector row = IntervalVector::Zero(static_cast<Eigen::Index>(table_.columns.size()));
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      if (!table_.is_zero(position, c)) {
        const auto& value = values[static_cast<std::size_t>(table_.columns[c].pair)];
        row(static_cast<Eigen::Index>(c)) =
            amplitude_ * (table_.columns[c].component == Component::sine ? value.sine : value.cosine);
      }
    }
    entry->second = std::move(row);
  }
  return entry->second;
}

std::optional<Interval> TrigCode::lipschitz() const {
  // The slopes of the two components of a pair are A w cos and -A w sin: together A w; a lone one has at most
  // A w too.
  std::vector<bool> present(frequencies_.size(), false);
  for (const auto& column : table_.columns) {
    if (column.component != Component::zero) {
      present[static_cast<std::size_t>(column.pair)] = true;
    }
  }
  Interval sum = 0;
  for (std::size_t pair = 0; pair < present.size(); ++pair) {
    if (present[pair]) {
      sum += squared(frequencies_[pair]);
    }
  }
  return amplitude_ * sqrt(sum);
}

bool TrigCode::pairs_are_complete() const {
  std::vector<int> surplus(frequencies_.size(), 0);
  for (const auto& column : table_.columns) {
    if (column.component != Component::zero) {
      surplus[static_cast<std::size_t>(column.pair)] += column.component == Component::sine ? 1 : -1;
    }
  }
  return std::ranges::all_of(surplus, [](int difference) { return difference == 0; });
}

KnownAnswer TrigCode::uniqueness() const {
  for (const auto& column : table_.columns) {
    const auto pair = static_cast<std::size_t>(column.pair);
    if (column.component == Component::sine && !contains_zero(frequencies_[pair])) {
      return {"unique", Answer::yes,
              "sin(w t), w = " + digits(frequencies_[pair], 5) +
                  " algebraic and not zero, differs at different integers (T1)"};
    }
  }
  return {"unique", Answer::undecided, "no column of sines"};
}

std::optional<Justification> TrigCode::justification(std::string_view property) const {
  const bool complete = pairs_are_complete();
  return known_answer(
      property,
      {
          uniqueness(),
          {"bounded", Answer::yes, "|sin|, |cos| <= 1: by " + digits(amplitude_, 5)},
          {"same-for-every-length", Answer::yes, "no length in the formula"},
          {"defined-beyond", Answer::yes, "a formula for every t"},
          {"lipschitz", Answer::yes, "L = " + digits(*lipschitz(), 6), true, Method::interval},
          {"linear-shift", Answer::yes, "every pair complete: M_k turns pair i by w_i k (T3)", complete},
          {"offset-only", Answer::yes, "every pair complete: the sum of A^2 cos(w_i k) (T4)", complete},
          {"symmetric", Answer::yes, "cos(w_i k) is even (T4)", complete},
          {"constant-norm", Answer::yes, "sin^2 + cos^2 = 1 in every pair", complete},
          {"direction-aware", Answer::no, "a dot product commutes"},
      });
}

}  // namespace vernier
