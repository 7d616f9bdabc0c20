#include "reports/measures/rates/model.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "numerics/processes/rows.hpp"
#include "numerics/tensors/leading_dimensions.hpp"
#include "reports/measures/rates/draw.hpp"
#include "reports/measures/rates/planted.hpp"

namespace vernier::rates {
namespace {

/// \param values integers where the type holds those
Tensor tensor_of(ElementType type, const Shape& shape, std::span<const double> values) {
  return traits(type).format ? number_tensor(type, shape, values)
                             : integer_tensor(shape, std::vector<std::int64_t>(values.begin(), values.end()));
}

std::size_t product(std::span<const std::size_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies{});
}

/// The columns of a table and, where tokens have several positions, the axis of each.
struct Columns {
  std::vector<Column> columns;
  std::vector<int> axes = {};
  std::optional<std::int64_t> zero_position = std::nullopt;
  bool of_keys = false;
  bool is_scale_alone = false;
};

std::optional<Columns> columns_wanted(const std::vector<TrigTable>& tables,
                                      const std::vector<TurnedTable>& multi_axis,
                                      const std::vector<TurnedTable>& scaled, const WantedTensor& wanted) {
  const auto fits = [&](const TrigTable& table) {
    return table.role == wanted.role && table.columns.size() == wanted.shape.back();
  };
  for (const auto& several : multi_axis) {
    if (fits(several.sines)) {
      return Columns{several.sines.columns, several.axes->of_columns};
    }
  }
  for (const auto& table : tables) {
    if (fits(table)) {
      return Columns{table.columns, {}, table.zero_position};
    }
  }
  for (const auto& table : scaled) {
    if (fits(table.sines)) {
      return Columns{table.sines.columns, {}, std::nullopt, table.scale->is_reciprocal, table.is_scale_alone};
    }
  }
  return std::nullopt;
}

}  // namespace

/// The answer to one request.
class Model::Answer {
 public:
  Answer(const Model& model, const Request& request, const InConversation& conversation)
      : model_(model),
        design_(model.design_),
        request_(request),
        conversation_(conversation),
        asked_(integers_of(request.positions)) {}

  Response give() {
    Response response;
    for (const auto& wanted : request_.wanted) {
      auto values = values_of(wanted);
      if (!values) {
        return {ResponseStatus::unsupported, "no " + wanted.role + " of this shape"};
      }
      store(wanted, *values);
      response.tensors.emplace(wanted.role, tensor_of(wanted.type, wanted.shape, *values));
    }
    return response;
  }

 private:
  std::optional<std::vector<double>> values_of(const WantedTensor& wanted) {
    if (wanted.role == "rotated" || wanted.role == "rotated_k") {
      return design_.rotates() ? std::optional(rotated(wanted)) : std::nullopt;
    }
    if (wanted.role == "buckets") {
      return buckets(wanted);
    }
    for (const auto& bias : model_.biases_) {
      if (bias.role == wanted.role) {
        return biases(wanted, bias);
      }
    }
    if (design_.doubles_columns && wanted.shape.back() == design_.frequencies.size()) {
      return std::nullopt;
    }
    if (const auto columns = columns_wanted(model_.tables_, model_.multi_axis_, model_.scaled_, wanted)) {
      return table(wanted, *columns);
    }
    for (const auto& values : model_.values_) {
      if (values.role == wanted.role && values.columns == wanted.shape.back()) {
        return entries(wanted, values);
      }
    }
    return std::nullopt;
  }

  void store(const WantedTensor& wanted, std::span<double> values) const {
    const auto format = traits(wanted.type).format;
    for (double& value : values) {
      value = !format ? value : design_.storing ? design_.storing(value) : round_to(*format, value);
    }
  }

  /// Calls `fill` for each of the leading copies. \param axes the positions have another leading dimension
  template <class Fill>
  std::vector<double> by_sequence(const WantedTensor& wanted, std::size_t inner_dimensions, Fill fill) const {
    const auto& shape = wanted.shape;
    const Shape leading(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(inner_dimensions));
    const auto count = product(leading);
    const auto inner = product(shape) / std::max<std::size_t>(count, 1);
    std::vector<double> values(product(shape));
    for (std::size_t sequence = 0; sequence < count; ++sequence) {
      const auto batch = leading.empty() ? 0 : sequence / (count / leading.front());
      Question question{wanted.role, {}, sequence, batch, {}, conversation_};
      fill(question, std::span(values).subspan(sequence * inner, inner));
    }
    return values;
  }

