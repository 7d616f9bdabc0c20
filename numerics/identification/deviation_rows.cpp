#include <algorithm>
#include <cassert>
#include <cmath>

#include "numerics/decoding/couples.hpp"
#include "numerics/identification/apart_from_phase.hpp"
#include "numerics/identification/frequency_window.hpp"
#include "numerics/identification/screens/deviation_screen.hpp"
#include "numerics/identification/screens/row_bounds.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

std::vector<DoubleDouble> frequencies_of(const Frequencies& frequencies) {
  std::vector<DoubleDouble> result;
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    result.push_back(tight_enclosure([&] { return frequencies.at(pair); }).middle);
  }
  return result;
}

/// The pairs of which the tables hold one component alone, and one of its columns.
struct LoneColumn {
  int pair;
  TensorColumn column;
  bool is_sine;
};

std::vector<LoneColumn> lone_columns(std::span<const TableTensor> tables, std::span<const Couple> couples) {
  std::vector<LoneColumn> result;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const auto& columns = tables[t].table.columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto pair = columns[c].pair;
      if (columns[c].component != Component::zero &&
          std::ranges::find(couples, pair, &Couple::pair) == couples.end()) {
        result.push_back({pair, {t, c}, columns[c].component == Component::sine});
      }
    }
  }
  return result;
}

/// Whether a phase is nothing but the error of its position: it says nothing of a frequency.
bool is_error_alone(const BudgetModel& model, std::int64_t position, int pair) {
  return position == 0 && model.place_error(position, pair) > 0;
}

class TableDeviationRows final : public DeviationRows {
 public:
  TableDeviationRows(std::span<const TableTensor> tables, std::span<const std::int64_t> positions,
                     const std::vector<bool>& left_out)
      : tables_(tables),
        positions_(positions),
        frequencies_(frequencies_of(tables.front().table.frequencies)),
        couples_(couples_of(tables)),
        lone_(lone_columns(tables, couples_)) {
    const auto is_left_out = [&](const auto& of) {
      return !left_out.empty() && left_out[static_cast<std::size_t>(of.pair)];
    };
    std::erase_if(couples_, is_left_out);
    std::erase_if(lone_, is_left_out);
    for (const auto& tensor : tables) {
      models_.push_back(tensor.model());
      bounds_.emplace_back(models_.back());
      first_number_.push_back(numbers_);
      numbers_ += tensor.columns();
    }
    frequency_errors_.resize(frequencies_.size());
    for (const auto& model : models_) {
      std::ranges::transform(frequency_errors_, model.parameters().frequency_error, frequency_errors_.begin(),
                             [](double a, double b) { return std::max(a, b); });
    }
    prepare_screen();
  }

  std::size_t rows() const override { return positions_.size(); }
  int pairs() const override { return static_cast<int>(frequencies_.size()); }
  double frequency_error(int pair) const override {
    return frequency_errors_[static_cast<std::size_t>(pair)];
  }

  void visit(std::size_t row, const Visit& visit) const override {
    if (is_silent(row)) {
      return;
    }
    std::vector<double> numbers(numbers_);
    read(row, numbers);
    for (const auto& couple : couples_) {
      visit_couple(couple, row, numbers, visit);
    }
    visit_lone(row, numbers, visit);
  }

  std::uint64_t visit_telling(std::size_t first, std::size_t last, const ErrorRanges& known,
                              const Visit& visit) const override {
    Room room;
    room.numbers.resize(numbers_);
    std::uint64_t left_out = 0;
    for (auto row = first; row < last; ++row) {
      if (is_silent(row)) {
        continue;
      }
      if (has_zeros(positions_[row])) {
        this->visit(row, visit);
        continue;
      }
      read(row, room.numbers);
      const auto settled =
          screen_->look(positions_[row], couples_in(positions_[row], room), known, room.screen);
      left_out += settled;
      for (std::size_t i = 0; i < couples_.size() && settled < couples_.size(); ++i) {
        if (room.screen.settled[i] == 0) {
          visit_couple(couples_[i], row, room.numbers, visit);
        }
      }
      visit_lone(row, room.numbers, visit);
    }
    return left_out;
  }

 private:
  void prepare_screen() {
    std::vector<std::size_t> pairs;
    std::vector<std::size_t> cosines;
    std::vector<std::size_t> sines;
    std::vector<RowBounds::Source> of_cosines;
    std::vector<RowBounds::Source> of_sines;
    for (const auto& [pair, cosine, sine] : couples_) {
      pairs.push_back(static_cast<std::size_t>(pair));
      cosines.push_back(number_at(cosine));
      sines.push_back(number_at(sine));
      of_cosines.push_back({&bounds_[cosine.tensor], pair});
      of_sines.push_back({&bounds_[sine.tensor], pair});
    }
    cosines_.emplace(std::move(cosines));
    sines_.emplace(std::move(sines));
    cosine_bounds_.emplace(of_cosines);
    sine_bounds_.emplace(of_sines);
    screen_.emplace(pairs, frequencies_, frequency_errors_, models_);
  }

