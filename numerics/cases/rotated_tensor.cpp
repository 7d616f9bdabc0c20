#include "numerics/cases/rotated_tensor.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/cases/enclosure_sum.hpp"
#include "numerics/cases/turned_row.hpp"
#include "numerics/errors/rounding_budget.hpp"
#include "numerics/errors/scale_budget.hpp"
#include "reference/threads.hpp"

namespace vernier {
namespace {

constexpr double unit_roundoff = 0x1p-53;
/// Rows judged together. Blocks are merged in their order, so that the report does not depend on threads.
constexpr std::size_t rotated_rows_per_block = 1024;
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
  auto value = sum(exactly(pair.first) * c, exactly(pair.second) * s);
  if (pair.exponent == 0 && pair.dropped == 0) {
    return value;
  }
  value.radius += pair.dropped * amplitude * (1 + 8 * unit_roundoff);
  return times_power_of_two(value, pair.exponent);
}

/// Two components of a pair over a power of two, and the square of their norm.
DoubleDouble square_of_norm(double a, double b, int exponent) {
  const double x = std::ldexp(a, -exponent);
  const double y = std::ldexp(b, -exponent);
  return two_product(x, x) + two_product(y, y);
}

class RotatedRowJudge {
 public:
  RotatedRowJudge(const RotatedTensor& tensor, TurnedRow& truth, const BudgetModel& model)
      : tensor_(tensor),
        truth_(truth),
        model_(model),
        amplitude_(model.amplitude()),
        square_of_amplitude_(tight_enclosure([&] {
          const auto amplitude = enclose(tensor.rotation.table.amplitude);
          return Interval(amplitude * amplitude);
        })),
        passed_through_(tensor.rotation.passed_through()),
        pairs_(tensor.rotation.table.columns.size()),
        in_(tensor.head_dim()),
        out_(tensor.head_dim()) {
    if (tensor.rotation.scale) {
      errors_.emplace(model, *tensor.rotation.scale);
    }
    if (mixes_axes(tensor.rotation)) {
      mixed_.emplace(*tensor.contract, tensor.rotation.table, tensor.rotation.maps,
                     model.parameters().stored);
    }
  }

  void row(std::size_t r, RotatedReport& report) {
    row_ = r;
    tensor_.input.numbers(r * in_.size(), in_);
    tensor_.rotated.numbers(r * out_.size(), out_);
    truth_.go_to(r);
    if (mixed_) {
      of_row_ = mixed_->of_row(*truth_.mixed_places());
    }
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      pairs_[pair] = turned(pair);
    }
    for (const auto& dimension : tensor_.rotation.rotated) {
      judge(dimension, report);
    }
    for (const auto dimension : passed_through_) {
      compare(dimension, report);
    }
    for (std::size_t pair = 0; pair < tensor_.rotation.pairs.size(); ++pair) {
      judge_norm(pair, report);
    }
  }

 private:
  /// A pair of the row: its sine and cosine with everything that they are multiplied by.
  struct TurnedPair {
    std::int64_t position = 0;
    std::int64_t place = 0;  ///< the position in the budgets of the row
    int frequency = 0;       ///< the index of its frequency
    ScaleAt scale = {};
    bool is_enclosed = true;
    Enclosure cosine = {};
    Enclosure sine = {};
  };

  TurnedPair turned(std::size_t pair) const {
    const auto position = truth_.position(pair);
    TurnedPair result{position, mixed_ ? 1 : position, tensor_.rotation.table.columns[pair].pair};
    const auto& scale = truth_.scale(pair);
    result.is_enclosed = scale.has_value();
    result.cosine = truth_.cosine(pair);
    result.sine = truth_.sine(pair);
    if (errors_ && scale) {
      result.scale = {scale->approximately(), errors_->at(result.position, static_cast<int>(pair))};
      result.cosine = result.cosine * *scale;
      result.sine = result.sine * *scale;
    }
    return result;
  }

  /// The budgets of the row.
  const BudgetModel& model() const { return of_row_ ? *of_row_ : model_; }
  /// Of a contract that says how results are rounded, and nothing of how they are computed.
  bool only_rounds() const { return !model_.judges_computation(); }
  Format arithmetic() const { return arithmetic_of(model_.parameters().compute, tensor_.stored()); }
  std::size_t index(std::size_t dimension) const { return row_ * out_.size() + dimension; }

  /// Whether a product or the sum may be beyond the format, given what it may reach.
  bool may_overflow(double reach) const { return !(reach <= traits(arithmetic()).largest()); }

  /// The same of that in which it is computed and that in which it is stored.
  bool may_leave_range(double reach) const {
    return may_overflow(reach) || !(reach <= traits(tensor_.stored()).largest());
  }

  /// Before it is rounded to a format that only stores.
  double budget(const RotatedDimension& d, const Enclosure& truth) const {
    const double own = in_[d.own];
    const double other = in_[d.other];
    if (own == 0 && other == 0) {
      return 0;  // zero times anything finite is zero
    }
    if (only_rounds()) {
      return rounding_budget(tensor_.stored(), model_.parameters().storage_ulps, out_[d.out], truth);
    }
    const auto& pair = pairs_[static_cast<std::size_t>(d.pair)];
    return turned_budget(model(), pair.place, pair.frequency, pair.cosine.approximately() / pair.scale.value,
                         pair.sine.approximately() / pair.scale.value, own, other, pair.scale, arithmetic());
  }

