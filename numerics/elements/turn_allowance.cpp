#include "numerics/elements/turn_allowance.hpp"

#include <algorithm>
#include <utility>

#include "reference/numbers/enclosure.hpp"
#include "reference/support/mapped.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {

TurnAllowance::TurnAllowance(const TurnedTable& table, const Contract& contract, Format stored,
                             std::vector<BudgetModel> models, const SourceRows& rows)
    : has_axes_(table.axes.has_value()),
      zero_position_(table.is_plain() ? table.sines.zero_position : std::nullopt),
      rows_(rows),
      models_(std::move(models)) {
  if (mixes_axes(table)) {
    mixed_.emplace(contract, table.sines, table.axes->positions.maps, stored);
  }
  if (table.scale) {
    scale_.emplace(*table.scale);
    errors_.emplace(models_.front(), *table.scale);
  }
  const auto amplitude = tight_enclosure([&] { return enclose(table.sines.amplitude); }).middle;
  square_ = amplitude * amplitude;
}

void TurnAllowance::go_to(std::size_t row) {
  row_ = row;
  if (mixed_) {
    const auto places = mapped(rows_.by_axis, [&](const auto& along) { return along[row]; });
    of_row_ = mixed_->of_row(places);
  }
}

std::optional<ScaleAt> TurnAllowance::describe_turn(int pair, int axis, Format product, AllowedTurn& turn) {
  const auto& of_pair = model(axis);
  turn.radius = of_pair.amplitude();
  turn.square = square_;
  turn.place = place(axis);
  ScaleAt at;
  if (scale_) {
    const auto scale = scale_->at(turn.place, pair);
    if (!scale) {
      return std::nullopt;
    }
    at = {scale->approximately(), errors_->at(turn.place, pair)};
    turn.radius *= at.value;
    turn.square = square_ * (scale->middle * scale->middle);
  }
  const double of_product = scale_ ? product_error(of_pair, at, product) : 0;
  turn.phase_error = std::max(turn.phase_error, of_pair.phase_error(turn.place, pair) * (1 + of_product));
  turn.row_error = std::max(turn.row_error, of_pair.row_error(turn.place, pair));
  // At place 0 a phase may be nothing but the error of its place.
  turn.shows_frequency =
      turn.shows_frequency && !(turn.place == 0 && of_pair.place_error(turn.place, pair) > 0);
  return at;
}

std::vector<BudgetModel> models_by_axis(const TurnedTable& table, const Contract& contract, Format stored) {
  std::vector<BudgetModel> models;
  for (std::size_t axis = 0; !mixes_axes(table) && axis < table.position_count(); ++axis) {
    models.push_back(contract.bind(table.of_axis(axis), stored));
  }
  return models;
}

std::vector<DoubleDouble> exact_frequencies(const Frequencies& frequencies) {
  std::vector<DoubleDouble> result;
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    result.push_back(tight_enclosure([&] { return frequencies.at(pair); }).middle);
  }
  return result;
}

}  // namespace vernier
