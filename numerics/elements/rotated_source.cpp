#include "numerics/elements/rotated_source.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "numerics/budgets/budget.hpp"
#include "reference/support/input_error.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

constexpr double double_roundoff = 0x1p-53;
/// Numbers within these bounds have products that neither overflow nor lose bits to underflow.
constexpr double least_plain = 0x1p-400;
constexpr double greatest_plain = 0x1p400;

/// The enclosure times a power of two. Each of the three parts may be rounded as a subnormal: by at most
/// 2^-1075.
Enclosure times_power_of_two(const Enclosure& x, int exponent) {
  const double high = std::ldexp(x.middle.high, exponent);
  const double rounding = std::fabs(high) < 0x1p-900 ? 0x1p-1073 : 0;
  return {{high, std::ldexp(x.middle.low, exponent)}, std::ldexp(x.radius, exponent) + rounding};
}

/// Two numbers over a power of two, so that the larger one is about 1. A number so much smaller that scaling
/// could cost it bits is dropped, and bounded.
struct ScaledPair {
  double first = 0;
  double second = 0;
  int exponent = 0;
  double dropped = 0;  ///< no less than the magnitude of what was dropped
};

bool is_plain(double x) {
  return x == 0 || (std::fabs(x) >= least_plain && std::fabs(x) <= greatest_plain);
}

ScaledPair scaled_pair(double first, double second) {
  if (is_plain(first) && is_plain(second)) {
    return {first, second, 0, 0};
  }
  ScaledPair result;
  result.exponent = std::ilogb(std::max(std::fabs(first), std::fabs(second)));
  const auto bring = [&](double x) {
    const double over = std::ldexp(x, -result.exponent);
    const bool is_small = x != 0 && std::fabs(over) < least_plain;
    result.dropped = is_small ? least_plain : result.dropped;
    return is_small ? 0 : over;
  };
  result.first = bring(first);
  result.second = bring(second);
  return result;
}

/// own c + other s, c and s at most the amplitude in magnitude.
Enclosure rotated_value(double own, double other, const Enclosure& c, const Enclosure& s, double amplitude) {
  const auto pair = scaled_pair(own, other);
  auto value = exactly(pair.first) * c + exactly(pair.second) * s;
  if (pair.exponent == 0 && pair.dropped == 0) {
    return value;
  }
  value.radius += pair.dropped * amplitude * (1 + 8 * double_roundoff);
  return times_power_of_two(value, pair.exponent);
}

}  // namespace

BudgetModel budgets_of(const Contract& contract, const HeadRotation& rotation, Format stored) {
  auto result = contract.bind(rotation.table, stored);
  if (result.judges_computation() && traits(stored).is_storage_only()) {
    result = contract.bind(rotation.table, result.parameters().compute);
  }
  if (!rotation.axes.empty() && !rotation.maps.empty() && !mixes_axes(rotation)) {
    std::vector<int> axis_of_pair(static_cast<std::size_t>(result.pairs()));
    for (std::size_t i = 0; i < rotation.axes.size(); ++i) {
      axis_of_pair[static_cast<std::size_t>(rotation.table.columns[i].pair)] = rotation.axes[i];
    }
    result.take_axes(rotation.maps, std::move(axis_of_pair));
  }
  return result;
}

double computed_component_budget(const BudgetModel& model, Format stored, std::int64_t position, int pair,
                                 double a, double b, const ScaleAt& scale) {
  const double whole = model.amplitude() * scale.value;
  const auto arithmetic = arithmetic_of(model.parameters().compute, stored);
  const auto largest = greatest_scaled_budget(model, position, pair, scale, arithmetic);
  return rotated_budget(largest, largest, whole, whole, a, b, 0, arithmetic).total();
}

double component_budget(const BudgetModel& model, Format stored, std::int64_t position, int pair, double a,
                        double b, const ScaleAt& scale) {
  const double computed = computed_component_budget(model, stored, position, pair, a, b, scale);
  return computed +
         last_rounding(model, stored, model.amplitude() * scale.value * std::hypot(a, b) + computed);
}

RotatedSource::RotatedSource(HeadRotation rotation, const SourceRows& rows, Input input,
                             Quantization quantization)
    : rotation_(std::move(rotation)),
      dimensions_(rotation_.head_dim),
      rows_(rotation_.axes.empty() ? rows.positions.size() : rows.by_axis.front().size()),
      read_(std::move(input)),
      quantization_(std::move(quantization)),
      row_(turns_of(rotation_), rows),
      amplitude_(vernier::approximately(rotation_.table.amplitude)),
      pairs_(rotation_.table.columns.size()),
      in_(rotation_.head_dim) {
  for (const auto& dimension : rotation_.rotated) {
    dimensions_[dimension.out] = dimension;
  }
}

bool RotatedSource::bind(const Contract& contract, Format stored) {
  if (!contract.judges(rotation_)) {
    return false;
  }
  try {
    stored_ = quantization_.stored_in(stored);
    model_ = budgets_of(contract, rotation_, stored_);
  } catch (const InputError&) {
    return false;  // of frequencies that the contract's recipes do not have
  }
  if (rotation_.scale) {
    errors_.emplace(*model_, *rotation_.scale);
  }
  if (mixes_axes(rotation_)) {
    mixed_.emplace(contract, rotation_.table, rotation_.maps, model_->parameters().stored);
  }
  return true;
}

void RotatedSource::go_to(std::size_t row) {
  current_ = row;
  read_(row, in_);
  row_.go_to(row);
  if (mixed_) {
    of_row_ = mixed_->of_row(row_.places());
  }
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    pairs_[pair] = turned(pair);
  }
  if (quantization_.scales) {
    size_blocks(*quantization_.scales);
  }
}

