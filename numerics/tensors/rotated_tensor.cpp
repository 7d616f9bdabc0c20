#include "numerics/tensors/rotated_tensor.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/elements/narrow_arithmetic.hpp"
#include "numerics/tensors/spread_indices.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

constexpr double roundoff_of_norms = 0x1p-53;
/// Rows judged together. Blocks are merged in their order, so that the report does not depend on threads.
constexpr std::size_t rows_per_block = 1024;

/// Two components of a pair over a power of two, and the square of their norm.
DoubleDouble square_of_norm(double a, double b, int exponent) {
  const double x = std::ldexp(a, -exponent);
  const double y = std::ldexp(b, -exponent);
  return two_product(x, x) + two_product(y, y);
}

}  // namespace

/// Judges rows of vectors, one after another. Not hidden, as it is part of a VectorJudge.
class RowJudge {
 public:
  /// \param truth bound to the contract
  RowJudge(const RotatedTensor& tensor, RotatedSource& truth)
      : tensor_(tensor),
        truth_(truth),
        square_of_amplitude_(tight_enclosure([&] {
          const auto amplitude = enclose(tensor.rotation.table.amplitude);
          return Interval(amplitude * amplitude);
        })),
        passed_through_(tensor.rotation.passed_through()),
        in_(truth.input()),
        out_(tensor.head_dim()) {}

  void row(std::size_t r, RotatedReport& report) {
    row_ = r;
    tensor_.rotated.numbers(r * out_.size(), out_);
    truth_.go_to(r);
    for (const auto& dimension : tensor_.rotation.rotated) {
      judge(dimension, report);
    }
    for (const auto dimension : passed_through_) {
      compare(dimension, report);
    }
    for (std::size_t pair = 0; pair < tensor_.rotation.pairs.size(); ++pair) {
      judge_norm(pair, report);
    }
    if (const auto& scales = tensor_.quantization.scales) {
      judge_scales(*scales, report);
    }
  }

 private:
  std::size_t index(std::size_t dimension) const { return row_ * out_.size() + dimension; }

  void judge(const RotatedDimension& d, RotatedReport& report) const {
    const double got = out_[d.out];
    const auto allowed = truth_.allowed(d.out, got);
    const auto place = truth_.place(d.out);
    const auto failing = report.elements.failing;
    add_element(report.elements, index(d.out), got, allowed, place);
    if (allowed.may_overflow) {
      ++report.may_overflow;
      return;
    }
    if (!std::isfinite(got) && !allowed.is_instead(got)) {
      report.non_finite.add(index(d.out));
    }
    if (report.elements.failing > failing) {
      include(report.failing_extent,
              FailingExtent::of({place.position, d.out, static_cast<std::int64_t>(row_)}, d.pair));
    }
  }

