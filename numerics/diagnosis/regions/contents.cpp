#include "numerics/diagnosis/regions/contents.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "reference/support/mapped.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

/// Candidates whose every element is looked at: those that predict most of some rows that fail.
constexpr std::size_t most_candidates = 48;
constexpr std::size_t failing_rows_tried = 24;
/// By so much budgets of edited computations differ from the declared ones without being loose.
constexpr double usual_allowance = 8;
/// What an element can save: the leading bits of a float32 number.
constexpr double most_of_element = 20;

}  // namespace

void RegionContents::add(std::span<const Candidate> candidates) {
  const auto known = contents_.size();
  for (const auto& one : candidates) {
    add({{one.findings.begin() + std::ssize(base_.findings), one.findings.end()},
         one.bits - base_.bits,
         &one.computation});
  }
  if (known == 0) {
    std::ranges::for_each(copies(), [&](const Content& one) { add(one); });
  }
  keep_nearest(known);
}

void RegionContents::visit(const Content& content, std::span<const std::size_t> rows,
                           const Look& look) const {
  const Predictor predictor(suspect_, *content.computation);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (content.held_rows.empty()) {
      predictor.visit(rows[i], [&](const PredictedElement& one) { look(one, i, misses_.column(one)); });
      continue;
    }
    for (std::size_t column = 0; column < width_; ++column) {
      auto one = misses_.at(content.held_rows[rows[i]], column);
      one.got = misses_.at(rows[i], column).got;
      one.row = rows[i];
      look(one, i, column);
    }
  }
}

/// \param rows to look at, in the order of the result
Outcomes RegionContents::outcomes_of(const Content& content, std::span<const std::size_t> rows) const {
  Outcomes result{&content, std::vector<bool>(rows.size() * width_),
                  std::vector<float>(rows.size() * width_)};
  visit(content, rows, [&](const PredictedElement& one, std::size_t i, std::size_t column) {
    const bool is_missed = misses_.fails(one.row, column);
    result.contradicts[at(i, column)] = one.fails() || (is_missed && !one.conclusive);
    if (!is_missed || result.contradicts[at(i, column)]) {
      return;
    }
    // What allows as much as the base misses by saves nothing; a little more than that allows is no
    // reason to prefer another.
    const auto& miss = misses_.at(one.row, column);
    const double error = std::fabs(miss.got - miss.predicted);
    const double saved = std::isfinite(error)
                             ? std::log2(error / std::max(one.allowed, usual_allowance * miss.allowed))
                             : most_of_element;
    result.saved[at(i, column)] = static_cast<float>(std::clamp(saved, 0.0, most_of_element));
  });
  return result;
}

std::vector<std::size_t> RegionContents::some_failing_rows(std::size_t count) const {
  const auto failing = filtered(misses_.rows(), [&](std::size_t row) { return misses_.fails_in_row(row); });
  return mapped(spread_rows(failing.size(), count), [&](std::size_t i) { return failing[i]; });
}

/// Whether what fails of a row is what another should hold.
bool RegionContents::holds(std::size_t row, std::size_t other) const {
  for (std::size_t column = 0; column < width_; ++column) {
    auto one = misses_.at(other, column);
    one.got = misses_.at(row, column).got;
    if (misses_.fails(row, column) && (one.fails() || !one.conclusive)) {
      return false;
    }
  }
  return true;
}

/// Rotated vectors that are those of other rows, each as far from its own. Rows of tables have positions
/// instead.
std::vector<Content> RegionContents::copies() const {
  constexpr std::size_t looked_at = 6;
  const auto rows = static_cast<std::ptrdiff_t>(suspect_.rows());
  std::set<std::ptrdiff_t> distances;
  for (const auto row :
       suspect_.vectors() == nullptr ? std::vector<std::size_t>() : some_failing_rows(looked_at)) {
    for (const auto other : misses_.rows()) {
      if (other != row && holds(row, other)) {
        distances.insert(static_cast<std::ptrdiff_t>(other) - static_cast<std::ptrdiff_t>(row));
      }
    }
  }
  const auto rows_of_copy = static_cast<std::ptrdiff_t>(suspect_.grid().rows);
  return mapped(distances, [&](std::ptrdiff_t by) {
    const auto* words = by % rows_of_copy == 0 ? "each row is a copy of the one {} leading indices {} it"
                                               : "each row is a copy of the one {} rows {} it";
    const auto far = std::abs(by % rows_of_copy == 0 ? by / rows_of_copy : by);
    Content result{{{&fault_kind("damage/row-copy"),
                     fmt::format(fmt::runtime(words), far, by < 0 ? "before" : "behind")}},
                   variant_bits + integer_bits(far),
                   &base_.computation};
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      result.held_rows.push_back(static_cast<std::size_t>(((row + by) % rows + rows) % rows));
    }
    return result;
  });
}

void RegionContents::add(Content content) {
  if (sentences_.insert(sentence_of({content.findings})).second) {
    contents_.push_back(std::move(content));
  }
}

/// Looks at every element of those contents from one on that are nearest in some rows.
void RegionContents::keep_nearest(std::size_t first) {
  const auto tried = some_failing_rows(failing_rows_tried);
  std::vector<double> saved(contents_.size());
  with_threads(threads_, [&] {
    oneapi::tbb::parallel_for(first, contents_.size(), [&](std::size_t i) {
      const auto outcomes = outcomes_of(contents_[i], tried);
      saved[i] = std::reduce(outcomes.saved.begin(), outcomes.saved.end(), 0.0) - contents_[i].bits;
    });
  });
  std::vector<std::size_t> nearest;
  for (auto i = first; i < contents_.size(); ++i) {
    if (saved[i] > 0) {
      nearest.push_back(i);
    }
  }
  std::ranges::stable_sort(nearest, std::ranges::greater(), [&](std::size_t i) { return saved[i]; });
  nearest.resize(std::min(nearest.size(), most_candidates));
  const auto kept = kept_.size();
  kept_.resize(kept + nearest.size());
  const auto rows = misses_.rows();
  with_threads(threads_, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, nearest.size(), [&](std::size_t i) {
      kept_[kept + i] = outcomes_of(contents_[nearest[i]], rows);
    });
  });
}

}  // namespace vernier