  /// What a reader needs room for.
  struct Room {
    std::vector<double> numbers;
    std::vector<double> cosines;
    std::vector<double> cosine_bounds;
    std::vector<double> sines;
    std::vector<double> sine_bounds;
    DeviationScreen::Room screen;
  };

  void read(std::size_t row, std::span<double> numbers) const {
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      tables_[t].row(row, numbers.subspan(first_number_[t], tables_[t].columns()));
    }
  }

  bool is_silent(std::size_t row) const {
    return std::ranges::any_of(models_,
                               [&](const auto& model) { return is_error_alone(model, positions_[row], 0); });
  }
  bool has_zeros(std::int64_t position) const {
    return std::ranges::any_of(tables_,
                               [&](const auto& tensor) { return tensor.table.zero_position == position; });
  }

  DeviationScreen::Couples couples_in(std::int64_t position, Room& room) const {
    const auto cosines = cosines_->of(room.numbers, room.cosines);
    const auto sines = sines_->of(room.numbers, room.sines);
    return {cosines, cosine_bounds_->of(position, cosines, room.cosine_bounds), sines,
            sine_bounds_->of(position, sines, room.sine_bounds)};
  }

  void visit_couple(const Couple& couple, std::size_t row, std::span<const double> numbers,
                    const Visit& visit) const {
    const auto& [pair, cosine, sine] = couple;
    const auto position = positions_[row];
    const double c = numbers[number_at(cosine)];
    const double s = numbers[number_at(sine)];
    if (!is_nothing(cosine, position, c) && !is_nothing(sine, position, s)) {
      const auto at = unit_vector(position, frequency(pair));
      visit(seen(pair, row,
                 phase_deviation(at, c, bound(cosine, position, pair, c), s, bound(sine, position, pair, s),
                                 amplitude())));
    }
  }

  void visit_lone(std::size_t row, std::span<const double> numbers, const Visit& visit) const {
    const auto position = positions_[row];
    for (const auto& [pair, column, is_sine] : lone_) {
      const double value = numbers[number_at(column)];
      if (!is_nothing(column, position, value)) {
        visit(seen(pair, row, lone_deviation(pair, column, is_sine, position, value)));
      }
    }
  }

  double amplitude() const { return models_.front().amplitude(); }
  const DoubleDouble& frequency(int pair) const { return frequencies_[static_cast<std::size_t>(pair)]; }
  std::size_t number_at(const TensorColumn& column) const {
    return first_number_[column.tensor] + column.column;
  }
  bool is_nothing(const TensorColumn& column, std::int64_t position, double value) const {
    return !std::isfinite(value) || tables_[column.tensor].table.is_zero(position, column.column);
  }
  double bound(const TensorColumn& column, std::int64_t position, int pair, double value) const {
    return bounds_[column.tensor].at(position, pair, value).greatest;
  }

  double row_error(std::int64_t position, int pair) const {
    double most = 0;
    for (const auto& model : models_) {
      most = std::max(most, model.row_error(position, pair));
    }
    return most;
  }

  PairSighting seen(int pair, std::size_t row, const PhaseDeviation& deviation) const {
    const auto position = positions_[row];
    return {pair,
            row,
            position,
            static_cast<double>(position) * frequency(pair).high,
            row_error(position, pair),
            deviation};
  }

  PhaseDeviation lone_deviation(int pair, const TensorColumn& column, bool is_sine, std::int64_t position,
                                double value) const {
    const auto& model = models_[column.tensor];
    const double most = model.phase_error(position, pair);
    if (!(most < std::numbers::pi / 2)) {
      return PhaseDeviation::anything();
    }
    // sin f = cos(f - pi/2)
    const auto at = unit_vector(position, frequency(pair));
    const double phase = is_sine ? std::atan2(-at.cosine, at.sine) : std::atan2(at.sine, at.cosine);
    return phase_deviation_of_one(phase, value, bound(column, position, pair, value), amplitude(),
                                  2 * most + 0x1p-10);
  }

  std::span<const TableTensor> tables_;
  std::span<const std::int64_t> positions_;
  std::vector<DoubleDouble> frequencies_;
  std::vector<Couple> couples_;
  std::vector<LoneColumn> lone_;
  std::vector<BudgetModel> models_;
  std::vector<BinadeBounds> bounds_;
  std::vector<double> frequency_errors_;   ///< one a pair, the greatest that any tensor's contract allows
  std::vector<std::size_t> first_number_;  ///< a tensor: where its numbers are in a row of all
  std::size_t numbers_ = 0;
  /// \name Of the couples
  /// @{
  std::optional<SelectedEntries> cosines_;
  std::optional<SelectedEntries> sines_;
  std::optional<RowBounds> cosine_bounds_;
  std::optional<RowBounds> sine_bounds_;
  std::optional<DeviationScreen> screen_;
  /// @}
};