  void compare(std::size_t dimension, RotatedReport& report) const {
    const auto& quantization = tensor_.quantization;
    const double got = out_[dimension];
    if (quantization.scales) {
      compare_scaled(*quantization.scales, dimension, report);
      return;
    }
    const double expected = quantization.stored(tensor_.stored(), in_[dimension]);
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

  double passed_through_value(std::size_t dimension) const {
    return in_[dimension] * tensor_.quantization.approximate_factor();
  }

  /// The element is the input, rounded to a block's numbers.
  void compare_scaled(const BlockScales& scales, std::size_t dimension, RotatedReport& report) const {
    const double got = out_[dimension];
    const double value = passed_through_value(dimension);
    const double off = scales.rounding(row_, dimension, std::fabs(value), truth_.unit_roundoff());
    ++report.passed_through;
    if (!std::isfinite(got)) {
      report.non_finite.add(index(dimension));
    }
    if (!(std::fabs(got - value) <= off) && !scales.saturates(row_, dimension, got, value, off)) {
      report.changed.add(index(dimension));
    }
  }

  /// The scales of the row, by the greatest of the values that they belong to.
  void judge_scales(const BlockScales& scales, RotatedReport& report) const {
    std::vector<double> magnitude(in_.size());
    for (const auto d : passed_through_) {
      magnitude[d] = std::fabs(passed_through_value(d));
    }
    std::vector<double> off(in_.size());
    for (const auto& d : tensor_.rotation.rotated) {
      const auto& pair = truth_.pair(static_cast<std::size_t>(d.pair));
      const auto truth = truth_.truth(d.out);
      magnitude[d.out] = truth ? std::fabs(truth->approximately()) : infinity;
      const auto& model = truth_.model();
      const double norm = model.amplitude() * pair.scale.value * std::hypot(in_[d.own], in_[d.other]);
      off[d.out] = computed_component_budget(model, tensor_.stored(), pair.place, pair.frequency, in_[d.own],
                                             in_[d.other], pair.scale) +
                   norm * model.phase_error(pair.place, pair.frequency);
    }
    for (std::size_t first = 0; first < in_.size(); first += scales.width()) {
      double greatest = 0;
      double most_off = 0;
      for (auto d = first; d < first + scales.width(); ++d) {
        greatest = std::max(greatest, magnitude[d]);
        most_off = std::max(most_off, off[d]);
      }
      // Whatever scale a block of zeros has, it stays one.
      const bool is_open = !(greatest > 2 * most_off) || !std::isfinite(greatest);
      if (is_open) {
        ++report.scales.elements;
        ++report.scales.inconclusive;
      } else {
        report.scales.add(
            scales.judged(row_, first / scales.width(), greatest, most_off, truth_.unit_roundoff()), false);
      }
    }
  }

  /// The most that each component of a pair may be off by, whatever the phase is.
  double largest_component_budget(std::size_t index, double a, double b) const {
    const auto& pair = truth_.pair(index);
    const auto& model = truth_.model();
    if (const auto& scales = tensor_.quantization.scales) {
      const double computed =
          computed_component_budget(model, tensor_.stored(), pair.place, pair.frequency, a, b, pair.scale);
      const double magnitude = model.amplitude() * pair.scale.value * std::hypot(a, b) + computed;
      const auto [first, second] = tensor_.rotation.pairs[index];
      const double u = truth_.unit_roundoff();
      return computed + std::max(scales->rounding(row_, first, magnitude, u),
                                 scales->rounding(row_, second, magnitude, u));
    }
    return model.judges_computation()
               ? component_budget(model, tensor_.stored(), pair.place, pair.frequency, a, b, pair.scale)
               : model.storage(model.amplitude() * pair.scale.value * std::hypot(a, b));
  }

  void judge_norm(std::size_t index, RotatedReport& report) const {
    const auto [first, second] = tensor_.rotation.pairs[index];
    const auto& pair = truth_.pair(index);
    const double a = in_[first];
    const double b = in_[second];
    const bool is_zero = a == 0 && b == 0;
    const double each = is_zero ? 0 : largest_component_budget(index, a, b);
    const double reach = truth_.model().amplitude() * pair.scale.value * (std::fabs(a) + std::fabs(b)) + each;
    const bool may_leave_range =
        !is_zero && (truth_.may_overflow(reach) || !(reach <= greatest_stored(first, second)));
    if (!pair.is_enclosed || may_leave_range) {
      ++report.norms.elements;
      ++report.norms.inconclusive;
      return;
    }
    const auto element = judged_norm(index, a, b, std::numbers::sqrt2 * each * (1 + 8 * roundoff_of_norms));
    report.norms.add(element, proves_nothing(element.budget, element.truth.approximately()));
  }

  /// The greatest magnitude that both dimensions can hold.
  double greatest_stored(std::size_t first, std::size_t second) const {
    const auto& scales = tensor_.quantization.scales;
    return scales ? scales->element().largest() * std::min(std::fabs(scales->scale(row_, first)),
                                                           std::fabs(scales->scale(row_, second)))
                  : traits(tensor_.stored()).largest();
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
                            exactly(truth_.model().amplitude() * scale.approximately() * std::hypot(a, b)),
                            allowed);
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
  RotatedSource& truth_;
  Enclosure square_of_amplitude_;
  std::vector<std::size_t> passed_through_;
  std::size_t row_ = 0;
  std::span<const double> in_;
  std::vector<double> out_;
};

namespace {

RotatedSource truth_of(const RotatedTensor& tensor) {
  RotatedSource truth(
      tensor.rotation, {.positions = tensor.positions, .by_axis = tensor.positions_by_axis},
      [&](std::size_t row, std::span<double> out) { tensor.input.numbers(row * out.size(), out); },
      tensor.quantization);
  [[maybe_unused]] const bool is_bound = truth.bind(*tensor.contract, tensor.stored());
  assert(is_bound);
  return truth;
}

}  // namespace

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
  scales.merge(later.scales);
  passed_through += later.passed_through;
  changed.merge(later.changed);
  non_finite.merge(later.non_finite);
  may_overflow += later.may_overflow;
  include(failing_extent, later.failing_extent);
}

