#include "props/properties/turn_view.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "numerics/budgets/scale_budget.hpp"
#include "numerics/decoding/couples.hpp"
#include "numerics/elements/mixed_row.hpp"
#include "numerics/identification/apart_from_phase.hpp"
#include "numerics/tensors/case.hpp"
#include "props/properties/token_numbers.hpp"
#include "reference/ladder/certified_scale.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

/// "cos, sin"
template <class Tensors>
std::string roles_of(const Tensors& tensors) {
  std::string text;
  for (const auto& tensor : tensors) {
    text += (text.empty() ? "" : ", ") + tensor.role();
  }
  return text;
}

// --- tables of one position --------------------------------------------------------------------------------

PairTurn turn_of(const BudgetModel& of_cosine, const BudgetModel& of_sine, std::int64_t position, int pair,
                 double cosine, double sine) {
  return {cosine, sine,
          std::max(apart_from_phase(of_cosine, position, pair, cosine),
                   apart_from_phase(of_sine, position, pair, sine)),
          std::max(of_cosine.phase_error(position, pair), of_sine.phase_error(position, pair)),
          of_cosine.amplitude()};
}

TurnView view_of_tables(const Case& subject) {
  const auto& tables = subject.tensors.all<TableTensor>();
  auto couples = couples_of(tables);
  std::vector<BudgetModel> models;
  for (const auto& tensor : tables) {
    models.push_back(tensor.model());
  }
  TurnView view{.source = roles_of(tables),
                .rows = subject.positions.size(),
                .axes = std::vector<int>(couples.size(), 0),
                .position = [&subject](std::size_t row, int) { return subject.positions[row]; },
                .query = {},
                .key = {},
                .is_table = true};
  view.query = [&subject, couples = std::move(couples), models = std::move(models)](
                   std::size_t row, std::size_t index) -> std::optional<PairTurn> {
    const auto& [pair, cosine, sine] = couples[index];
    const auto position = subject.positions[row];
    const auto& of_cosine = subject.tensors.all<TableTensor>()[cosine.tensor];
    const auto& of_sine = subject.tensors.all<TableTensor>()[sine.tensor];
    if (of_cosine.table.zero_position == position || of_sine.table.zero_position == position) {
      return std::nullopt;
    }
    const double c = of_cosine.at(row, cosine.column);
    const double s = of_sine.at(row, sine.column);
    if (of_cosine.has_overflown(of_cosine.table, c) || of_sine.has_overflown(of_sine.table, s)) {
      return std::nullopt;
    }
    return turn_of(models[cosine.tensor], models[sine.tensor], position, pair, c, s);
  };
  return view;
}

// --- columns of pairs --------------------------------------------------------------------------------------

/// A cosine and a sine of one pair, and the axis that it turns by.
struct Columns {
  int pair = 0;
  int axis = 0;
  std::size_t cosine = 0;
  std::size_t sine = 0;
};

/// \param axes of each column; empty where there is one
std::vector<Columns> columns_of_turn(const TrigTable& cosines, std::span<const int> axes_of_cosines,
                                     const TrigTable& sines, std::span<const int> axes_of_sines) {
  const auto placed = [](const TrigTable& table, std::span<const int> axes, Component component) {
    std::map<std::pair<int, int>, std::vector<std::size_t>> result;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].component == component) {
        result[{table.columns[c].pair, axes.empty() ? 0 : axes[c]}].push_back(c);
      }
    }
    return result;
  };
  const auto of_sines = placed(sines, axes_of_sines, Component::sine);
  std::vector<Columns> result;
  for (const auto& [pair, of_cosines] : placed(cosines, axes_of_cosines, Component::cosine)) {
    const auto found = of_sines.find(pair);
    for (std::size_t i = 0; found != of_sines.end() && i < of_cosines.size(); ++i) {
      result.push_back(
          {pair.first, pair.second, of_cosines[i], found->second[std::min(i, found->second.size() - 1)]});
    }
  }
  return result;
}

std::vector<int> axes_of(const std::vector<Columns>& columns) {
  std::vector<int> result;
  for (const auto& one : columns) {
    result.push_back(one.axis);
  }
  return result;
}

