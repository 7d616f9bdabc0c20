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

/// An element of the vectors to rotate: odd eighths below 2, which all formats hold but float8_e5m2, and of
/// which those beside each other differ. At odd positions they have all 24 bits that float32 holds, so that
/// it shows if they go through a narrower format.
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

/// Makes the tensors, one definition after another.
class Maker {
 public:
  explicit Maker(const std::vector<std::int64_t>& positions) : positions_(positions) {}

  void operator()(const TrigTable& table) { add_table(table, nullptr); }
  void operator()(const ScaledTable& table) { add_table(table.sines, &table); }

  void operator()(const HeadRotation& rotation) {
    if (!rotation.axes.empty() || rotation.is_gradient) {
      return;
    }
    auto tensor = rows_of(std::string(rotation.role()), rotation.head_dim);
    const auto places = places_of(rotation.table);
    std::vector<std::optional<RotatedDimension>> dimensions(rotation.head_dim);
    for (const auto& dimension : rotation.rotated) {
      dimensions[dimension.out] = dimension;
    }
    for (const auto position : positions_) {
      for (std::size_t dimension = 0; dimension < rotation.head_dim; ++dimension) {
        tensor.input.push_back(input_at(position, dimension));
      }
    }
    tensor.real = [rotation, places, dimensions, input = tensor.input](std::size_t index) {
      const auto place = places[index / dimensions.size()];
      const auto first = index / dimensions.size() * dimensions.size();
      const auto& turned = dimensions[index % dimensions.size()];
      if (!turned) {
        return Real([x = input[index]] { return Interval(x); });
      }
      const auto scale =
          rotation.scale ? rotation.scale->at(place, turned->pair) : Real([] { return Interval(1); });
      return Real([scale, cosine = rotation.table.value(place, turned->pair, Component::cosine),
                   sine = rotation.table.value(place, turned->pair, Component::sine),
                   own = input[first + turned->own], other = turned->sign * input[first + turned->other]] {
        return Interval(scale() * (own * cosine() + other * sine()));
      });
    };
    enclose_all(tensor, tensor.input.size());
    add_rotated_budgets(tensor, rotation, dimensions, places);
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

  void operator()(const MultiAxisTable& /*table*/) {}

  std::vector<VectorTensor> made;

 private:
  VectorTensor rows_of(std::string role, std::size_t columns) const {
    return {std::move(role), {positions_.size(), columns}, positions_.size(), columns};
  }

  std::vector<std::int64_t> places_of(const TrigTable& table) const {
    std::vector<std::int64_t> places;
    std::ranges::transform(positions_, std::back_inserter(places),
                           [&](std::int64_t position) { return table.positions.place(position); });
    return places;
  }

  static void enclose_all(VectorTensor& tensor, std::size_t elements) {
    for (std::size_t index = 0; index < elements; ++index) {
      tensor.truth.push_back(tight_enclosure(tensor.real(index)));
    }
  }

  /// \throws InputError for a scale that is too large or too small to be enclosed
  static std::vector<Enclosure> scaled_truth(const ScaledTable& table, std::span<const std::int64_t> places,
                                             std::span<const Enclosure> sines) {
    CertifiedScale scales(table.scale);
    const auto width = table.sines.columns.size();
    std::vector<Enclosure> truth;
    for (std::size_t i = 0; i < sines.size(); ++i) {
      const auto scale = scales.at(places[i / width], table.sines.columns[i % width].pair);
      if (!scale) {
        throw InputError("vectors: found a scale at position {} beyond 2^{}, expected one within",
                         places[i / width], CertifiedScale::greatest_binade);
      }
      truth.push_back(table.is_scale_alone ? *scale : sines[i] * *scale);
    }
    return truth;
  }

  /// A table of sines, each multiplied by the scale of its position if it is scaled.
  void add_table(const TrigTable& table, const ScaledTable* scaled) {
    auto tensor = rows_of(table.role, table.columns.size());
    const auto places = places_of(table);
    if (scaled == nullptr) {
      tensor.real = [table, places](std::size_t index) {
        return table.entry(places[index / table.columns.size()], index % table.columns.size());
      };
    } else {
      tensor.real = [table = *scaled, places, width = tensor.consecutive](std::size_t index) {
        return table.entry(places[index / width], index % width);
      };
    }
    auto certified = certified_table_for(table, places);
    std::vector<Enclosure> sines(places.size() * tensor.consecutive);
    std::vector<Enclosure> partners(sines.size());
    for (std::size_t row = 0; row < places.size(); ++row) {
      const auto first = row * tensor.consecutive;
      certified.row(places[row], std::span(sines).subspan(first, tensor.consecutive),
                    std::span(partners).subspan(first, tensor.consecutive));
    }
    tensor.truth = scaled == nullptr ? sines : scaled_truth(*scaled, places, sines);
    for (const auto& key : budget_keys()) {
      const auto model = model_of(key, table);
      if (!model) {
        continue;
      }
      Scales scales(*model, scaled == nullptr ? std::nullopt : std::optional(scaled->scale));
      add_budgets(tensor, key, [&](std::size_t index) {
        const auto place = places[tensor.row_of(index)];
        const auto column = index % tensor.consecutive;
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
            scaled_budget(*model, place, pair, sines[index].approximately(), partners[index].approximately(),
                          scale, model->parameters().compute)
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
                                  std::span<const std::int64_t> places) {
    const auto pairs = rotation.table.columns.size();
    auto certified = certified_table_for(rotation.table, places);
    std::vector<Enclosure> cosines(places.size() * pairs);
    std::vector<Enclosure> sines(cosines.size());
    for (std::size_t row = 0; row < places.size(); ++row) {
      certified.row(places[row], std::span(cosines).subspan(row * pairs, pairs),
                    std::span(sines).subspan(row * pairs, pairs));
    }
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
        const auto& turned = dimensions[index - first];
        if (!turned) {
          return 0.0;
        }
        const auto place = places[row];
        const int pair = turned->pair;
        const auto at = row * pairs + static_cast<std::size_t>(pair);
        const double own = tensor.input[first + turned->own];
        const double other = tensor.input[first + turned->other];
        const double c = cosines[at].approximately();
        const double s = sines[at].approximately();
        const auto scale = scales.at(place, pair);
        const double amplitude = model->amplitude() * scale.value;
        const double budget = rotated_budget(scaled_budget(*model, place, pair, c, s, scale, arithmetic),
                                             scaled_budget(*model, place, pair, s, c, scale, arithmetic),
                                             scale.value * c, scale.value * s, own, other,
                                             model->phase_error(place, pair) * amplitude, arithmetic);
        return budget <= amplitude * std::hypot(own, other) / 4 ? budget : proves_nothing;
      });
    }
  }

  const std::vector<std::int64_t>& positions_;
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
  Maker make(positions);
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