  /// The positions of a batch's rows. \param axis which, where tokens have several
  std::vector<std::int64_t> positions_of(std::size_t batch, std::size_t rows, std::size_t axis) const {
    const auto has_many = !model_.multi_axis_.empty();
    const auto copies = asked_.size() / rows;
    const auto copy = has_many ? std::min(axis, copies - 1) : batch % copies;
    const auto first = asked_.begin() + static_cast<std::ptrdiff_t>(copy * rows);
    return {first, first + static_cast<std::ptrdiff_t>(rows)};
  }

  std::vector<double> places_of(const Question& question) const {
    std::vector<double> places(question.positions.begin(), question.positions.end());
    for (const auto& stage : design_.placing) {
      stage(question, places);
    }
    return places;
  }

  /// The cosines and sines of a question's rows, pair by pair.
  const std::vector<Turn>& turns_of(const Question& question) {
    const auto key = std::pair(question.batch, question.positions);
    if (known_ && known_->first == key) {
      return known_->second;
    }
    auto frequencies = design_.frequencies;
    double amplitude = design_.amplitude;
    for (const auto& stage : design_.tuning) {
      stage(question, frequencies, amplitude);
    }
    const auto places = places_of(question);
    const auto pairs = frequencies.size();
    std::vector<Turn> turns(places.size() * pairs);
    std::vector<double> phases(pairs);
    for (std::size_t row = 0; row < places.size(); ++row) {
      phases_of(places[row], frequencies, phases);
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        auto turn = design_.trigonometry(phases[pair]);
        if (amplitude != 1) {
          turn = {round_to(design_.compute, turn.cosine * amplitude),
                  round_to(design_.compute, turn.sine * amplitude)};
        }
        for (const auto& stage : design_.turning) {
          turn = stage(question.positions[row], pair, turn);
        }
        turns[row * pairs + pair] = turn;
      }
    }
    places_ = places;
    known_ = {key, std::move(turns)};
    return known_->second;
  }

  void phases_of(double place, std::span<const double> frequencies, std::span<double> phases) const {
    const double rounded = design_.rule ? design_.rule->rounded(static_cast<std::int64_t>(place))
                                        : round_to(design_.compute, place);
    double carried = 0;
    for (std::size_t pair = 0; pair < phases.size(); ++pair) {
      double phase = rounded * frequencies[pair];
      if (design_.rule) {
        design_.rule->advance(static_cast<int>(pair), {&rounded, 1}, {&carried, 1});
        double room = 0;
        phase = design_.rule->phases_for_pair(static_cast<int>(pair), {&carried, 1}, {&room, 1}).front();
      } else if (design_.rounds_phase) {
        phase = round_to(design_.compute, phase);
      }
      for (const auto& stage : design_.phasing) {
        phase = stage(place, pair, phase);
      }
      phases[pair] = phase;
    }
  }

  void finish(const Question& question, std::size_t width, std::span<double> values) const {
    for (const auto& stage : design_.finishing) {
      stage(question, width, values);
    }
  }

  std::vector<double> table(const WantedTensor& wanted, const Columns& layout) {
    const auto width = wanted.shape.back();
    const auto rows = wanted.shape[wanted.shape.size() - 2];
    return by_sequence(wanted, 2, [&](Question& question, std::span<double> values) {
      const auto axes = layout.axes.empty() ? 1 : 1 + std::ranges::max(layout.axes);
      for (int axis = 0; axis < axes; ++axis) {
        question.positions = positions_of(question.batch, rows, static_cast<std::size_t>(axis));
        const auto& turns = turns_of(question);
        const auto pairs = turns.size() / rows;
        for (std::size_t column = 0; column < width; ++column) {
          const auto& [pair, component] = layout.columns[column];
          const auto own = static_cast<std::size_t>(pair);
          if (!layout.axes.empty() && axis_of(own, layout.axes[column]) != axis) {
            continue;
          }
          for (std::size_t row = 0; row < rows; ++row) {
            auto turn = turns[row * pairs + own];
            if (layout.is_scale_alone) {
              turn = {1, 0};
            }
            grow(turn, places_[row], own, layout.of_keys);
            const bool is_zero =
                component == Component::zero || question.positions[row] == layout.zero_position;
            values[row * width + column] = is_zero                        ? 0
                                           : component == Component::sine ? turn.sine
                                                                          : turn.cosine;
          }
        }
      }
      finish(question, width, values);
    });
  }

  int axis_of(std::size_t pair, int axis) const {
    return design_.steering ? design_.steering(pair, axis) : axis;
  }

  void grow(Turn& turn, double place, std::size_t pair, bool of_keys) const {
    if (design_.growing) {
      const double scale = design_.growing(place, pair, of_keys);
      turn = {round_to(design_.compute, turn.cosine * scale), round_to(design_.compute, turn.sine * scale)};
    }
  }

  /// The same of vectors: where tokens have several positions, a pair turns by that of its axis.
  std::vector<Turn> turns_of_pairs(const Question& question, std::size_t rows) {
    auto turns = turns_of(question);
    if (model_.multi_axis_.empty()) {
      return turns;
    }
    const auto pairs = turns.size() / rows;
    const auto& by_pair = model_.multi_axis_.front();
    for (int axis = 1; axis < static_cast<int>(by_pair.axes->positions.count); ++axis) {
      auto of_axis = question;
      of_axis.positions = positions_of(question.batch, rows, static_cast<std::size_t>(axis));
      const auto& others = turns_of(of_axis);
      for (std::size_t column = 0; column < columns_of(by_pair); ++column) {
        const auto pair = static_cast<std::size_t>(by_pair.sines.columns[column].pair);
        for (std::size_t row = 0; axis_of(pair, by_pair.axis(column)) == axis && row < rows; ++row) {
          turns[row * pairs + pair] = others[row * pairs + pair];
        }
      }
    }
    return turns;
  }

  std::vector<double> rotated(const WantedTensor& wanted) {
    const auto width = wanted.shape.back();
    const auto rows = wanted.shape[wanted.shape.size() - 2];
    std::vector<double> input(request_.input->elements());
    request_.input->numbers(0, input);
    return by_sequence(wanted, 2, [&](Question& question, std::span<double> values) {
      question.positions = positions_of(question.batch, rows, 0);
      question.input = std::span(input).subspan(question.sequence * values.size(), values.size());
      const auto turns = turns_of_pairs(question, rows);
      const auto pairs = turns.size() / rows;
      const auto read = [&](std::size_t index) {
        double x = question.input[index];
        for (const auto& stage : design_.reading) {
          x = stage(x);
        }
        return x;
      };
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < width; ++column) {
          values[row * width + column] = read(row * width + column);
        }
        for (std::size_t pair = 0; pair < pairs; ++pair) {
          const auto a = row * width + design_.pairs[pair].first;
          const auto b = row * width + design_.pairs[pair].second;
          auto turn = turns[row * pairs + pair];
          grow(turn, places_[row], pair, wanted.role == "rotated_k");
          turn.sine *= design_.direction;
          std::tie(values[a], values[b]) = design_.mixing(values[a], values[b], turn);
        }
      }
      finish(question, width, values);
    });
  }

  std::vector<double> entries(const WantedTensor& wanted, const ExactTable& table) {
    const auto width = wanted.shape.back();
    const auto rows = wanted.shape[wanted.shape.size() - 2];
    return by_sequence(wanted, 2, [&](Question& question, std::span<double> values) {
      question.positions = positions_of(question.batch, rows, 0);
      auto sines = question;
      for (auto& position : sines.positions) {
        position = table.sine_position(position);
      }
      const auto places = places_of(question);
      const auto turns = table.sines ? turns_of(sines) : std::vector<Turn>();
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < width; ++column) {
          const auto place = static_cast<std::int64_t>(places[row]);
          double value = !table.defined(place) ? 0
                         : table.computed      ? table.computed_entry(place, column).estimate
                                               : approximately(table.factor(place, column));
          if (table.sines) {
            const auto& [pair, component] = table.sines->columns[column];
            const auto& turn = turns[row * design_.frequencies.size() + static_cast<std::size_t>(pair)];
            value *= component == Component::zero   ? 0
                     : component == Component::sine ? turn.sine
                                                    : turn.cosine;
          }
          values[row * width + column] = value;
        }
      }
      finish(question, width, values);
    });
  }

  std::vector<double> biases(const WantedTensor& wanted, const BiasTable& table) const {
    const bool plain = table.factor == BiasTable::Factor::one;
    const auto inner = plain ? std::size_t{1} : wanted.shape.size();
    return by_sequence(wanted, inner, [&](Question& question, std::span<double> values) {
      const auto heads = table.slopes.size();
      const auto keys = plain ? 1 : wanted.shape.back();
      const auto queries = plain || wanted.shape.size() < 3 ? 1 : wanted.shape[wanted.shape.size() - 2];
      question.positions = plain ? std::vector<std::int64_t>() : positions_of(0, keys, 0);
      const auto places = places_of(question);
      const std::vector<std::int64_t> at(places.begin(), places.end());
      for (std::size_t head = 0; head < heads; ++head) {
        const double slope = design_.sloping(head);
        for (std::size_t i = 0; i < queries * keys; ++i) {
          values[head * queries * keys + i] =
              plain ? slope
                    : round_to(design_.compute, slope * distance(table, at, queries, i / keys, i % keys));
        }
      }
      finish(question, keys, values);
    });
  }

  double distance(const BiasTable& table, const std::vector<std::int64_t>& at, std::size_t queries,
                  std::size_t query, std::size_t key) const {
    const auto factor = table.multiplier(at, queries, query, key);
    return design_.distancing ? design_.distancing(at, queries, query, key, factor)
                              : static_cast<double>(factor);
  }

  std::vector<double> buckets(const WantedTensor& wanted) const {
    return by_sequence(wanted, 1, [&](Question& question, std::span<double> values) {
      question.positions = asked_;
      std::ranges::transform(asked_, values.begin(), [&](std::int64_t relative) {
        return static_cast<double>(design_.bucketing(relative));
      });
      finish(question, 1, values);
    });
  }

  const Model& model_;
  const Design& design_;
  const Request& request_;
  InConversation conversation_;
  std::vector<std::int64_t> asked_;
  std::optional<std::pair<std::pair<std::size_t, std::vector<std::int64_t>>, std::vector<Turn>>> known_;
  std::vector<double> places_;  ///< of what is known
};