/// The tensor that has a column of this component, if one does.
template <class Tensors, class TableOf>
auto tensor_with(const Tensors& tensors, const TableOf& table_of, Component component) {
  const auto found = std::ranges::find_if(tensors, [&](const auto& tensor) {
    return std::ranges::find(table_of(tensor).columns, component, &Column::component) !=
           table_of(tensor).columns.end();
  });
  return found == tensors.end() ? nullptr : &*found;
}

// --- tables of several positions ---------------------------------------------------------------------------

std::vector<std::int64_t> places_of(std::span<const std::vector<std::int64_t>> by_axis, std::size_t row) {
  std::vector<std::int64_t> result;
  for (const auto& positions : by_axis) {
    result.push_back(positions[row]);
  }
  return result;
}

/// What a contract allows the pairs of a table of several positions: by the axis that a pair turns by, or by
/// all of them, whose model is that of one pair at position 1.
class AxisBudgets {
 public:
  explicit AxisBudgets(const TurnedTensor& tensor) {
    if (mixes_axes(tensor.table)) {
      mixed_.emplace(*tensor.contract, tensor.table.sines, tensor.table.axes->positions.maps,
                     tensor.stored());
      return;
    }
    for (std::size_t axis = 0; axis < tensor.table.position_count(); ++axis) {
      of_axes_.push_back(tensor.contract->bind(tensor.table.of_axis(axis), tensor.stored()));
    }
  }

  BudgetModel of_pair(std::span<const std::int64_t> places, int pair) const {
    return mixed_->of_pair(places, pair);
  }
  const BudgetModel& of_axis(std::size_t axis) const { return of_axes_[axis]; }

 private:
  std::optional<MixedBudget> mixed_;
  std::vector<BudgetModel> of_axes_;
};

/// Nothing where there are no such tables, or no number stands for the positions of pairs that turn by all
/// axes.
std::optional<TurnView> view_of_axes(const Case& subject) {
  const auto table_of = [](const TurnedTensor& tensor) -> const TrigTable& { return tensor.table.sines; };
  const auto* cosines = tensor_with(subject.tensors.of_axes(), table_of, Component::cosine);
  const auto* sines = tensor_with(subject.tensors.of_axes(), table_of, Component::sine);
  if (cosines == nullptr || sines == nullptr) {
    return std::nullopt;
  }
  const bool by_all = mixes_axes(cosines->table);
  const auto axes_in = [by_all](const TurnedTensor& tensor) {
    return by_all ? std::span<const int>() : std::span<const int>(tensor.table.axes->of_columns);
  };
  auto columns =
      columns_of_turn(cosines->table.sines, axes_in(*cosines), sines->table.sines, axes_in(*sines));
  const auto& by_axis = subject.positions_by_axis;
  TurnView view{.source = roles_of(subject.tensors.of_axes()),
                .rows = cosines->rows(),
                .axes = axes_of(columns),
                .position = [&by_axis](std::size_t row,
                                       int axis) { return by_axis[static_cast<std::size_t>(axis)][row]; },
                .query = {},
                .key = {},
                .is_table = true};
  if (by_all && !take_tokens(view, cosines->table.axes->positions.maps, by_axis)) {
    return std::nullopt;
  }
  view.query = [&subject, &by_axis, by_all, cosines, sines, columns = std::move(columns),
                of_cosines = AxisBudgets(*cosines), of_sines = AxisBudgets(*sines)](
                   std::size_t row, std::size_t index) -> std::optional<PairTurn> {
    const auto& place = columns[index];
    const double c = cosines->at(row, place.cosine);
    const double s = sines->at(row, place.sine);
    if ((!subject.zero_rows.empty() && subject.zero_rows[row]) ||
        cosines->has_overflown(cosines->table.sines, c) || sines->has_overflown(sines->table.sines, s)) {
      return std::nullopt;
    }
    if (by_all) {
      const auto places = places_of(by_axis, row);
      return turn_of(of_cosines.of_pair(places, place.pair), of_sines.of_pair(places, place.pair), 1, 0, c,
                     s);
    }
    const auto axis = static_cast<std::size_t>(place.axis);
    return turn_of(of_cosines.of_axis(axis), of_sines.of_axis(axis), by_axis[axis][row], place.pair, c, s);
  };
  return view;
}

