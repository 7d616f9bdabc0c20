#include "numerics/diagnosis/scaled/growth_model.hpp"

#include <algorithm>
#include <cmath>

namespace vernier {
namespace {

/// So many rows tell how scales grow.
constexpr std::size_t most_measured_rows = 512;
/// Beyond e^+-this the numbers of 16-bit formats lose their precision.
constexpr double greatest_logarithm = 8;

ScaledOperand operand_of(const ScaledTensor& table) {
  return table.table.scale.is_reciprocal ? ScaledOperand::keys : ScaledOperand::queries;
}

ScaledOperand operand_of(const RotatedTensor& vectors) {
  return vectors.rotation.is_of_keys ? ScaledOperand::keys : ScaledOperand::queries;
}

std::vector<std::size_t> measured_rows(std::size_t rows) {
  const auto count = std::min(rows, most_measured_rows);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    chosen.push_back(count < 2 ? 0 : i * (rows - 1) / (count - 1));
  }
  return chosen;
}

/// The first column that holds a component of the first pair.
std::optional<std::size_t> column_of(const ScaledTensor& table, Component component) {
  const auto& columns = table.table.sines.columns;
  const auto found = std::ranges::find_if(columns, [component](const Column& column) {
    return column.pair == 0 && column.component == component;
  });
  return found == columns.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - columns.begin()));
}

void add_report(Prediction& sum, const ElementwiseReport& report) {
  sum.elements += report.elements;
  sum.conclusive += report.judged;
  sum.failing += report.failing;
  sum.largest_budget_ratio =
      std::max(sum.largest_budget_ratio, report.worst ? report.worst->budget_ratio : 0);
}

}  // namespace

PositionScale GrowthModel::scale(ScaledOperand operand, const PositionScale& declared) const {
  const auto& edit = of(operand);
  auto scale = declared;
  scale.centre = edit.centre.value_or(scale.centre);
  scale.base = edit.base.value_or(scale.base);
  scale.ratios = edit.ratios.value_or(scale.ratios);
  scale.is_reciprocal = scale.is_reciprocal != edit.is_inverted;
  if (edit.is_missing) {
    std::ranges::fill(scale.ratios, Rational(1));
  }
  return scale;
}

GrowthSubject::GrowthSubject(std::span<const ScaledTensor> tables, std::span<const std::int64_t> positions,
                             const Encoding& encoding)
    : tables_(tables), positions_(positions), encoding_(encoding) {
  measure_tables();
}

GrowthSubject::GrowthSubject(const RotatedTensor& vectors, const Encoding& encoding, unsigned threads)
    : vectors_(&vectors), positions_(vectors.positions), encoding_(encoding), threads_(threads) {
  measure_vectors();
}

const PositionScale* GrowthSubject::declared(ScaledOperand operand) const {
  if (vectors_ != nullptr) {
    return operand_of(*vectors_) == operand ? &*vectors_->rotation.scale : nullptr;
  }
  const auto found = std::ranges::find_if(
      tables_, [operand](const ScaledTensor& table) { return operand_of(table) == operand; });
  return found == tables_.end() ? nullptr : &found->table.scale;
}

void GrowthSubject::add(ScaledOperand operand, std::size_t row, double value) {
  if (value > 0 && std::fabs(std::log(value)) <= greatest_logarithm) {
    measured_.push_back({operand, positions_[row], 0, value});
  }
}

void GrowthSubject::measure_tables() {
  for (const auto& cosines : tables_) {
    const auto cosine = column_of(cosines, Component::cosine);
    if (!cosine) {
      continue;
    }
    if (cosines.table.is_scale_alone) {
      for (const auto row : measured_rows(cosines.rows())) {
        add(operand_of(cosines), row, cosines.at(row, *cosine));
      }
      continue;
    }
    const double amplitude = approximately(cosines.table.sines.amplitude);
    for (const auto& sines : tables_) {
      const auto sine = column_of(sines, Component::sine);
      if (!sine || operand_of(sines) != operand_of(cosines)) {
        continue;
      }
      for (const auto row : measured_rows(cosines.rows())) {
        add(operand_of(cosines), row, std::hypot(cosines.at(row, *cosine), sines.at(row, *sine)) / amplitude);
      }
    }
  }
}

void GrowthSubject::measure_vectors() {
  const auto [first, second] = vectors_->rotation.pairs.front();
  const double amplitude = approximately(vectors_->rotation.table.amplitude);
  for (const auto row : measured_rows(vectors_->rows())) {
    const auto norm = [&, a = first, b = second](const Tensor& tensor) {
      const auto start = row * vectors_->head_dim();
      return std::hypot(tensor.number(start + a), tensor.number(start + b));
    };
    add(operand_of(*vectors_), row, norm(vectors_->rotated) / (amplitude * norm(vectors_->input)));
  }
}

