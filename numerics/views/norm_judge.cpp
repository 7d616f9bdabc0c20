#include "numerics/views/norm_judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/budgets/apart_from_phase.hpp"
#include "numerics/budgets/conclusive.hpp"
#include "numerics/screens/kernel.hpp"

namespace vernier {
namespace {

constexpr double rounding_of_squares = 16 * 0x1p-53;

/// The square of the amplitude, if no numbers up to 2 A are too coarse to be judged.
std::optional<double> square_of_fine(std::span<const BudgetModel> models) {
  if (models.empty()) {
    return std::nullopt;
  }
  double greatest = 0;
  for (const auto& model : models) {
    greatest = std::max(greatest, BinadeBounds(model).greatest());
  }
  const double a = models.front().amplitude();
  const bool is_fine =
      a > 0x1p-100 && a < 0x1p100 && square_allowance(2 * a, greatest, 2 * a, greatest) <= a * a / 2;
  return is_fine ? std::optional(a * a) : std::nullopt;
}

}  // namespace

void NormFindings::merge(const NormFindings& later) {
  elements += later.elements;
  judged += later.judged;
  failing += later.failing;
  inconclusive += later.inconclusive;
  if (later.worst && (!worst || later.worst->budget_ratio > worst->budget_ratio)) {
    worst = later.worst;
  }
}

NormJudge::NormJudge(const RowView& view)
    : is_of_tables_(view.layout().is_of_tables),
      square_(square_of_fine(view.models_of_arrays())),
      surplus_(view.layout().points.size()),
      counted_(surplus_.size()) {}

void NormJudge::add(RowView& view) {
  std::size_t counted = 0;
  if (square_ && findings_.worst) {
    if (const auto row = view.arrays(PointBounds::least)) {
      counted = screened(*row, std::min(1.0, findings_.worst->budget_ratio));
    }
  }
  findings_.elements += counted;
  findings_.judged += counted;
  if (counted == counted_.size()) {
    return;
  }
  const auto skip = counted > 0 ? std::span<const std::int64_t>(counted_) : std::span<const std::int64_t>();
  const auto points = view.points(PointBounds::exact, skip);
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (points[k] && points[k]->is_whole()) {
      judge(*points[k], view.row(), k);
    }
  }
}

std::size_t NormJudge::screened(const PointRow& row, double budget_ratio) {
  const auto count = screen_kernels().norm({.budget_ratio = budget_ratio,
                                            .square = *square_,
                                            .rounding = rounding_of_squares,
                                            .cosines = row.cosines.data(),
                                            .cosine_least = row.cosine_bounds.data(),
                                            .sines = row.sines.data(),
                                            .sine_least = row.sine_bounds.data()},
                                           surplus_.size(), surplus_.data());
  if (count > 0 && count < surplus_.size()) {
    std::ranges::transform(surplus_, counted_.begin(), [](double surplus) { return surplus >= 0 ? 1 : 0; });
  }
  return count;
}

void NormJudge::judge(const Point& point, std::size_t row, std::size_t k) {
  ++findings_.elements;
  if (point.is_open) {
    ++findings_.inconclusive;
    return;
  }
  const double radius = point.radius * point.length;
  const double greatest = std::max({std::fabs(point.z.real()), std::fabs(point.z.imag()), radius});
  // Squares of plain numbers neither overflow nor lose bits to underflow.
  const bool is_plain = greatest == 0 || (greatest > 0x1p-400 && greatest < 0x1p400);
  const int exponent = is_plain || !std::isfinite(greatest) ? 0 : std::ilogb(greatest);
  const auto over = [exponent](double number) {
    return exponent == 0 ? number : std::ldexp(number, -exponent);
  };
  const double c = over(point.z.real());
  const double s = over(point.z.imag());
  const double b = over(point.real_error);
  const double a = over(point.imaginary_error);
  const DoubleDouble square{over(over(point.square.high)), over(over(point.square.low))};
  const double excess = (two_product(c, c) + two_product(s, s) - square).high;
  double allowed = square_allowance(c, b, s, a);
  bool proves_little = allowed > square.high / 2;
  if (!is_of_tables_) {
    // A point is off by no more than the diagonal of its box, and so is its norm.
    const double diagonal = std::numbers::sqrt2 * std::max(b, a) * (1 + 0x1p-50);
    allowed = std::min(allowed, diagonal * (std::sqrt(c * c + s * s) + over(radius)) * (1 + 0x1p-50));
    proves_little = proves_nothing(diagonal, over(radius));
  }
  const double budget_ratio = !point.is_finite() ? std::numeric_limits<double>::infinity()
                              : excess == 0      ? 0
                                                 : std::fabs(excess) / allowed;
  // What is beyond all that is allowed fails, however much that is.
  if (!(budget_ratio > 1) && proves_little) {
    ++findings_.inconclusive;
    return;
  }
  ++findings_.judged;
  findings_.failing += budget_ratio > 1 ? 1 : 0;
  if (!findings_.worst || budget_ratio > findings_.worst->budget_ratio) {
    findings_.worst = NormFindings::Worst{
        row, k, point, std::ldexp(excess, 2 * exponent), std::ldexp(allowed, 2 * exponent), budget_ratio};
  }
}

}  // namespace vernier
