#include "numerics/views/table_views.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "numerics/budgets/apart_from_phase.hpp"
#include "numerics/elements/sources.hpp"
#include "numerics/elements/turn_allowance.hpp"
#include "numerics/screens/row_bounds.hpp"
#include "numerics/screens/selected_entries.hpp"
#include "numerics/views/plain_views.hpp"
#include "reference/support/mapped.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

/// The points of tables: a cosine and a sine of one pair, wherever they stand.
class TablePoints final : public PointSource {
 public:
  TablePoints(std::vector<TableTensor> tables, const SourceRows& rows) : rows_(rows) {
    auto fixed = std::make_shared<Fixed>();
    fixed->tables = std::move(tables);
    for (const auto& stored : fixed->tables) {
      allowed_.emplace_back(stored.table, *stored.contract, stored.stored(),
                            models_by_axis(stored.table, *stored.contract, stored.stored()), rows_);
    }
    find_points(*fixed);
    fixed->layout.is_of_tables = true;
    fixed->layout.has_scale = fixed->tables.front().table.scale.has_value();
    if (!allowed_.front().is_mixed()) {
      find_frequencies(*fixed);
      prepare_arrays(*fixed);
    }
    fixed_ = std::move(fixed);
  }
  std::unique_ptr<PointSource> copy() const override { return std::make_unique<TablePoints>(*this); }

  const PointLayout& layout() const override { return fixed_->layout; }
  void read(const RowView& view, PointBounds bounds, std::span<const std::int64_t> skip,
            std::span<std::optional<Point>> out) override {
    for (auto& allowed : allowed_) {
      allowed.go_to(view.row());
    }
    for (std::size_t k = 0; k < out.size(); ++k) {
      const auto& place = layout().points[k];
      const auto& stored = place.real ? place.real : place.imaginary;
      if ((skip.empty() || skip[k] == 0) && !allowed_[stored->part].is_zero()) {
        read_point(view, place, bounds, out[k]);
      }
    }
  }

