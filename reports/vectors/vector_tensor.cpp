#include "reports/vectors/vector_tensor.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include <fmt/core.h>

#include "numerics/cases/table_tensor.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/errors/scale_budget.hpp"
#include "reference/certified_scale.hpp"
#include "reference/certified_table.hpp"
#include "reference/input_error.hpp"
#include "reference/mixed_axes.hpp"

namespace vernier {
namespace {

constexpr double proves_nothing = std::numeric_limits<double>::infinity();

const Contract& contract_of(const BudgetKey& key) {
  const auto* contract = contract_named(key.contract);
  assert(contract != nullptr);
  return *contract;
}

/// The contract bound to a table; nothing if it says nothing of the table's frequencies: some contracts are
/// of recipes that geometric frequencies alone have.
std::optional<BudgetModel> model_of(const BudgetKey& key, const TrigTable& table) {
  try {
    return contract_of(key).bind(table, key.stored);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// An element of the vectors to rotate: odd eighths below 2, which all formats hold but float8_e5m2 and
/// float8_e5m2fnuz, and of which those beside each other differ. At odd positions they have all 24 bits that
/// float32 holds, so that it shows if they go through a narrower format.
double input_at(std::int64_t position, std::size_t dimension) {
  const auto mixed = static_cast<std::uint64_t>(position) * 5 + dimension * 11 + dimension / 16;
  const double eighths = (2 * static_cast<double>(mixed % 16) - 15) / 8;
  return position % 2 == 0 ? eighths : eighths * (1 + 0x1p-9 + 0x1p-20);
}

/// The scales of a table or a rotation, certified, and what they may be off by; 1 where nothing is scaled.
class Scales {
 public:
  Scales(const BudgetModel& model, const std::optional<PositionScale>& scale) {
    if (scale) {
      errors_.emplace(model, *scale);
      certified_.emplace(*scale);
    }
  }

  /// \pre the scale can be enclosed, as that of a tensor whose truth is known can
  ScaleAt at(std::int64_t position, int pair) {
    return certified_ ? ScaleAt{certified_->at(position, pair)->approximately(), errors_->at(position, pair)}
                      : ScaleAt{};
  }

 private:
  std::optional<ScaleErrors> errors_;
  std::optional<CertifiedScale> certified_;
};

/// The rows of a table of sines, certified, where tokens have one position or several.
struct TurnedRows {
  std::vector<std::vector<std::int64_t>> places;  ///< along each axis, one a row
  std::vector<int> axis;                          ///< along which a column turns; empty: the only one
  std::size_t columns;
  std::vector<Enclosure> truth = {};    ///< [rows, columns]
  std::vector<Enclosure> partner = {};  ///< the other component of each pair

  std::int64_t place(std::size_t row, std::size_t column) const {
    return places[axis.empty() ? 0 : static_cast<std::size_t>(axis[column])][row];
  }
  std::int64_t place(std::size_t index) const { return place(index / columns, index % columns); }
};

TurnedRows turned_rows(const TrigTable& table, std::vector<std::vector<std::int64_t>> places,
                       std::vector<int> axis) {
  const auto rows = places.front().size();
  const auto columns = table.columns.size();
  TurnedRows result{std::move(places), std::move(axis), columns};
  result.truth.resize(rows * columns);
  result.partner.resize(rows * columns);
  std::vector<Enclosure> truth(columns);
  std::vector<Enclosure> partner(columns);
  for (std::size_t along = 0; along < result.places.size(); ++along) {
    auto certified = certified_table_for(table, result.places[along]);
    for (std::size_t row = 0; row < rows; ++row) {
      certified.row(result.places[along][row], truth, partner);
      for (std::size_t column = 0; column < columns; ++column) {
        if (result.axis.empty() || result.axis[column] == static_cast<int>(along)) {
          result.truth[row * columns + column] = truth[column];
          result.partner[row * columns + column] = partner[column];
        }
      }
    }
  }
  return result;
}

/// Makes the tensors, one definition after another.
class TensorMaker {
 public:
  TensorMaker(const Encoding& encoding, const std::vector<std::int64_t>& positions) : positions_(positions) {
    if (const auto tables = encoding.tables_of_axes(); !tables.empty()) {
      axes_ = tables.front().positions;
    }
  }

  void operator()(const TrigTable& table) {
    add_table(table, turned_rows(table, {places_of(table.positions, positions_)}, {}), nullptr);
  }
  void operator()(const TurnedTable& table) {
    const auto& sines = table.sines;
    add_table(sines, turned_rows(sines, {places_of(sines.positions, positions_)}, {}), &table);
  }
  void operator()(const TurnedTable& table) {
    if (!table.positions.given_for_zeros && !mixes_axes(table)) {
      add_table(table.table, turned_rows(table.table, places_along_axes(), table.axis), nullptr);
    }
  }

  void operator()(const HeadRotation& rotation) {
    if (rotation.is_gradient || mixes_axes(rotation)) {
      return;
    }
    auto tensor = rows_of(std::string(rotation.role()), rotation.head_dim);
    const auto turned =
        rotation.axes.empty()
            ? turned_rows(rotation.table, {places_of(rotation.table.positions, positions_)}, {})
            : turned_rows(rotation.table, places_along_axes(), rotation.axes);
    std::vector<std::optional<RotatedDimension>> dimensions(rotation.head_dim);
    for (const auto& dimension : rotation.rotated) {
      dimensions[dimension.out] = dimension;
    }
    for (const auto position : positions_) {
      for (std::size_t dimension = 0; dimension < rotation.head_dim; ++dimension) {
        tensor.input.push_back(input_at(position, dimension));
      }
    }
    tensor.real = [rotation, turned, dimensions, input = tensor.input](std::size_t index) {
      const auto first = index / dimensions.size() * dimensions.size();
      const auto& dimension = dimensions[index - first];
      if (!dimension) {
        return Real([x = input[index]] { return Interval(x); });
      }
      const auto pair = static_cast<std::size_t>(dimension->pair);
      const int frequency = rotation.table.columns[pair].pair;
      const auto place = turned.place(index / dimensions.size(), pair);
      const auto scale =
          rotation.scale ? rotation.scale->at(place, dimension->pair) : Real([] { return Interval(1); });
      return Real([scale, cosine = rotation.table.value(place, frequency, Component::cosine),
                   sine = rotation.table.value(place, frequency, Component::sine),
                   own = input[first + dimension->own],
                   other = dimension->sign * input[first + dimension->other]] {
        return Interval(scale() * (own * cosine() + other * sine()));
      });
    };
    enclose_all(tensor, tensor.input.size());
    add_rotated_budgets(tensor, rotation, dimensions, turned);
    made.push_back(std::move(tensor));
  }

  void operator()(const BiasTable& table) {
    VectorTensor tensor{table.role, {table.heads()}};
    if (table.factor != BiasTable::Factor::one) {
      tensor.shape.push_back(positions_.size());
      tensor.rows = positions_.size();
    }
    const auto keys = std::max<std::size_t>(tensor.rows, 1);
    const auto multiplier = [&](std::size_t index) {
      return tensor.rows == 0 ? 1 : table.multiplier(positions_, 1, 0, index % keys);
    };
    std::vector<std::int64_t> multipliers;
    for (std::size_t index = 0; index < table.heads() * keys; ++index) {
      multipliers.push_back(multiplier(index));
    }
    tensor.real = [table, keys, multipliers](std::size_t index) {
      return table.entry(index / keys, multipliers[index]);
    };
    enclose_all(tensor, multipliers.size());
    add_value_budgets(tensor, TensorDefinition(table), [&](const BudgetKey& key, std::size_t index) {
      const auto head = index / keys;
      return table.curves.empty() ? contract_of(key).bind(table.slopes[head], key.stored)
                                  : contract_of(key).bind(table.curves[head](multipliers[index]), key.stored);
    });
    made.push_back(std::move(tensor));
  }

  void operator()(const BucketTable& table) {
    VectorTensor tensor{std::string(BucketTable::role), {positions_.size()}, positions_.size()};
    for (const auto relative : positions_) {
      const auto bucket = table.rule(relative);
      tensor.integers.push_back(bucket.index);
      tensor.across.push_back(bucket.across.value_or(bucket.index));
    }
    made.push_back(std::move(tensor));
  }

  void operator()(const ExactTable& table) {
    if (table.sines) {
      return;
    }
    auto tensor = rows_of(table.role, table.columns);
    tensor.real = [table, positions = positions_](std::size_t index) {
      return table.entry(positions[index / table.columns], index % table.columns);
    };
    enclose_all(tensor, tensor.rows * table.columns);
    add_value_budgets(tensor, TensorDefinition(table), [&](const BudgetKey& key, std::size_t index) {
      return table.computed == nullptr
                 ? contract_of(key).bind(table, key.stored)
                 : contract_of(key).bind(
                       table.computed_entry(positions_[index / table.columns], index % table.columns),
                       key.stored);
    });
    made.push_back(std::move(tensor));
  }

  std::vector<VectorTensor> made;

 private:
  VectorTensor rows_of(std::string role, std::size_t columns) const {
    return {std::move(role), {positions_.size(), columns}, positions_.size(), columns};
  }

  static std::vector<std::int64_t> places_of(const PositionMap& map,
                                             const std::vector<std::int64_t>& positions) {
    std::vector<std::int64_t> places;
    std::ranges::transform(positions, std::back_inserter(places),
                           [&](std::int64_t position) { return map.place(position); });
    return places;
  }

  std::vector<std::vector<std::int64_t>> places_along_axes() const {
    auto places = axes_->of_positions(positions_);
    for (std::size_t along = 0; along < axes_->maps.size(); ++along) {
      places[along] = places_of(axes_->maps[along], places[along]);
    }
    return places;
  }

  static void enclose_all(VectorTensor& tensor, std::size_t elements) {
    for (std::size_t index = 0; index < elements; ++index) {
      tensor.truth.push_back(tight_enclosure(tensor.real(index)));
    }
  }

  /// \throws InputError for a scale that is too large or too small to be enclosed
  static std::vector<Enclosure> scaled_truth(const TurnedTable& table, const TurnedRows& turned) {
    CertifiedScale scales(table.scale);
    std::vector<Enclosure> truth;
    for (std::size_t i = 0; i < turned.truth.size(); ++i) {
      const auto scale = scales.at(turned.place(i), table.sines.columns[i % turned.columns].pair);
      if (!scale) {
        throw InputError("vectors: found a scale at position {} beyond 2^{}, expected one within",
                         turned.place(i), CertifiedScale::greatest_binade);
      }
      truth.push_back(table.is_scale_alone ? *scale : turned.truth[i] * *scale);
    }
    return truth;
  }

  /// A table of sines, each multiplied by the scale of its position if it is scaled.
  void add_table(const TrigTable& table, const TurnedRows& turned, const TurnedTable* scaled) {
    auto tensor = rows_of(table.role, table.columns.size());
    if (scaled == nullptr) {
      tensor.real = [table, turned](std::size_t index) {
        return table.entry(turned.place(index), index % turned.columns);
      };
    } else {
      tensor.real = [table = *scaled, turned](std::size_t index) {
        return table.entry(turned.place(index), index % turned.columns);
      };
    }
    tensor.truth = scaled == nullptr ? turned.truth : scaled_truth(*scaled, turned);
    for (const auto& key : budget_keys()) {
      const auto model = model_of(key, table);
      if (!model) {
        continue;
      }
      Scales scales(*model, scaled == nullptr ? std::nullopt : std::optional(scaled->scale));
      add_budgets(tensor, key, [&](std::size_t index) {
        const auto place = turned.place(index);
        const auto column = index % turned.columns;
        const int pair = table.columns[column].pair;
        if (table.is_zero(place, column)) {
          return 0.0;
        }
        const auto scale = scales.at(place, pair);
        if (scaled != nullptr && scaled->is_scale_alone) {
          const double computed = scale.value * scale.error;
          return computed + model->storage(scale.value + computed);
        }
        const double budget =
            scaled_budget(*model, place, pair, turned.truth[index].approximately(),
                          turned.partner[index].approximately(), scale, model->parameters().compute)
                .total();
        return budget <= scale.value * model->amplitude() / 4 ? budget : proves_nothing;
      });
    }
    made.push_back(std::move(tensor));
  }

  /// \param budget of an element
  template <class Budget>
  static void add_budgets(VectorTensor& tensor, const BudgetKey& key, Budget budget) {
    auto& all = tensor.budgets[key.name()];
    for (std::size_t index = 0; index < tensor.elements(); ++index) {
      all.push_back(rounded_up(budget(index)));
    }
  }

  /// Of values that are no sines. \param bound the contract bound to an element
  template <class Bound>
  static void add_value_budgets(VectorTensor& tensor, const TensorDefinition& definition, Bound bound) {
    for (const auto& key : budget_keys()) {
      if (contract_of(key).judges(definition)) {
        add_budgets(tensor, key, [&](std::size_t index) {
          const BiasBudget budget = bound(key, index);
          const double value = tensor.truth[index].approximately();
          return budget.inconclusive_at(value) ? proves_nothing : budget.at(value);
        });
      }
    }
  }

  /// Nothing is proved where the format does not hold what is rotated.
  static void add_rotated_budgets(VectorTensor& tensor, const HeadRotation& rotation,
                                  std::span<const std::optional<RotatedDimension>> dimensions,
                                  const TurnedRows& turned) {
    for (const auto& key : budget_keys()) {
      const auto model = model_of(key, rotation.table);
      if (!model) {
        continue;
      }
      const auto arithmetic = arithmetic_of(model->parameters().compute, key.stored);
      Scales scales(*model, rotation.scale);
      add_budgets(tensor, key, [&](std::size_t index) {
        const auto row = index / dimensions.size();
        const auto first = row * dimensions.size();
        if (!is_member(key.stored, tensor.input[first])) {
          return proves_nothing;
        }
        const auto& dimension = dimensions[index - first];
        if (!dimension) {
          return 0.0;
        }
        const auto pair = static_cast<std::size_t>(dimension->pair);
        const int frequency = rotation.table.columns[pair].pair;
        const auto at = row * turned.columns + pair;
        const auto place = turned.place(at);
        const double own = tensor.input[first + dimension->own];
        const double other = tensor.input[first + dimension->other];
        const double c = turned.truth[at].approximately();
        const double s = turned.partner[at].approximately();
        const auto scale = scales.at(place, dimension->pair);
        const double budget = turned_budget(*model, place, frequency, c, s, own, other, scale, arithmetic);
        return budget <= model->amplitude() * scale.value * std::hypot(own, other) / 4 ? budget
                                                                                       : proves_nothing;
      });
    }
  }

  const std::vector<std::int64_t>& positions_;
  std::optional<PositionAxes> axes_ = {};  ///< where tokens have several positions
};

}  // namespace

double rounded_up(double budget) {
  const double nearest = round_to(Format::bfloat16, budget);
  return nearest < budget ? next_up(Format::bfloat16, nearest) : nearest;
}

std::string BudgetKey::name() const {
  return fmt::format("{}@{}", contract, traits(stored).name);
}

std::span<const BudgetKey> budget_keys() {
  static constexpr std::array keys{
      BudgetKey{"float64", Format::binary64},
      BudgetKey{"float32", Format::binary32},
      BudgetKey{"float32", Format::binary16},
      BudgetKey{"float32", Format::bfloat16},
      BudgetKey{"float32-iterated", Format::binary32},
      BudgetKey{"float32-ratio-power", Format::binary32},
      BudgetKey{"float32-interpolated", Format::binary32},
  };
  return keys;
}

double VectorTensor::rounded_to(Format format, std::size_t index) const {
  if (const auto value = rounded(format, truth[index])) {
    return *value;
  }
  if (const auto value = correctly_rounded(format, real(index))) {
    return *value;
  }
  throw InputError("vectors: found element {} of {} undecided at {} bits, expected a {}", index, role,
                   ziv_precision_cap, traits(format).name);
}

double VectorTensor::rest(std::size_t index) const {
  const auto& middle = truth[index].middle;
  return (middle.high - rounded_to(Format::binary64, index)) + middle.low;
}

std::vector<VectorTensor> vector_tensors(const Encoding& encoding, const std::vector<std::int64_t>& positions,
                                         std::string_view role) {
  TensorMaker make(encoding, positions);
  for (const auto& definition : encoding.tensors()) {
    const bool is_wanted = role.empty() || role == role_of(definition);
    if (is_wanted &&
        std::ranges::find(make.made, role_of(definition), &VectorTensor::role) == make.made.end()) {
      std::visit(make, definition);
    }
  }
  return std::move(make.made);
}

}  // namespace vernier