Model::Model(const Design& design)
    : design_(design),
      tables_(design.encoding->plain_tables()),
      multi_axis_(design.encoding->tables_of_axes()),
      scaled_(design.encoding->scaled_tables()),
      values_(design.encoding->all<ExactTable>()),
      biases_(design.encoding->all<BiasTable>()),
      before_(design.positions.first) {}

Response Model::ask(const Request& request) {
  const auto positions = integers_of(request.positions);
  const Question whole{request.wanted.front().role, positions, 0, 0, {}, {}};
  for (const auto& stage : design_.refusing) {
    if (auto refusal = stage(whole)) {
      return *refusal;
    }
  }
  const auto& wanted = request.wanted.front();
  const bool has_rows = wanted.shape.size() > 1 && wanted.shape[wanted.shape.size() - 2] == rows_of(request);
  if (!has_rows) {
    return Answer(*this, request, {}).give();
  }
  auto question = question_of(wanted.shape, wanted.type, request.positions.shape().size() > 1, positions);
  const auto coordinates = before_.coordinates_of(question);
  auto response = Answer(*this, request, {&question, &coordinates, last_ ? &*last_ : nullptr}).give();
  before_.add(question, response.status != ResponseStatus::answered);
  last_ = std::move(question);
  return response;
}

Tensor normal_vectors(const Tensor& like, std::uint64_t seed, double bound) {
  Draw draw(seed);
  std::vector<double> values(like.elements());
  for (auto& value : values) {
    // Box and Muller 1958.
    const double radius = std::sqrt(-2 * std::log(1 - draw.share()));
    const double x = radius * std::cos(2 * std::numbers::pi * draw.share());
    value = round_to(*like.format(), std::clamp(x, -bound, bound));
  }
  return number_tensor(like.type(), like.shape(), values);
}

}  // namespace vernier::rates