// --- scales ------------------------------------------------------------------------------------------------

/// What a contract allows a scale, at any position.
class AllowedScale {
 public:
  AllowedScale(const BudgetModel& model, const PositionScale& scale)
      : model_(model), errors_(model_, scale), scale_(scale) {}
  AllowedScale(const AllowedScale&) = delete;
  AllowedScale& operator=(const AllowedScale&) = delete;

  const BudgetModel& model() const { return model_; }
  /// Nothing where it is beyond 2^+-400.
  std::optional<ScaleAt> at(std::int64_t position, int pair) {
    const auto value = scale_.at(position, pair);
    return value ? std::optional(ScaleAt{value->approximately(), errors_.at(position, pair)}) : std::nullopt;
  }

 private:
  BudgetModel model_;
  ScaleErrors errors_;
  CertifiedScale scale_;
};

TurnView::Turns turns_of(const Case& subject, const TurnedTensor& cosines, const TurnedTensor& sines,
                         std::vector<Columns> columns) {
  const auto allowed = std::make_shared<AllowedScale>(
      cosines.contract->bind(cosines.table.sines, cosines.stored()), *cosines.table.scale);
  const auto of_sine = std::make_shared<AllowedScale>(sines.contract->bind(sines.table.sines, sines.stored()),
                                                      *sines.table.scale);
  return [&subject, &cosines, &sines, columns = std::move(columns), allowed, of_sine](
             std::size_t row, std::size_t index) -> std::optional<PairTurn> {
    const auto& place = columns[index];
    const auto position = subject.positions[row];
    PairTurn turn{cosines.tensor.number(row * cosines.columns() + place.cosine),
                  sines.tensor.number(row * sines.columns() + place.sine)};
    for (const auto* one : {&allowed, &of_sine}) {
      const auto& model = (*one)->model();
      const auto scale = (*one)->at(position, place.pair);
      if (!scale) {
        return std::nullopt;
      }
      const auto product = model.parameters().compute;
      turn.radius = model.amplitude() * scale->value;
      turn.error =
          std::max(turn.error, greatest_scaled_budget(model, position, place.pair, *scale, product).total());
      turn.phase_error = std::max(turn.phase_error, model.phase_error(position, place.pair) *
                                                        (1 + product_error(model, *scale, product)));
    }
    return turn;
  };
}

/// The scaled tables of queries, or of keys, which have the reciprocal scale.
std::optional<TurnView> view_of_scaled(const Case& subject) {
  struct Half {
    const TurnedTensor* cosines = nullptr;
    const TurnedTensor* sines = nullptr;
    bool is_whole() const { return cosines != nullptr && sines != nullptr; }
  };
  std::array<Half, 2> halves;
  for (const auto& tensor : subject.tensors.scaled()) {
    if (tensor.table.is_scale_alone) {
      continue;
    }
    auto& half = halves[tensor.table.scale->is_reciprocal ? 1 : 0];
    for (const auto& column : tensor.table.sines.columns) {
      (column.component == Component::cosine ? half.cosines : half.sines) = &tensor;
    }
  }
  const auto columns = [](const Half& half) {
    return columns_of_turn(half.cosines->table.sines, {}, half.sines->table.sines, {});
  };
  const auto& first = halves[0].is_whole() ? halves[0] : halves[1];
  if (!first.is_whole()) {
    return std::nullopt;
  }
  const auto of_first = columns(first);
  TurnView view{.source = roles_of(subject.tensors.scaled()),
                .rows = first.cosines->rows(),
                .axes = axes_of(of_first),
                .position = [&subject](std::size_t row, int) { return subject.positions[row]; },
                .query = turns_of(subject, *first.cosines, *first.sines, of_first),
                .key = {},
                .is_table = true};
  if (halves[0].is_whole() && halves[1].is_whole()) {
    auto of_keys = columns(halves[1]);
    if (of_keys.size() == of_first.size()) {
      view.key = turns_of(subject, *halves[1].cosines, *halves[1].sines, std::move(of_keys));
    }
  }
  return view;
}

