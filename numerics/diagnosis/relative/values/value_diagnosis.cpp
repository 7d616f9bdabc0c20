#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/core.h>

#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/damage/failing_tensor.hpp"
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

/// The values beside what a model says of them.
class PredictedValues final : public PredictedTensor {
 public:
  PredictedValues(const ValueSubject& subject, const ValueModel& model) : subject_(subject), model_(model) {}

  std::size_t rows() const override { return subject_.rows(); }
  std::size_t width() const override { return subject_.columns(); }
  Format stored() const override { return subject_.tensor.stored(); }
  double at(std::size_t row, std::size_t column) const override { return subject_.at(row, column); }
  void visit(std::size_t row, const Predictor::Visit& visit) const override {
    for (std::size_t column = 0; column < width(); ++column) {
      visit(predicted_element(subject_, model_, row, column));
    }
  }
  std::string row_words(std::size_t row) const override {
    return fmt::format("row {} (position {})", row, subject_.positions[row]);
  }

 private:
  const ValueSubject& subject_;
  const ValueModel& model_;
};

/// What overwritten elements, rows or columns explain of that which a computation does not.
std::vector<Explanation> damage_of(const ValueSubject& subject, const NearestModel<ValueModel>& nearest) {
  constexpr std::size_t most_elements = std::size_t{1} << 23;
  constexpr std::size_t most_failing = std::size_t{1} << 18;
  if (!nearest.model.has_rows() || subject.rows() * subject.columns() > most_elements) {
    return {};
  }
  const PredictedValues values(subject, nearest.model);
  std::vector<PredictedElement> numbers;
  std::vector<PredictedElement> no_numbers;
  auto model = nearest.model;
  for (std::size_t row = 0; row < values.rows() && model.left_out.size() <= most_failing; ++row) {
    values.visit(row, [&](const PredictedElement& one) {
      if (!may_predict(subject, nearest.model, row, one.column)) {
        (std::isfinite(one.got) ? numbers : no_numbers).push_back(one);
        model.left_out.push_back(row * values.width() + one.column);
      }
    });
  }
  const auto failing_elements = model.left_out.size();
  if (failing_elements > most_failing || 2 * failing_elements > values.rows() * values.width()) {
    return {};  // most are others
  }
  Damage damage{.findings = {}, .rest = predict(subject, model)};
  const auto role = subject.tensor.role();
  if (!damage.rest.is_proved() ||
      !stands_out(predict(subject, nearest.model).largest_budget_ratio, damage.rest.largest_budget_ratio)) {
    return {};
  }
  if (!no_numbers.empty()) {
    tell_no_numbers(values, no_numbers.front(), no_numbers.size(), role, damage);
  }
  std::vector<const PredictedElement*> failing;
  for (const auto& one : numbers) {
    failing.push_back(&one);
  }
  Damage of_numbers{.findings = {}, .rest = damage.rest};
  if (!failing.empty() && !explain({values, std::move(failing)}, of_numbers)) {
    return {};
  }
  std::vector<std::pair<std::string, Finding>> by_role;
  for (auto& finding : of_numbers.findings) {
    by_role.emplace_back(role, std::move(finding));
  }
  Explanation result{nearest.findings, damage.rest, nearest.bits + damage.bits + of_numbers.bits};
  std::ranges::move(damage.findings, std::back_inserter(result.findings));
  std::ranges::move(told_once(by_role), std::back_inserter(result.findings));
  return result.findings.empty() ? std::vector<Explanation>() : std::vector{std::move(result)};
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
  if (auto constant = find_constant(tensor.tensor, tensor.role())) {
    others.push_back(*std::move(constant));
  }
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
       .damage_of = [&](const NearestModel<ValueModel>& nearest) { return damage_of(subject, nearest); },
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