  std::span<const BudgetModel> models_of_arrays() const override { return fixed_->models; }
  std::optional<PointRow> arrays(const RowView& view, PointBounds bounds) override {
    const auto place = rows_.positions[view.row()];
    const auto has_zeros_there = [&](const TableTensor& stored) {
      return stored.table.sines.zero_position == place;
    };
    if (fixed_->models.empty() || std::ranges::any_of(fixed_->tables, has_zeros_there) ||
        (place == 0 && has_place_errors())) {
      return std::nullopt;
    }
    std::array<std::span<const double>, 2> numbers;
    std::array<std::span<const double>, 2> errors;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& component = fixed_->arrays[i];
      numbers[i] = component.entries->of(view.numbers(), rooms_[i].numbers);
      errors[i] = (bounds == PointBounds::most ? component.most : component.least)
                      ->of(place, numbers[i], rooms_[i].bounds);
    }
    return PointRow{place, numbers[0], numbers[1], errors[0], errors[1]};
  }

 private:
  using PartColumn = PointLayout::PartColumn;
  /// One component of all points as an array.
  struct Array {
    std::optional<SelectedEntries> entries;
    std::optional<RowBounds> most;
    std::optional<RowBounds> least;
  };
  struct Room {
    std::vector<double> numbers;
    std::vector<double> bounds;
  };
  /// What copies share.
  struct Fixed {
    std::vector<TableTensor> tables;
    PointLayout layout;
    std::vector<BudgetModel> models;                ///< one a table, where there are arrays
    std::vector<std::vector<BinadeBounds>> bounds;  ///< one a table and axis; none where rows have budgets
    bool are_alike = false;                         ///< whether contracts allow the same to all of them
    std::array<Array, 2> arrays;
  };

  /// Couples the cosine columns of each pair with its sine columns, in order; of unequally many the last is
  /// used again.
  static void find_points(Fixed& fixed) {
    std::map<std::pair<int, int>, std::array<std::vector<PartColumn>, 2>> found;
    for (std::size_t part = 0; part < fixed.tables.size(); ++part) {
      const auto& table = fixed.tables[part].table;
      for (std::size_t c = 0; !table.is_scale_alone && c < table.sines.columns.size(); ++c) {
        const auto& [pair, component] = table.sines.columns[c];
        if (component != Component::zero) {
          found[{pair, table.axis(c)}][component == Component::cosine ? 0 : 1].push_back({part, c});
        }
      }
    }
    const auto at = [](const std::vector<PartColumn>& columns, std::size_t i) {
      return columns.empty() ? std::nullopt : std::optional(columns[std::min(i, columns.size() - 1)]);
    };
    for (const auto& [turns, columns] : found) {
      for (std::size_t i = 0; i < std::max(columns[0].size(), columns[1].size()); ++i) {
        fixed.layout.points.push_back({turns.first, turns.second, at(columns[0], i), at(columns[1], i)});
      }
    }
  }

  /// Whether the phase at place 0 is nothing but the error of the place.
  bool has_place_errors() const {
    return std::ranges::any_of(fixed_->models,
                               [](const BudgetModel& model) { return model.place_error(0, 0) > 0; });
  }

  /// What numbers beyond the format become shows no phase.
  void find_frequencies(Fixed& fixed) const {
    const auto shows_phases = [](const TableTensor& stored) {
      return stored.contract->bind(stored.table.sines, stored.stored()).judges_computation() &&
             !stored.table.scale && !stored.may_overflow();
    };
    if (!std::ranges::all_of(fixed.tables, shows_phases)) {
      return;
    }
    auto& layout = fixed.layout;
    layout.frequencies = exact_frequencies(fixed.tables.front().table.sines.frequencies);
    layout.frequency_error.resize(layout.frequencies.size());
    for (const auto& allowed : allowed_) {
      std::ranges::transform(layout.frequency_error, allowed.model(0).parameters().frequency_error,
                             layout.frequency_error.begin(),
                             [](double a, double b) { return std::max(a, b); });
    }
  }

  /// Arrays are there where each point is a cosine and a sine at the place of the row, with nothing beyond
  /// the format.
  void prepare_arrays(Fixed& fixed) const {
    const auto& tables = fixed.tables;
    fixed.are_alike = std::ranges::all_of(tables, [&](const TableTensor& stored) {
      return stored.contract == tables.front().contract && stored.stored() == tables.front().stored() &&
             !stored.table.scale;
    });
    for (std::size_t part = 0; part < tables.size(); ++part) {
      auto& by_axis = fixed.bounds.emplace_back();
      for (std::size_t axis = 0; axis < tables[part].table.position_count(); ++axis) {
        by_axis.emplace_back(allowed_[part].model(static_cast<int>(axis)));
      }
    }
    if (!std::ranges::all_of(tables, [](const TableTensor& stored) { return stored.table.is_plain(); })) {
      return;
    }
    const auto stays_in_range = [](const TableTensor& stored) {
      return stored.overflow == Overflow::undeclared;
    };
    const auto& points = fixed.layout.points;
    if (!std::ranges::all_of(tables, stays_in_range) ||
        !std::ranges::all_of(points, [](const auto& place) { return place.real && place.imaginary; })) {
      return;
    }
    std::vector<std::size_t> first(1);
    for (std::size_t part = 0; part < tables.size(); ++part) {
      fixed.models.push_back(allowed_[part].model(0));
      first.push_back(first.back() + tables[part].columns());
    }
    for (std::size_t i = 0; i < 2; ++i) {
      std::vector<std::size_t> entries;
      std::vector<RowBounds::Source> sources;
      for (const auto& place : points) {
        const auto& [part, column] = i == 0 ? *place.real : *place.imaginary;
        entries.push_back(first[part] + column);
        sources.push_back({&fixed.bounds[part].front(), place.pair});
      }
      fixed.arrays[i].entries.emplace(std::move(entries));
      fixed.arrays[i].most.emplace(sources, &BinadeBounds::Bounds::greatest);
      fixed.arrays[i].least.emplace(sources, &BinadeBounds::Bounds::least);
    }
  }

  void read_point(const RowView& view, const PointLayout::Place& turns, PointBounds bounds,
                  std::optional<Point>& out) {
    auto& point = out.emplace();
    std::array<double, 2> z{};
    std::array<double, 2> errors{std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()};
    std::optional<ScaleAt> scale;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& stored = i == 0 ? turns.real : turns.imaginary;
      if (!stored) {
        continue;
      }
      const auto& [part, column] = *stored;
      auto& allowed = allowed_[part];
      if (!scale || !fixed_->are_alike) {
        const auto product = allowed.model(turns.axis).parameters().compute;
        scale = allowed.describe_turn(turns.pair, turns.axis, product, point);
        if (!scale) {
          out.reset();
          return;
        }
      }
      z[i] = view.got(part, column);
      errors[i] = component_error(part, turns, *scale, bounds, z[i]);
      point.is_open = point.is_open || fixed_->tables[part].has_overflown(z[i]);
    }
    point.z = {z[0], z[1]};
    point.real_error = errors[0];
    point.imaginary_error = errors[1];
  }

  /// The most that a component may be off by, for no error of the phase.
  double component_error(std::size_t part, const PointLayout::Place& turns, const ScaleAt& scale,
                         PointBounds bounds, double got) const {
    const auto& allowed = allowed_[part];
    const auto place = allowed.place(turns.axis);
    const auto& model = allowed.model(turns.axis);
    if (fixed_->tables[part].table.scale) {
      return greatest_scaled_budget(model, place, turns.pair, scale, model.parameters().compute).total();
    }
    return bounds == PointBounds::most && !fixed_->bounds.empty()
               ? fixed_->bounds[part][static_cast<std::size_t>(turns.axis)]
                     .at(place, turns.pair, got)
                     .greatest
               : apart_from_phase(model, place, turns.pair, got);
  }

  std::shared_ptr<const Fixed> fixed_;
  SourceRows rows_;
  std::vector<TurnAllowance> allowed_;  ///< one a table
  std::array<Room, 2> rooms_;
};

