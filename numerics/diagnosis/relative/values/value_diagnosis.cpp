#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/core.h>

#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/element_diagnosis.hpp"
#include "numerics/diagnosis/relative/values/value_model.hpp"
#include "reference/support/told_apart.hpp"

namespace vernier {
namespace {

struct ValuePlace {
  std::size_t row;
  std::size_t column;
};

/// Of the rows that fail, and of all: some, with some of their columns.
std::vector<ValuePlace> telling_places(const ValueSubject& subject) {
  constexpr std::size_t some_rows = 12;
  constexpr std::size_t some_columns = 24;
  std::vector<std::size_t> rows;
  const auto& failing = subject.failing_rows;
  for (std::size_t i = 0; i < some_rows; ++i) {
    rows.push_back(failing[i * (failing.size() - 1) / (some_rows - 1)]);
    rows.push_back(i * (subject.rows() - 1) / (some_rows - 1));
  }
  std::vector<ValuePlace> places;
  for (std::size_t i = 0; i < some_columns; ++i) {
    for (const auto row : rows) {
      places.push_back({row, i * (subject.columns() - 1) / (some_columns - 1)});
    }
  }
  return places;
}

std::string consequence(const ValueSubject& subject) {
  const auto declared = subject.declared();
  ValuePlace farthest{subject.failing_rows.front(), 0};
  double greatest = -1;
  for (const auto row : subject.failing_rows) {
    for (std::size_t column = 0; column < subject.columns(); ++column) {
      const double error = std::fabs(subject.at(row, column) - declared.estimate(row, column));
      if (error > greatest) {
        greatest = error;
        farthest = {row, column};
      }
    }
  }
  const auto [got, meant] = told_apart(subject.at(farthest.row, farthest.column),
                                       declared.estimate(farthest.row, farthest.column), 6);
  return fmt::format("Position {} has {} in column {}; correct is {}.", subject.positions[farthest.row], got,
                     farthest.column, meant);
}

}  // namespace

Diagnosis diagnose_values(const ExactTensor& tensor, std::span<const std::int64_t> positions,
                          const Encoding& encoding) {
  Diagnosis diagnosis{.roles = tensor.role()};
  const auto subject = subject_of(tensor, positions, encoding);
  const auto declared = predict(subject, subject.declared());
  if (declared.failing == 0) {
    return diagnosis;
  }
  if (subject.failing_rows.empty()) {
    diagnosis.rest =
        fmt::format("{} of {} elements fail, none of them by much.", declared.failing, declared.elements);
    return diagnosis;
  }
  auto others = rules_of_ids(subject);
  const auto places = telling_places(subject);
  auto checks = checks_by<ValueModel>(places, places, [&](const ValueModel& model, const ValuePlace& place) {
    return may_predict(subject, model, place.row, place.column);
  });
  checks.predict = [&](const ValueModel& model) { return predict(subject, model); };
  explain_by_edits<ValueModel>(
      {.start = {subject.declared()},
       .declared = declared,
       .failing = declared.failing,
       .edits = value_edits(subject),
       .checks = checks,
       .count = checks.predict,
       .others = std::move(others),
       .consequence = [&] { return consequence(subject); },
       .rest =
           [&](const ValueModel*) {
             const auto& failing = subject.failing_rows;
             return fmt::format("{} of {} rows fail, from position {} to position {}.", failing.size(),
                                subject.rows(), positions[failing.front()], positions[failing.back()]);
           }},
      diagnosis);
  return diagnosis;
}

}  // namespace vernier
