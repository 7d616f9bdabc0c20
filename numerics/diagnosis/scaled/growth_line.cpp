#include "numerics/diagnosis/scaled/growth_line.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/identification/pair_signal.hpp"

namespace vernier {
namespace {

/// So many rows tell how scales grow.
constexpr std::size_t most_measured_rows = 128;
constexpr std::size_t least_measured_rows = 4;
/// Beyond e^+-this the numbers of 16-bit formats lose their precision.
constexpr double greatest_logarithm = 8;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Reads what the first pair of an operand is multiplied by.
class ModulusOfFirstPair {
 public:
  ModulusOfFirstPair(const Suspect& suspect, const Computation& base, ScaledOperand operand)
      : suspect_(suspect), view_(suspect, base) {
    for (std::size_t t = 0; t < base.cells.size(); ++t) {
      if (operand_of(suspect, t) != operand) {
        continue;
      }
      const bool is_alone = suspect.tables()[t].is_scale_alone;
      for (std::size_t c = 0; c < base.cells[t].size(); ++c) {
        const auto& cell = base.cells[t][c];
        if (cell.pair == 0 && cell.component != Component::zero) {
          auto& place = is_alone ? scale_ : cell.component == Component::cosine ? cosine_ : sine_;
          place = place ? place : std::pair(t, c);
        }
      }
    }
  }

  std::optional<double> at(std::size_t row) const {
    if (suspect_.vectors() != nullptr) {
      const auto point = view_.is_complete(0) ? view_.grown_point(row, 0) : std::nullopt;
      return point ? std::optional(std::abs(point->z)) : std::nullopt;
    }
    if (cosine_ && sine_) {
      return std::hypot(number(*cosine_, row), number(*sine_, row));
    }
    return scale_ ? std::optional(number(*scale_, row)) : std::nullopt;
  }

 private:
  using ColumnOfTable = std::pair<std::size_t, std::size_t>;

  double number(const ColumnOfTable& place, std::size_t row) const {
    const auto& table = suspect_.tables()[place.first];
    return table.tensor->number(row * table.width() + place.second);
  }

  const Suspect& suspect_;
  PairView view_;
  std::optional<ColumnOfTable> cosine_;
  std::optional<ColumnOfTable> sine_;
  std::optional<ColumnOfTable> scale_;
};

}  // namespace

ScaledOperand operand_of(const Suspect& suspect, std::size_t tensor) {
  const auto& growth = suspect.declared().growth[tensor];
  return growth != nullptr && growth->scale().is_reciprocal ? ScaledOperand::keys : ScaledOperand::queries;
}

std::optional<GrowthLine> GrowthLine::of(const Suspect& suspect, const Computation& base,
                                         ScaledOperand operand) {
  if (suspect.vectors() != nullptr && operand_of(suspect, 0) != operand) {
    return std::nullopt;
  }
  const ModulusOfFirstPair modulus(suspect, base, operand);
  std::vector<Point> points;
  for (const auto row : spread_rows(suspect.rows(), most_measured_rows)) {
    const auto value = modulus.at(row);
    if (value && *value > 0 && std::fabs(std::log(*value)) <= greatest_logarithm) {
      points.push_back({base.places->front()[row], std::log(*value / std::fabs(base.amplitude))});
    }
  }
  std::ranges::stable_sort(points, {}, &Point::place);
  if (points.size() < least_measured_rows || points.front().place == points.back().place) {
    return std::nullopt;
  }
  // The medians of many values are off by less than their last bit; but they may all be cut off alike.
  const double u = std::max(traits(suspect.stored(0)).unit_roundoff(),
                            traits(base.parameters.front().compute).unit_roundoff());
  return GrowthLine(std::move(points), 0x1p-12 + u);
}

// The medians of slopes and of what they leave do not mind rows that are damaged.
GrowthLine::GrowthLine(std::vector<Point> points, double tolerance)
    : points_(std::move(points)), tolerance_(tolerance) {
  std::vector<double> slopes;
  const auto half = points_.size() / 2;
  for (std::size_t i = 0; i + half < points_.size(); ++i) {
    const auto& a = points_[i];
    const auto& b = points_[i + half];
    if (a.place != b.place) {
      slopes.push_back((b.logarithm - a.logarithm) / (b.place - a.place));
    }
  }
  growth_ = slopes.empty() ? 0 : median_of(std::move(slopes));
  place_ = points_[half].place;
  std::vector<double> levels;
  for (const auto& point : points_) {
    levels.push_back(point.logarithm - growth_ * (point.place - place_));
  }
  logarithm_ = median_of(std::move(levels));
}

double GrowthLine::excess(const PositionScale* scale, std::size_t first, std::size_t last) const {
  double slope = 0;
  double centre = 0;
  if (scale != nullptr) {
    slope = std::log(approximately(scale->ratios.front())) / approximately(scale->base) *
            (scale->is_reciprocal ? -1 : 1);
    centre = static_cast<double>(scale->centre);
  }
  std::vector<double> excesses;
  for (auto i = first; i < last; ++i) {
    excesses.push_back(points_[i].logarithm - slope * (points_[i].place - centre));
  }
  return median_of(std::move(excesses));
}

bool GrowthLine::fits(const PositionScale* scale) const {
  const auto half = points_.size() / 2;
  return std::fabs(excess(scale, 0, half)) <= tolerance_ &&
         std::fabs(excess(scale, half, points_.size())) <= tolerance_;
}

}  // namespace vernier