std::optional<ScaleLine> GrowthSubject::line(ScaledOperand operand) const {
  ScaleLine line;
  double count = 0;
  for (const auto& one : measured_) {
    if (one.operand == operand) {
      ++count;
      line.mean_position += static_cast<double>(one.position);
      line.mean_logarithm += std::log(one.value);
    }
  }
  constexpr double least_count = 4;
  if (count < least_count) {
    return std::nullopt;
  }
  line.mean_position /= count;
  line.mean_logarithm /= count;
  double product = 0;
  double square = 0;
  for (const auto& one : measured_) {
    if (one.operand == operand) {
      const double distance = static_cast<double>(one.position) - line.mean_position;
      product += distance * (std::log(one.value) - line.mean_logarithm);
      square += distance * distance;
    }
  }
  line.growth = product / square;
  line.centre = line.mean_position - line.mean_logarithm / line.growth;
  return std::isfinite(line.growth) ? std::optional(line) : std::nullopt;
}

double GrowthSubject::failing_share(const GrowthModel& model) const {
  if (measured_.empty()) {
    return 0;
  }
  const auto stored = vectors_ != nullptr ? vectors_->stored() : tables_.front().stored();
  // Sixteen roundings, and what sines and cosines of few digits may lack.
  const double tolerance = 1e-3 + std::ldexp(16.0, -traits(stored).precision);
  std::optional<PositionScale> queries;
  std::optional<PositionScale> keys;
  const auto fails = [&](const MeasuredScale& one) {
    auto& scale = one.operand == ScaledOperand::keys ? keys : queries;
    if (!scale) {
      scale = model.scale(one.operand, *declared(one.operand));
    }
    const double ratio = approximately(scale->ratios[static_cast<std::size_t>(one.pair)]);
    const double exponent = approximately(scale->exponent(one.position + model.offset));
    return !(std::fabs(std::pow(ratio, exponent) / one.value - 1) <= tolerance);
  };
  return static_cast<double>(std::ranges::count_if(measured_, fails)) / static_cast<double>(measured_.size());
}

Prediction GrowthSubject::predict(const GrowthModel& model) const {
  std::vector<std::int64_t> positions(positions_.begin(), positions_.end());
  for (auto& position : positions) {
    position += model.offset;
  }
  if (vectors_ != nullptr) {
    return predict_vectors(model, std::move(positions));
  }
  Prediction sum;
  for (const auto& table : tables_) {
    const auto one = predict_table(table, model, positions);
    sum.elements += one.elements;
    sum.conclusive += one.conclusive;
    sum.failing += one.failing;
    sum.largest_budget_ratio = std::max(sum.largest_budget_ratio, one.largest_budget_ratio);
  }
  return sum;
}

Prediction GrowthSubject::predict_table(const ScaledTensor& table, const GrowthModel& model,
                                        std::span<const std::int64_t> positions) const {
  auto edited = table;
  edited.table.scale = model.scale(operand_of(table), table.table.scale);
  if (model.turns != nullptr) {
    const auto others = model.turns->all<ScaledTable>();
    const auto found = std::ranges::find_if(others, [&](const ScaledTable& other) {
      return role_of(other) == role_of(table.table) && columns_of(other) == columns_of(table.table);
    });
    edited.table.sines = found->sines;
  }
  Prediction prediction;
  add_report(prediction, audit_scaled(edited, positions));
  return prediction;
}

Prediction GrowthSubject::predict_vectors(const GrowthModel& model,
                                          std::vector<std::int64_t> positions) const {
  auto edited = *vectors_;
  edited.positions = std::move(positions);
  if (model.turns != nullptr) {
    const auto others = model.turns->all<HeadRotation>();
    edited.rotation = *std::ranges::find(others, edited.rotation.is_of_keys, &HeadRotation::is_of_keys);
  }
  const auto operand = operand_of(*vectors_);
  edited.rotation.scale = model.scale(operand, *vectors_->rotation.scale);
  if (model.of(operand).is_missing) {
    edited.rotation.scale = std::nullopt;
  }
  const auto report = audit_rotated(edited, threads_);
  Prediction prediction;
  add_report(prediction, report.elements);
  prediction.failing += report.changed.count + report.non_finite.count;
  return prediction;
}

}  // namespace vernier
