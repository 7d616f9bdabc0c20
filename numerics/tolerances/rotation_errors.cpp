#include "numerics/tolerances/rotation_errors.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

#include "numerics/tolerances/greatest_rounding.hpp"

namespace vernier {
namespace {

/// Cells of the quarter turn, and of the ratio of two components from -1 to 1.
constexpr int cell_turns = 192;
constexpr int cell_ratios = 96;
/// For the roundings of bounds that are computed in binary64.
constexpr double rotation_slack = 1 + 0x1p-40;

/// The least and the greatest magnitude of something.
struct Magnitudes {
  double low = 0;
  double high = 0;
};

/// |x + y|, each between its ends.
double greatest_sum(double x_low, double x_high, double y_low, double y_high) {
  return std::max(std::fabs(x_low + y_low), std::fabs(x_high + y_high));
}

/// A cosine or a sine as the table holds it and the arithmetic reads it.
struct Entry {
  double trig = 0;
  double rounding = 0;
  double reach = 0;  ///< the greatest magnitude
};

class RotationErrors {
 public:
  RotationErrors(const BudgetModel& model, const RotationOrder& order, std::int64_t farthest)
      : model_(model), order_(order), farthest_(farthest), exact_products_(has_exact_products(order)) {
    for (int pair = 0; pair < model.pairs(); ++pair) {
      radians_ = std::max(radians_, greatest_phase_error(model, pair, farthest));
      fastest_ = model.frequency(pair) > model.frequency(fastest_) ? pair : fastest_;
    }
  }

  GreatestErrors all() const {
    GreatestErrors greatest;
    greatest.last_ulps = 0.5;
    for (int turn = 0; turn < cell_turns; ++turn) {
      const double begin = std::numbers::pi / 2 * turn / cell_turns;
      const double end = std::numbers::pi / 2 * (turn + 1) / cell_turns;
      const Magnitudes cosine{std::cos(end), std::cos(begin)};
      const Magnitudes sine{std::sin(begin), std::sin(end)};
      const auto c = entry(cosine.high, sine.high);
      const auto s = entry(sine.high, cosine.high);
      for (int ratio = 0; ratio < cell_ratios; ++ratio) {
        greatest.add(
            cell(cosine, sine, c, s, 2.0 * ratio / cell_ratios - 1, 2.0 * (ratio + 1) / cell_ratios - 1));
      }
    }
    return greatest;
  }

 private:
  Entry entry(double v, double partner) const {
    const double amplitude = model_.amplitude();
    const auto& parameters = model_.parameters();
    Entry result;
    result.trig = model_.trig(farthest_, fastest_, amplitude * v);
    result.reach = amplitude * (v + moved_by_turn(v, partner, radians_)) + result.trig;
    if (parameters.storage_ulps > 0) {
      result.rounding = 2 * parameters.storage_ulps * greatest_rounding(parameters.stored, result.reach);
    }
    if (traits(order_.tables).precision > traits(order_.math).precision) {
      result.rounding += greatest_rounding(order_.math, result.reach + result.rounding);
    }
    result.reach += result.rounding;
    return result;
  }

  /// One component is the input bound, the other so much of it, at least `from` and at most `to`, which have
  /// one sign.
  ErrorBound cell(const Magnitudes& cosine, const Magnitudes& sine, const Entry& c, const Entry& s,
                  double from, double to) const {
    const double x = order_.input_bound;
    const double amplitude = model_.amplitude();
    const bool positive = to > 0;
    const double other = std::max(std::fabs(from), std::fabs(to));
    // t c - s and t s + c of all t and all phases of the cell.
    const double y = greatest_sum(from * (positive ? cosine.low : cosine.high),
                                  to * (positive ? cosine.high : cosine.low), -sine.high, -sine.low);
    const double rate = greatest_sum(from * (positive ? sine.low : sine.high),
                                     to * (positive ? sine.high : sine.low), cosine.low, cosine.high);
    ErrorBound bound;
    const double norm = std::hypot(1, other);
    bound.phase = x * amplitude *
                  (radians_ >= 2 ? 2 * norm
                                 : std::min(norm * radians_, rate * radians_ + y * radians_ * radians_ / 2)) *
                  rotation_slack;
    bound.trig = x * (other * c.trig + s.trig) * rotation_slack;
    bound.table = x * (other * c.rounding + s.rounding) * rotation_slack;
    if (!exact_products_) {
      const double first = greatest_rounding(order_.math, x * other * c.reach);
      const double second = greatest_rounding(order_.math, x * s.reach);
      bound.products = order_.is_fused ? std::max(first, second) : first + second;
    }
    bound.products += traits(order_.math).smallest();  // of two products that underflow
    const double sum = x * amplitude * y + bound.before_storage();
    const double rounding = greatest_rounding(order_.math, sum);
    if (order_.math == order_.vectors) {
      bound.stored = rounding;
    } else {
      bound.sum = rounding;
      bound.stored = greatest_rounding(order_.vectors, sum + rounding);
    }
    return bound;
  }

  const BudgetModel& model_;
  const RotationOrder& order_;
  std::int64_t farthest_;
  bool exact_products_;
  double radians_ = 0;
  int fastest_ = 0;
};

}  // namespace

bool has_exact_products(const RotationOrder& order) {
  const auto bits = [](Format format) { return traits(format).precision; };
  return std::min(bits(order.tables), bits(order.math)) + bits(order.vectors) <= bits(order.math);
}

GreatestErrors rotation_errors(const BudgetModel& model, const RotationOrder& order, std::int64_t farthest) {
  assert(traits(order.vectors).precision <= traits(order.math).precision);
  assert(model.parameters().stored == order.tables);
  return RotationErrors(model, order, farthest).all();
}

}  // namespace vernier