/// The report of the tiled audit as that of a walk.
TensorFindings findings_of(AuditReport report, std::size_t columns) {
  const auto index = [&](const Place& place) {
    return static_cast<std::size_t>(place.row) * columns + place.column;
  };
  const auto judged = [&](const std::optional<ElementReport>& found) -> std::optional<JudgedElement> {
    return found ? std::optional(JudgedElement{index(found->place), found->got, found->truth,
                                               found->budget.total(), found->error, found->budget_ratio})
                 : std::nullopt;
  };
  TensorFindings result{.elements = {.elements = report.statistics.count(),
                                     .judged = report.judged,
                                     .failing = report.failing,
                                     .inconclusive = report.inconclusive,
                                     .worst = judged(report.worst),
                                     .first_failing = judged(report.first_failing),
                                     .map = error_map(report)},
                        .failing_extent = report.failing_extent};
  result.non_finite.count = report.statistics.non_finite();
  if (const auto place = report.statistics.first_non_finite()) {
    result.non_finite.first = index(*place);
  }
  result.audit = std::make_shared<const AuditReport>(std::move(report));
  return result;
}

TensorPart part_of(const std::shared_ptr<const TableTensor>& stored, const PlacedRows& rows) {
  const auto& table = stored->table;
  TensorPart part{std::string(role_of(table)), rows.count(), stored->columns(), stored->contract,
                  stored->tensor.type()};
  part.make_truth = [stored, source_rows = rows.source] {
    return bound_truth(turned_source(stored->table, source_rows), *stored->contract, stored->stored(),
                       stored->overflow);
  };
  part.tensor = &stored->tensor;
  part.read = numbers_of_rows(stored->tensor);
  part.overflow = stored->overflow;
  part.sines = stored->bound_sines();
  part.describe = [stored, rows](std::size_t row, std::size_t column) {
    auto place = rows.describe(row);
    place.emplace_back("column", std::to_string(column));
    if (stored->table.axes) {
      place.push_back(turning_axis(stored->table.axis(column)));
    } else if (stored->table.scale) {
      place.emplace_back("pair", std::to_string(stored->table.sines.columns[column].pair));
    }
    return place;
  };
  part.family = table.axes ? "axes" : table.scale ? "scaled" : "accuracy";
  part.has_pairs = true;
  if (part.sines != nullptr) {
    part.model = [stored] { return stored->model(); };
    part.bits = [stored](std::size_t row) { return stored->row_bytes(row); };
    part.audit_fast = [stored, positions = rows.source.positions](unsigned threads) {
      return findings_of(audit_tensor(*stored, stored->table.sines, positions, threads), stored->columns());
    };
  }
  return part;
}

}  // namespace

RowView view_of_tables(const std::vector<TableTensor>& tables, const PlacedRows& rows) {
  auto parts = mapped(
      tables, [&](const auto& stored) { return part_of(std::make_shared<const TableTensor>(stored), rows); });
  const bool has_points =
      std::ranges::any_of(tables, [](const TableTensor& stored) { return !stored.table.is_scale_alone; });
  const auto make_points = [tables, source_rows = rows.source] {
    return std::make_unique<TablePoints>(tables, source_rows);
  };
  return RowView(std::move(parts), has_points ? RowView::MakePoints(make_points) : nullptr);
}

}  // namespace vernier
