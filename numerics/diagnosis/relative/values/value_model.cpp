#include "numerics/diagnosis/relative/values/value_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace vernier {
namespace {

double sine_estimate(const TrigTable& table, std::int64_t position, std::size_t column) {
  if (table.is_zero(position, column)) {
    return 0;
  }
  const auto [pair, component] = table.columns[column];
  const double phase = static_cast<double>(position) * table.frequencies.approximate(pair);
  return approximately(table.amplitude) * (component == Component::sine ? std::sin(phase) : std::cos(phase));
}

}  // namespace

double ValueModel::estimate(std::size_t row, std::size_t column) const {
  const auto position = positions[row];
  if (table.computed) {
    return table.computed_entry(position, column).estimate;
  }
  const double factor = approximately(table.factor(position, column));
  return table.sines ? factor * sine_estimate(*table.sines, table.sine_position(position), column) : factor;
}

bool ValueModel::has_rows() const {
  return std::ranges::all_of(positions, [&](std::int64_t position) { return table.defined(position); });
}

double ValueSubject::at(std::size_t row, std::size_t column) const {
  const auto index = row * columns() + column;
  if (tensor.tensor.format()) {
    return tensor.tensor.number(index);
  }
  const auto integer = tensor.tensor.integer(index);
  return integer ? static_cast<double>(*integer) : std::numeric_limits<double>::infinity();
}

ValueSubject subject_of(const ExactTensor& tensor, std::span<const std::int64_t> positions,
                        const Encoding& encoding) {
  ValueSubject subject{tensor, positions, encoding, {}};
  const auto declared = subject.declared();
  for (std::size_t row = 0; row < subject.rows(); ++row) {
    for (std::size_t column = 0; column < subject.columns(); ++column) {
      if (!may_predict(subject, declared, row, column)) {
        subject.failing_rows.push_back(row);
        break;
      }
    }
  }
  return subject;
}

PredictedElement predicted_element(const ValueSubject& subject, const ValueModel& model, std::size_t row,
                                   std::size_t column) {
  constexpr double relative_slack = 0x1p-44;
  const auto format = model.format.value_or(subject.tensor.stored());
  const double truth = model.estimate(row, column);
  double slack = relative_slack * std::fabs(truth);
  if (model.table.sines) {
    // Phases in float32 are off by their magnitude times its roundoff, and the frequencies by a few.
    constexpr double phase_slack = 1e-5;
    const double phase = static_cast<double>(std::abs(model.positions[row]));
    slack += phase_slack * (1 + phase) *
             std::fabs(approximately(model.table.factor(model.positions[row], column)));
  }
  const auto& contract = *subject.tensor.contract;
  const auto budget = model.table.computed
                          ? contract.bind(model.table.computed_entry(model.positions[row], column), format)
                          : contract.bind(model.table, format);
  return {.row = row,
          .column = column,
          .got = subject.at(row, column),
          .predicted = truth,
          .allowed = budget.at(truth) + slack};
}

bool may_predict(const ValueSubject& subject, const ValueModel& model, std::size_t row, std::size_t column) {
  const double got = subject.at(row, column);
  return std::isfinite(got) && model.table.defined(model.positions[row]) &&
         (!model.format || is_member(*model.format, got)) &&
         !predicted_element(subject, model, row, column).fails();
}

bool holds_row_of(const ValueSubject& subject, ValueModel& model, std::size_t row, std::int64_t position) {
  if (std::abs(position) > largest_position || !model.table.defined(position)) {
    return false;
  }
  const auto own = std::exchange(model.positions[row], position);
  bool all = true;
  for (std::size_t column = 0; all && column < subject.columns(); ++column) {
    all = may_predict(subject, model, row, column);
  }
  model.positions[row] = own;
  return all;
}

Prediction predict(const ValueSubject& subject, const ValueModel& model) {
  const auto elements = static_cast<std::uint64_t>(subject.rows() * subject.columns());
  const Prediction refuted{.elements = elements, .conclusive = elements, .failing = elements};
  const auto format = model.format.value_or(subject.tensor.stored());
  if (!model.has_rows()) {
    return refuted;
  }
  std::vector<double> values(elements);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = subject.at(i / subject.columns(), i % subject.columns());
  }
  if (model.format && !std::ranges::all_of(values, [&](double value) { return is_member(format, value); })) {
    return refuted;
  }
  const auto source = element_source(model.table, {.positions = model.positions});
  source->bind(*subject.tensor.contract, format);
  source->declare(subject.tensor.overflow);
  const auto report = audit_elements(*source, [&](std::size_t index) { return values[index]; });
  return {.elements = report.elements,
          .conclusive = report.judged,
          .failing = report.failing,
          .largest_budget_ratio = report.worst ? report.worst->budget_ratio : 0};
}

void reorder_columns(ValueModel& model, const std::vector<std::size_t>& source) {
  model.table.factor = [before = model.table.factor, source](std::int64_t position, std::size_t column) {
    return before(position, source[column]);
  };
  if (model.table.computed) {
    model.table.computed = [before = model.table.computed, source](std::int64_t position,
                                                                   std::size_t column) {
      return before(position, source[column]);
    };
  }
  if (model.table.sines) {
    const auto columns = model.table.sines->columns;
    for (std::size_t column = 0; column < source.size(); ++column) {
      model.table.sines->columns[column] = columns[source[column]];
    }
  }
}

void map_factors(ValueModel& model, std::function<Rational(const Rational& factor)> map) {
  model.table.factor = [before = model.table.factor, map = std::move(map)](std::int64_t position,
                                                                           std::size_t column) {
    return map(before(position, column));
  };
}

}  // namespace vernier