class RotatedDeviationRows final : public DeviationRows {
 public:
  explicit RotatedDeviationRows(const RotatedTensor& tensor)
      : tensor_(tensor),
        model_(tensor.model()),
        frequencies_(frequencies_of(tensor.rotation.table.frequencies)),
        turns_(tensor.rotation.rotated.empty() ? 1 : tensor.rotation.direction()) {}

  std::size_t rows() const override { return tensor_.rows(); }
  int pairs() const override { return static_cast<int>(frequencies_.size()); }
  double frequency_error(int pair) const override {
    return model_.parameters().frequency_error[static_cast<std::size_t>(pair)];
  }

  void visit(std::size_t row, const Visit& visit) const override {
    std::vector<double> in(tensor_.head_dim());
    std::vector<double> out(in.size());
    tensor_.input.numbers(row * in.size(), in);
    tensor_.rotated.numbers(row * in.size(), out);
    for (std::size_t i = 0; i < tensor_.rotation.pairs.size(); ++i) {
      const int pair = tensor_.rotation.table.columns[i].pair;
      const auto position = position_of(row, i);
      if (is_error_alone(model_, position, pair)) {
        continue;
      }
      const auto [first, second] = tensor_.rotation.pairs[i];
      if (const auto deviation =
              deviation_of(pair, position, in[first], in[second], out[first], out[second])) {
        const double phase = static_cast<double>(position) * frequency(pair).high;
        visit({pair, row, position, phase, model_.row_error(position, pair), *deviation});
      }
    }
  }

 private:
  const DoubleDouble& frequency(int pair) const { return frequencies_[static_cast<std::size_t>(pair)]; }
  std::int64_t position_of(std::size_t row, std::size_t pair) const {
    const auto& axes = tensor_.rotation.axes;
    return axes.empty() ? tensor_.positions[row]
                        : tensor_.positions_by_axis[static_cast<std::size_t>(axes[pair])][row];
  }

  /// Of vectors (a, b) turned into (c, d), over a power of two. Their angles to the true result are compared
  /// as those of tables are to (cos, sin): the unit vector is the true direction. Nothing for numbers whose
  /// products might leave the range of a format, and where a result is too coarse to say where it points,
  /// as elements with scales of blocks are.
  std::optional<PhaseDeviation> deviation_of(int pair, std::int64_t position, double a, double b, double c,
                                             double d) const {
    const double each = component_budget(model_, tensor_.stored(), position, pair, a, b);
    const double norm = std::hypot(a, b);
    const double modulus = model_.amplitude() * norm;
    const bool plain = !tensor_.quantization.scales && norm > 0x1p-400 && norm < 0x1p400 &&
                       std::isfinite(c) && std::isfinite(d);
    const double reach = model_.amplitude() * (std::fabs(a) + std::fabs(b)) + each;
    if (!plain || proves_nothing(each, modulus) || !(reach <= traits(tensor_.stored()).largest())) {
      return std::nullopt;
    }
    const auto at = unit_vector(position, frequency(pair));
    const double sine = turns_ * at.sine;
    const UnitVector direction{(a * at.cosine - b * sine) / norm, (a * sine + b * at.cosine) / norm};
    const auto deviation = phase_deviation(direction, c, each, d, each, modulus);
    return turns_ > 0 ? deviation : PhaseDeviation{-deviation.greatest, -deviation.least};
  }

  const RotatedTensor& tensor_;
  BudgetModel model_;
  std::vector<DoubleDouble> frequencies_;
  int turns_;  ///< 1 counterclockwise, -1 clockwise
};

}  // namespace

std::unique_ptr<DeviationRows> deviation_rows(std::span<const TableTensor> tables,
                                              std::span<const std::int64_t> positions,
                                              const std::vector<bool>& left_out) {
  assert(!tables.empty() && std::ranges::all_of(tables, [](const TableTensor& tensor) {
    return tensor.model().judges_computation();
  }));
  return std::make_unique<TableDeviationRows>(tables, positions, left_out);
}

std::unique_ptr<DeviationRows> deviation_rows(const RotatedTensor& tensor) {
  if (tensor.rotation.scale || tensor.rotation.pairs.empty() || mixes_axes(tensor.rotation)) {
    return nullptr;
  }
  return std::make_unique<RotatedDeviationRows>(tensor);
}

}  // namespace vernier
