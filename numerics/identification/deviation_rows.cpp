#include <cmath>
#include <numbers>
#include <optional>

#include <oneapi/tbb/enumerable_thread_specific.h>

#include "numerics/identification/frequency_window.hpp"
#include "numerics/screens/deviation_screen.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// Of the phase behind a point from the true one, in the direction in which pairs are declared to turn.
PhaseDeviation deviation_of(const Point& point, const DoubleDouble& frequency, int direction) {
  const auto at = unit_vector(point.place, frequency);
  const double modulus = point.radius * point.length;
  if (!point.is_whole()) {  // sin f = cos(f - pi/2)
    const bool is_sine = !std::isfinite(point.real_error);
    const double phase = is_sine ? std::atan2(-at.cosine, at.sine) : std::atan2(at.sine, at.cosine);
    return !(point.phase_error < std::numbers::pi / 2)
               ? PhaseDeviation::anything()
               : phase_deviation_of_one(phase, is_sine ? point.z.imag() : point.z.real(),
                                        is_sine ? point.imaginary_error : point.real_error, modulus,
                                        2 * point.phase_error + 0x1p-10);
  }
  const auto truth = point.unit * std::complex(at.cosine, direction * at.sine);
  const auto deviation = phase_deviation({truth.real(), truth.imag()}, point.z.real(), point.real_error,
                                         point.z.imag(), point.imaginary_error, modulus);
  return direction > 0 ? deviation : PhaseDeviation{-deviation.greatest, -deviation.least};
}

class ViewedDeviations final : public DeviationRows {
 public:
  explicit ViewedDeviations(const RowView& view)
      : view_(view), views_([this] { return RowView(view_); }), layout_(view_.layout()) {
    if (const auto models = view.models_of_arrays(); !models.empty()) {
      const auto pairs =
          mapped(layout_.points, [](const auto& point) { return static_cast<std::size_t>(point.pair); });
      screen_.emplace(pairs, layout_.frequencies, layout_.frequency_error, models);
    }
  }

  std::size_t rows() const override { return view_.rows(); }
  int pairs() const override { return static_cast<int>(layout_.frequencies.size()); }
  double frequency_error(int pair) const override {
    return layout_.frequency_error[static_cast<std::size_t>(pair)];
  }
  void visit(std::size_t row, const Visit& visit) const override {
    auto& view = views_.local();
    view.go_to(row);
    visit_points(view, {}, visit);
  }
  std::uint64_t visit_telling(std::size_t first, std::size_t last, const ErrorRanges& known,
                              const Visit& visit) const override {
    DeviationScreen::Room room;
    std::uint64_t untold = 0;
    auto& view = views_.local();
    for (auto row = first; row < last; ++row) {
      view.go_to(row);
      const auto points = screen_ ? view.arrays(PointBounds::most) : std::nullopt;
      if (!points) {
        visit_points(view, {}, visit);
        continue;
      }
      const auto settled = screen_->look(
          points->place, {points->cosines, points->cosine_bounds, points->sines, points->sine_bounds}, known,
          room);
      untold += settled;
      if (settled < layout_.points.size()) {
        visit_points(view, room.settled, visit);
      }
    }
    return untold;
  }

 private:
  void visit_points(RowView& view, std::span<const std::int64_t> skip, const Visit& visit) const {
    const auto points = view.points(PointBounds::most, skip);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto& point = points[k];
      if (!point || !shows_phase(*point)) {
        continue;
      }
      const int pair = layout_.points[k].pair;
      const auto& frequency = layout_.frequencies[static_cast<std::size_t>(pair)];
      visit({pair, view.row(), point->place, static_cast<double>(point->place) * frequency.high,
             point->row_error, deviation_of(*point, frequency, layout_.direction)});
    }
  }

  /// Whether a point is finite, and no result of vectors that is too coarse to say where it points.
  bool shows_phase(const Point& point) const {
    const bool is_coarse =
        !layout_.is_of_tables && proves_nothing(point.real_error, point.radius * point.length);
    return !point.is_open && point.length > 0 && point.is_finite() && point.shows_frequency && !is_coarse;
  }

  RowView view_;
  mutable oneapi::tbb::enumerable_thread_specific<RowView> views_;
  const PointLayout& layout_;
  std::optional<DeviationScreen> screen_;
};

}  // namespace

std::unique_ptr<DeviationRows> deviation_rows(const RowView& view) {
  return view.has_points() && !view.layout().frequencies.empty() ? std::make_unique<ViewedDeviations>(view)
                                                                 : nullptr;
}

}  // namespace vernier
