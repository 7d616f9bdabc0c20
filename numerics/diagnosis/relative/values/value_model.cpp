#include "numerics/diagnosis/relative/values/value_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

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

/// A tensor of the format, or of float64 where there is none, with other values.
Tensor with_values(const Tensor& shape_of, Format format, const std::vector<double>& values) {
  const auto type = *element_type_named(traits(format).name);
  const auto width = traits(type).bytes;
  std::vector<std::byte> bytes(width * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = encode_bits(format, values[i]);
    for (std::size_t byte = 0; byte < width; ++byte) {
      bytes[i * width + byte] = static_cast<std::byte>(bits >> (8 * byte));
    }
  }
  return {type, shape_of.shape(), std::move(bytes)};
}

/// The tensor as it would be without its overwritten elements, in the format that a model rounds to. Nothing
/// if it holds a number that is none of that format.
std::optional<Tensor> restored(const ValueSubject& subject, const ValueModel& model) {
  if (!model.format && model.left_out.empty()) {
    return subject.tensor.tensor;
  }
  const auto format = model.format.value_or(subject.tensor.stored());
  std::vector<double> values(subject.rows() * subject.columns());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = subject.at(i / subject.columns(), i % subject.columns());
  }
  for (const auto index : model.left_out) {
    values[index] = round_to(format, model.estimate(index / subject.columns(), index % subject.columns()));
  }
  if (!std::ranges::all_of(values, [&](double value) { return is_member(format, value); })) {
    return std::nullopt;
  }
  return with_values(subject.tensor.tensor, format, values);
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

bool may_predict(const ValueSubject& subject, const ValueModel& model, std::size_t row, std::size_t column) {
  constexpr double relative_slack = 0x1p-44;
  const auto format = model.format.value_or(subject.tensor.stored());
  const double got = subject.at(row, column);
  const double truth = model.estimate(row, column);
  if (!std::isfinite(got) || (model.format && !is_member(format, got))) {
    return false;
  }
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
  return std::fabs(got - truth) <= budget.at(truth) + slack;
}

std::optional<std::int64_t> held_position(const ValueSubject& subject, std::size_t row) {
  constexpr std::int64_t farthest = 1 << 13;
  auto model = subject.declared();
  const auto own = model.positions[row];
  const auto holds = [&](std::int64_t position) {
    if (std::abs(position) > largest_position || !model.table.defined(position)) {
      return false;
    }
    model.positions[row] = position;
    for (std::size_t column = 0; column < subject.columns(); ++column) {
      if (!may_predict(subject, model, row, column)) {
        return false;
      }
    }
    return true;
  };
  for (std::int64_t distance = 0; distance <= farthest; ++distance) {
    for (const auto position : {own + distance, own - distance}) {
      if (holds(position)) {
        return position;
      }
    }
  }
  return std::nullopt;
}

Prediction predict(const ValueSubject& subject, const ValueModel& model) {
  const auto elements = static_cast<std::uint64_t>(subject.rows() * subject.columns());
  const auto tensor = restored(subject, model);
  if (!tensor) {
    return {.elements = elements, .conclusive = elements, .failing = elements};
  }
  const auto report = audit_elements(ExactTensor{model.table, *tensor, subject.tensor.contract},
                                     {.positions = model.positions});
  return {.elements = report.elements,
          .conclusive = report.judged - std::min<std::uint64_t>(report.judged, model.left_out.size()),
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