// --- rotated vectors ---------------------------------------------------------------------------------------

/// Where products neither overflow nor lose bits to underflow.
bool is_plain(double square) {
  return square >= 0x1p-400 && square <= 0x1p400;
}

/// The turn of a pair (a, b) that became (y, z): c = (a y + b z) / n and s = (a z - b y) / n, n = a^2 + b^2
/// (or -s, in every row, where the rotation is clockwise). An error of each of y and z by e moves them by
/// (|a| + |b|) e / n at most.
std::optional<PairTurn> turn_of(const RotatedTensor& tensor, const BudgetModel& model, AllowedScale* scales,
                                std::size_t row, std::size_t pair, std::int64_t position, int frequency) {
  const auto [first, second] = tensor.rotation.pairs[pair];
  const auto at = [&](const Tensor& values, std::size_t dimension) {
    return values.number(row * tensor.head_dim() + dimension);
  };
  const double a = at(tensor.input, first);
  const double b = at(tensor.input, second);
  const double n = a * a + b * b;
  const auto scale =
      scales == nullptr ? std::optional(ScaleAt{}) : scales->at(position, static_cast<int>(pair));
  if (!is_plain(n) || !scale) {
    return std::nullopt;
  }
  const auto arithmetic = arithmetic_of(model.parameters().compute, tensor.stored());
  const double radius = model.amplitude() * scale->value;
  const double each = model.judges_computation()
                          ? component_budget(model, tensor.stored(), position, frequency, a, b, *scale)
                          : model.storage(radius * std::hypot(a, b));
  const double sum = std::fabs(a) + std::fabs(b);
  if (!(radius * sum + each <= std::min(traits(arithmetic).largest(), traits(tensor.stored()).largest()))) {
    return std::nullopt;  // any value may be the right one
  }
  const double y = at(tensor.rotated, first);
  const double z = at(tensor.rotated, second);
  // The quotients are off by some roundings of their terms, which are no larger than these.
  const double own_rounding = 0x1p-50 * (std::fabs(y) + std::fabs(z)) * sum / n;
  return PairTurn{(a * y + b * z) / n, (a * z - b * y) / n, each * sum / n + own_rounding,
                  model.phase_error(position, frequency) * (1 + product_error(model, *scale, arithmetic)),
                  radius};
}

std::int64_t position_of(const RotatedTensor& tensor, std::size_t row, int axis) {
  return tensor.rotation.axes.empty() ? tensor.positions[row]
                                      : tensor.positions_by_axis[static_cast<std::size_t>(axis)][row];
}

TurnView::Turns turns_of(const RotatedTensor& tensor) {
  if (mixes_axes(tensor.rotation)) {
    const MixedBudget budgets(*tensor.contract, tensor.rotation.table, tensor.rotation.maps,
                              tensor.model().parameters().stored);
    return [&tensor, budgets](std::size_t row, std::size_t pair) {
      const auto model =
          budgets.of_pair(places_of(tensor.positions_by_axis, row), tensor.rotation.table.columns[pair].pair);
      return turn_of(tensor, model, nullptr, row, pair, 1, 0);
    };
  }
  auto model = std::make_shared<BudgetModel>(tensor.model());
  auto scales =
      tensor.rotation.scale ? std::make_shared<AllowedScale>(*model, *tensor.rotation.scale) : nullptr;
  return [&tensor, model, scales](std::size_t row, std::size_t pair) {
    const int axis = tensor.rotation.axes.empty() ? 0 : tensor.rotation.axes[pair];
    return turn_of(tensor, *model, scales.get(), row, pair, position_of(tensor, row, axis),
                   tensor.rotation.table.columns[pair].pair);
  };
}