  void judge(const RotatedDimension& d, RotatedReport& report) const {
    const auto& pair = pairs_[static_cast<std::size_t>(d.pair)];
    const double own = in_[d.own];
    const double other = in_[d.other];
    const double got = out_[d.out];
    if (!pair.is_enclosed && truth_.is_growth(static_cast<std::size_t>(d.pair))) {
      add_overflow(report);
      return;
    }
    if (!pair.is_enclosed) {
      if (!std::isfinite(got)) {
        report.non_finite.add(index(d.out));
      }
      report.elements.add(judged_element(index(d.out), got, {}, std::numeric_limits<double>::infinity()),
                          true, pair.position, d.pair);
      return;
    }
    const double whole = amplitude_ * pair.scale.value;
    const auto truth = rotated_value(own, other, pair.cosine, d.sign > 0 ? pair.sine : -pair.sine, whole);
    const double computed = budget(d, truth);
    const double allowed =
        computed + last_rounding(model_, tensor_.stored(), std::fabs(truth.approximately()) + computed);
    const double reach =
        std::fabs(own * pair.cosine.approximately()) + std::fabs(other * pair.sine.approximately()) + allowed;
    if (may_overflow(reach)) {
      add_overflow(report);
      return;
    }
    if (judge_overflow(d, pair.position, truth.approximately(), computed, report)) {
      return;
    }
    if (!std::isfinite(got)) {
      report.non_finite.add(index(d.out));
    }
    const bool proves_nothing = !(allowed <= whole * std::hypot(own, other) / 4) && allowed > 0;
    const auto failing = report.elements.failing;
    report.elements.add(judged_element(index(d.out), got, truth, allowed), proves_nothing, pair.position,
                        d.pair);
    if (report.elements.failing > failing) {
      include(report.failing_extent,
              FailingExtent::of({pair.position, d.out, static_cast<std::int64_t>(row_)}, d.pair));
    }
  }

  /// Judges a number that may leave the range of a format of eight bits, as its overflow is declared.
  /// \param computed what it may be off by before it is stored
  bool judge_overflow(const RotatedDimension& d, std::int64_t position, double truth, double computed,
                      RotatedReport& report) const {
    const auto overflow = tensor_.quantization.overflow;
    const double magnitude = std::fabs(truth);
    const bool saturates = overflow == Overflow::saturate;
    const double end = saturates ? traits(tensor_.stored()).largest() : overflow_threshold(tensor_.stored());
    if (overflow == Overflow::undeclared || !(magnitude + computed >= end)) {
      return false;
    }
    if (magnitude - computed <= end) {
      if (!saturates) {
        add_overflow(report);  // on either side of the threshold
      }
      return !saturates;
    }
    const double expected = rounded_with(overflow, tensor_.stored(), 2 * truth);
    const double got = out_[d.out];
    const bool agrees = got == expected || (std::isnan(got) && std::isnan(expected));
    if (!agrees && !std::isfinite(got)) {
      report.non_finite.add(index(d.out));
    }
    const double seen = agrees ? std::copysign(end, truth) : got;
    report.elements.add(judged_element(index(d.out), seen, exactly(std::copysign(end, truth)), 0), false,
                        position, d.pair);
    return true;
  }

  static void add_overflow(RotatedReport& report) {
    ++report.may_overflow;
    ++report.elements.elements;
    ++report.elements.inconclusive;
  }

  void compare(std::size_t dimension, RotatedReport& report) const {
    const auto& quantization = tensor_.quantization;
    const double expected = quantization.stored(tensor_.stored(), in_[dimension]);
    const double got = out_[dimension];
    ++report.passed_through;
    if (!std::isfinite(got) && std::isfinite(expected)) {
      report.non_finite.add(index(dimension));
    }
    const bool is_overflow =
        std::isnan(got) && std::isnan(expected) && quantization.overflow == Overflow::nan;
    const bool is_expected = is_overflow || (got == expected && std::signbit(got) == std::signbit(expected));
    if (!is_expected && (quantization.factor == 1 ||
                         got != quantization.stored_from_single(tensor_.stored(), in_[dimension]))) {
      report.changed.add(index(dimension));
    }
  }

  /// The most that each component may be off by, whatever the phase is.
  double component_budget(const TurnedPair& pair, double a, double b) const {
    return only_rounds() ? model_.storage(amplitude_ * pair.scale.value * std::hypot(a, b))
                         : vernier::component_budget(model(), tensor_.stored(), pair.place, pair.frequency, a,
                                                     b, pair.scale);
  }

