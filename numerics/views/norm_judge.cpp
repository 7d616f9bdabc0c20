#include "numerics/views/norm_judge.hpp"

#include <algorithm>
#include <limits>

#include "numerics/budgets/apart_from_phase.hpp"
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
    : square_(square_of_fine(view.models_of_arrays())),
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
  const double c = point.z.real();
  const double s = point.z.imag();
  const double allowed = square_allowance(c, point.real_error, s, point.imaginary_error);
  ++findings_.elements;
  if (point.is_open || (point.is_finite() && allowed > point.square.high / 2)) {
    ++findings_.inconclusive;
    return;
  }
  const double excess = (two_product(c, c) + two_product(s, s) - point.square).high;
  const double budget_ratio = !point.is_finite() ? std::numeric_limits<double>::infinity()
                              : excess == 0      ? 0
                                                 : std::fabs(excess) / allowed;
  ++findings_.judged;
  findings_.failing += budget_ratio > 1 ? 1 : 0;
  if (!findings_.worst || budget_ratio > findings_.worst->budget_ratio) {
    findings_.worst = NormFindings::Worst{row, k, point, excess, allowed, budget_ratio};
  }
}

}  // namespace vernier