/// Nothing where pairs have no phase that they turn by, or no number stands for their positions.
std::optional<TurnView> view_of_rotated(const RotatedTensor& tensor) {
  const auto& axes = tensor.rotation.axes;
  if (tensor.rotation.pairs.empty()) {
    return std::nullopt;
  }
  if (mixes_axes(tensor.rotation)) {
    TurnView view{.source = tensor.role(),
                  .rows = tensor.rows(),
                  .axes = std::vector<int>(axes.size(), 0),
                  .position = {},
                  .query = turns_of(tensor),
                  .key = {}};
    return take_tokens(view, tensor.rotation.maps, tensor.positions_by_axis) ? std::optional(std::move(view))
                                                                             : std::nullopt;
  }
  return TurnView{.source = tensor.role(),
                  .rows = tensor.rows(),
                  .axes = axes.empty() ? std::vector<int>(tensor.rotation.pairs.size(), 0) : axes,
                  .position = [&tensor](std::size_t row, int axis) { return position_of(tensor, row, axis); },
                  .query = turns_of(tensor),
                  .key = {}};
}

/// Whether one is of the keys of the other's queries, at the same positions.
bool are_query_and_key(const RotatedTensor& query, const RotatedTensor& key) {
  return !query.rotation.is_of_keys && key.rotation.is_of_keys &&
         query.rotation.is_gradient == key.rotation.is_gradient && query.positions == key.positions;
}

/// Queries and keys in one view if they are of the same positions.
void append_rotated(const std::vector<RotatedTensor>& rotated, std::vector<TurnView>& views) {
  for (std::size_t i = 0; i < rotated.size(); ++i) {
    // Numbers in blocks are rounded by scales of their own, which a view does not know.
    auto view = rotated[i].quantization.scales ? std::nullopt : view_of_rotated(rotated[i]);
    if (!view) {
      continue;
    }
    if (i + 1 < rotated.size() && are_query_and_key(rotated[i], rotated[i + 1])) {
      view->source = roles_of(std::span(rotated).subspan(i, 2));
      view->key = turns_of(rotated[++i]);
    }
    views.push_back(*std::move(view));
  }
}

}  // namespace

std::vector<TurnView> turn_views(const Case& subject) {
  std::vector<TurnView> views;
  if (subject.tensors.has<TableTensor>()) {
    views.push_back(view_of_tables(subject));
  }
  if (auto view = view_of_axes(subject)) {
    views.push_back(std::move(*view));
  }
  if (auto view = view_of_scaled(subject)) {
    views.push_back(std::move(*view));
  }
  append_rotated(subject.tensors.all<RotatedTensor>(), views);
  for (auto& view : views) {
    const int axes = view.axes.empty() ? 0 : 1 + std::ranges::max(view.axes);
    view.maps.clear();
    for (int axis = 0; axis < axes; ++axis) {
      view.maps.push_back(subject.encoding->positions_along(static_cast<std::size_t>(axis)));
    }
  }
  std::erase_if(views, [](const TurnView& view) { return view.rows == 0 || view.axes.empty(); });
  return views;
}

PropertyTally::Place place_of(const TurnView& view, std::size_t pair, std::size_t row) {
  return {{"tensors", view.source},
          {"row of all copies", std::to_string(row)},
          {"position", view.position_text(row, pair)},
          {"pair", std::to_string(pair)}};
}

std::map<int, Placed> placed_rows(const TurnView& view) {
  constexpr std::size_t most_rows = std::size_t{1} << 19;
  std::map<int, Placed> result;
  for (const int axis : view.axes) {
    if (result.contains(axis)) {
      continue;
    }
    auto& rows = result[axis];
    const auto count = std::min(view.rows, most_rows);
    rows.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = i < most_rows / 2 || view.rows <= most_rows ? i : view.rows - most_rows + i;
      rows.push_back({view.position(row, axis), row});
    }
    if (!std::ranges::is_sorted(rows)) {
      std::ranges::sort(rows);
    }
  }
  return result;
}

double square_of(const PairTurn& turn) {
  return turn.cosine * turn.cosine + turn.sine * turn.sine;
}

double square_error(const PairTurn& turn) {
  return square_allowance(turn.cosine, turn.error, turn.sine, turn.error);
}

}  // namespace vernier