RotatedReport audit_rotated(const RotatedTensor& tensor, unsigned threads) {
  assert(tensor.positions.size() == tensor.rows() && tensor.input.shape() == tensor.rotated.shape());
  const auto original = truth_of(tensor);
  std::vector<RotatedReport> by_block((tensor.rows() + rows_per_block - 1) / rows_per_block);
  // Certified tables and scales keep the seeds they have made, so each thread has its own.
  oneapi::tbb::enumerable_thread_specific<RotatedSource> truths(original);
  with_threads(threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, by_block.size(), [&](std::size_t block) {
      RowJudge judge(tensor, truths.local());
      const auto first = block * rows_per_block;
      for (auto r = first; r < std::min(first + rows_per_block, tensor.rows()); ++r) {
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

ElementwiseReport audit_one_rounding(const RotatedTensor& tensor) {
  constexpr std::size_t most_rows = 64;
  const auto model = tensor.model();
  if (!model.judges_computation() || tensor.quantization.scales) {
    return {};
  }
  auto source = truth_of(tensor);
  return audit_one_rounding(source, *tensor.contract, model.parameters().compute, tensor.stored(),
                            spread_indices(tensor.rows(), most_rows),
                            [&](std::size_t index) { return tensor.rotated.number(index); });
}

class VectorJudge::State {
 public:
  explicit State(const RotatedTensor& like)
      : tensor_{like.rotation, like.input, like.rotated, like.contract, {0}, {}, {}, like.quantization},
        truth_(truth_of(tensor_)),
        judge_(tensor_, truth_) {}

  RotatedReport judge(std::int64_t position, std::span<const std::byte> input,
                      std::span<const std::byte> rotated) {
    const auto one = [](const Tensor& like, std::span<const std::byte> bytes) {
      return Tensor(like.type(), {1, like.shape().back()},
                    std::vector<std::byte>(bytes.begin(), bytes.end()));
    };
    tensor_.positions.front() = position;
    tensor_.input = one(tensor_.input, input);
    tensor_.rotated = one(tensor_.rotated, rotated);
    RotatedReport report;
    judge_.row(0, report);
    return report;
  }

  std::vector<bool> failing_pairs() const {
    std::vector<bool> failing(tensor_.rotation.pairs.size());
    for (const auto& dimension : tensor_.rotation.rotated) {
      const double got = tensor_.rotated.number(dimension.out);
      ElementwiseReport report;
      add_element(report, 0, got, truth_.allowed(dimension.out, got), truth_.place(dimension.out));
      if (report.failing > 0) {
        failing[static_cast<std::size_t>(dimension.pair)] = true;
      }
    }
    return failing;
  }

 private:
  RotatedTensor tensor_;
  RotatedSource truth_;  ///< reads the position and the input of the tensor, which are replaced
  RowJudge judge_;
};

VectorJudge::VectorJudge(const RotatedTensor& like) : state_(std::make_unique<State>(like)) {}
VectorJudge::~VectorJudge() = default;

RotatedReport VectorJudge::judge(std::int64_t position, std::span<const std::byte> input,
                                 std::span<const std::byte> rotated) {
  return state_->judge(position, input, rotated);
}

std::vector<bool> VectorJudge::failing_pairs() const {
  return state_->failing_pairs();
}

}  // namespace vernier