RotatedSource::Pair RotatedSource::turned(std::size_t pair) const {
  const auto position = row_.place(pair);
  const auto& scale = row_.scale(pair);
  Pair result{position, mixed_ ? 1 : position, row_.pair(pair)};
  result.is_enclosed = scale.has_value();
  result.cosine = row_.value(pair);
  result.sine = row_.partner(pair);
  if (rotation_.scale && scale) {
    result.scale = {scale->approximately(), errors_ ? errors_->at(position, static_cast<int>(pair)) : 0};
    result.cosine = result.cosine * *scale;
    result.sine = result.sine * *scale;
  }
  return result;
}

Real RotatedSource::exact(std::size_t dimension) const {
  const auto* d = rotated(dimension);
  if (d == nullptr) {
    return [x = in_[dimension]] { return Interval(x); };
  }
  const auto pair = static_cast<std::size_t>(d->pair);
  const auto component = [&](Component which) {
    return mixes_axes(rotation_) ? mixed_value(rotation_.table, row_.places(), row_.pair(pair), which)
                                 : rotation_.table.value(row_.place(pair), row_.pair(pair), which);
  };
  const auto scale =
      rotation_.scale ? rotation_.scale->at(row_.place(pair), d->pair) : Real([] { return Interval(1); });
  return [scale, cosine = component(Component::cosine), sine = component(Component::sine), own = in_[d->own],
          other = d->sign * in_[d->other]] { return Interval(scale() * (own * cosine() + other * sine())); };
}

std::optional<Enclosure> RotatedSource::truth(std::size_t dimension) const {
  const auto* d = rotated(dimension);
  if (d == nullptr) {
    return exactly(in_[dimension]);
  }
  const auto& pair = pairs_[static_cast<std::size_t>(d->pair)];
  if (!pair.is_enclosed) {
    return std::nullopt;
  }
  return rotated_value(in_[d->own], in_[d->other], pair.cosine, d->sign > 0 ? pair.sine : -pair.sine,
                       amplitude_ * pair.scale.value);
}

ElementPlace RotatedSource::place(std::size_t dimension) const {
  const auto* d = rotated(dimension);
  return d == nullptr ? ElementPlace{}
                      : ElementPlace{pairs_[static_cast<std::size_t>(d->pair)].position, d->pair};
}

std::string RotatedSource::name(std::size_t dimension) const {
  const auto* d = rotated(dimension);
  return fmt::format("dimension {}, {}", dimension,
                     d == nullptr ? "which does not rotate" : fmt::format("of pair {}", d->pair));
}

void RotatedSource::size_blocks(const BlockScales& scales) {
  block_sizes_.assign(in_.size() / scales.width(), 0);
  for (std::size_t dimension = 0; dimension < in_.size(); ++dimension) {
    const auto* d = rotated(dimension);
    auto& size = block_sizes_[dimension / scales.width()];
    const double own = d == nullptr ? quantization_.approximate_factor() * std::fabs(in_[dimension])
                                    : amplitude_ * pairs_[static_cast<std::size_t>(d->pair)].scale.value *
                                          std::hypot(in_[d->own], in_[d->other]);
    size = std::max(size, own);
  }
}

/// Before it is rounded to a format that only stores.
Budget RotatedSource::budget(const RotatedDimension& d, double got, const Enclosure& truth) const {
  const double own = in_[d.own];
  const double other = in_[d.other];
  if (own == 0 && other == 0) {
    return {};  // zero times anything finite is zero
  }
  if (!model_->judges_computation()) {
    // What cancels may be a zero that no enclosure tells from its neighbours.
    return {.storage =
                rounding_budget(stored_, model_->parameters().storage_ulps, got, truth) + truth.radius};
  }
  const auto& pair = pairs_[static_cast<std::size_t>(d.pair)];
  return turned_budget(model(), pair.place, pair.frequency, pair.cosine.approximately() / pair.scale.value,
                       pair.sine.approximately() / pair.scale.value, own, other, pair.scale, arithmetic());
}

AllowedElement RotatedSource::allowed(std::size_t dimension, std::optional<double> got) const {
  AllowedElement result{.truth = truth(dimension)};
  const auto* d = rotated(dimension);
  if (d == nullptr) {
    return result;
  }
  const auto index = static_cast<std::size_t>(d->pair);
  const auto& pair = pairs_[index];
  if (!result.truth) {
    result.may_overflow = row_.is_growth(index);
    return result;
  }
  const double own = in_[d->own];
  const double other = in_[d->other];
  const double value = result.truth->approximately();
  result.size = model_->amplitude() * pair.scale.value * std::hypot(own, other);
  result.budget = budget(*d, got.value_or(value), *result.truth);
  const double computed = result.budget.total();
  const double magnitude = std::fabs(value) + computed;
  const auto& scales = quantization_.scales;
  result.budget.storage += scales ? scales->rounding(current_, dimension, magnitude, unit_roundoff())
                                  : last_rounding(*model_, stored_, magnitude);
  const double reach = std::fabs(own * pair.cosine.approximately()) +
                       std::fabs(other * pair.sine.approximately()) + result.budget.total();
  result.may_overflow = !(reach <= traits(arithmetic()).largest());
  if (scales) {
    result.size = std::max(result.size, block_sizes_[dimension / scales->width()]);
    if (got && scales->saturates(current_, dimension, *got, value, result.budget.total())) {
      result.truth = exactly(*got);
      result.budget = {};
    }
  } else if (!result.may_overflow) {
    hold_to(quantization_.overflow, stored_, computed, got, result);
  }
  return result;
}

}  // namespace vernier