  void judge_norm(std::size_t index, RotatedReport& report) const {
    const auto [first, second] = tensor_.rotation.pairs[index];
    const auto& pair = pairs_[index];
    const double a = in_[first];
    const double b = in_[second];
    const bool is_zero = a == 0 && b == 0;
    const double each = is_zero ? 0 : component_budget(pair, a, b);
    if (!pair.is_enclosed ||
        (!is_zero && may_leave_range(amplitude_ * pair.scale.value * (std::fabs(a) + std::fabs(b)) + each))) {
      ++report.norms.elements;
      ++report.norms.inconclusive;
      return;
    }
    const auto element = judged_norm(index, a, b, std::numbers::sqrt2 * each * (1 + 8 * unit_roundoff));
    report.norms.add(element, !is_zero && !(element.budget <= element.truth.approximately() / 4));
  }

  /// |y| - A |x| = (|y|^2 - A^2 |x|^2) / (|y| + A |x|): the squares are exact to double-double, so that what
  /// cancels does not drown a difference of some ulp of binary64.
  JudgedElement judged_norm(std::size_t pair, double a, double b, double allowed) const {
    const auto [first, second] = tensor_.rotation.pairs[pair];
    const double c = out_[first];
    const double d = out_[second];
    const auto& scale = *truth_.scale(pair);
    const double greatest = std::max({std::fabs(a), std::fabs(b), std::fabs(c), std::fabs(d)});
    const auto place = row_ * tensor_.rotation.pairs.size() + pair;
    if (!std::isfinite(c) || !std::isfinite(d)) {
      return judged_element(place, std::numeric_limits<double>::infinity(),
                            exactly(amplitude_ * scale.approximately() * std::hypot(a, b)), allowed);
    }
    const int exponent = greatest == 0 ? 0 : std::ilogb(greatest);
    const auto square_of_factor = square_of_amplitude_.middle * (scale * scale).middle;
    const auto before = square_of_factor * square_of_norm(a, b, exponent);
    const auto after = square_of_norm(c, d, exponent);
    const double both = std::sqrt(after.high) + std::sqrt(before.high);
    const double excess = both == 0 ? 0 : std::ldexp((after - before).high / both, exponent);
    const double truth = std::ldexp(std::sqrt(before.high), exponent);
    const double budget_ratio = excess == 0 ? 0 : std::fabs(excess) / allowed;
    return {place, truth + excess, exactly(truth), allowed, excess, budget_ratio};
  }

  const RotatedTensor& tensor_;
  TurnedRow& truth_;
  const BudgetModel& model_;
  std::optional<ScaleErrors> errors_;
  std::optional<MixedBudget> mixed_;   ///< where pairs turn by all axes
  std::optional<BudgetModel> of_row_;  ///< then
  double amplitude_;
  Enclosure square_of_amplitude_;
  std::vector<std::size_t> passed_through_;
  std::size_t row_ = 0;
  std::vector<TurnedPair> pairs_;
  std::vector<double> in_;
  std::vector<double> out_;
};

}  // namespace

double component_budget(const BudgetModel& model, Format stored, std::int64_t position, int pair, double a,
                        double b, const ScaleAt& scale) {
  const double whole = model.amplitude() * scale.value;
  const auto arithmetic = arithmetic_of(model.parameters().compute, stored);
  const auto largest = greatest_scaled_budget(model, position, pair, scale, arithmetic);
  const double computed = rotated_budget(largest, largest, whole, whole, a, b, 0, arithmetic);
  return computed + last_rounding(model, stored, whole * std::hypot(a, b) + computed);
}

BudgetModel RotatedTensor::model() const {
  auto result = contract->bind(rotation.table, stored());
  if (result.judges_computation() && traits(stored()).is_storage_only()) {
    result = contract->bind(rotation.table, result.parameters().compute);
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

void CountedElements::add(std::size_t index) {
  ++count;
  first = first ? first : index;
}

void CountedElements::merge(const CountedElements& later) {
  count += later.count;
  first = first ? first : later.first;
}

void RotatedReport::merge(const RotatedReport& later) {
  elements.merge(later.elements);
  norms.merge(later.norms);
  passed_through += later.passed_through;
  changed.merge(later.changed);
  non_finite.merge(later.non_finite);
  may_overflow += later.may_overflow;
  include(failing_extent, later.failing_extent);
}

RotatedReport audit_rotated(const RotatedTensor& tensor, unsigned threads) {
  assert(tensor.positions.size() == tensor.rows() && tensor.input.shape() == tensor.rotated.shape());
  const auto model = tensor.model();
  std::vector<RotatedReport> by_block((tensor.rows() + rotated_rows_per_block - 1) / rotated_rows_per_block);
  // Certified tables and scales keep the seeds they have made, so each thread has its own.
  const TurnedRow original(tensor.rotation, tensor.positions, tensor.positions_by_axis);
  oneapi::tbb::enumerable_thread_specific<TurnedRow> truths(original);
  with_threads(threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, by_block.size(), [&](std::size_t block) {
      RotatedRowJudge judge(tensor, truths.local(), model);
      const auto first = block * rotated_rows_per_block;
      for (auto r = first; r < std::min(first + rotated_rows_per_block, tensor.rows()); ++r) {
        judge.row(r, by_block[block]);
      }
    });
  });
  RotatedReport result;
  for (const auto& report : by_block) {
    result.merge(report);
  }
  return result;
}

}  // namespace vernier
