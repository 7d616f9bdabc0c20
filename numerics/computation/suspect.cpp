#include "numerics/computation/suspect.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "numerics/computation/spec_patch.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// Bits that leave 64 right ones after the few operations of any scaling.
constexpr unsigned working_bits = 160;

/// The frequencies to extended precision.
std::vector<long double> extended(const Frequencies& frequencies) {
  const WorkingPrecision precision(working_bits);
  std::vector<long double> result;
  for (const auto& enclosure : frequencies.enclosures()) {
    const double high = middle(enclosure);
    result.push_back(static_cast<long double>(high) + middle(Interval(enclosure - high)));
  }
  return result;
}

/// Collects the pairs of a computation: a frequency and the axis of the positions that it multiplies.
class PairList {
 public:
  /// \param maps of the positions along each axis; empty where the table says so for all
  PairList(const TrigTable& table, std::span<const PositionMap> maps, BudgetModel::Parameters parameters)
      : table_(table), maps_(maps), parameters_(std::move(parameters)) {}

  /// The index of the pair, which is added if it is new.
  int add(int frequency, int axis) {
    const auto found = std::ranges::find(pairs_, std::pair(frequency, axis));
    if (found == pairs_.end()) {
      pairs_.emplace_back(frequency, axis);
      return static_cast<int>(pairs_.size()) - 1;
    }
    return static_cast<int>(found - pairs_.begin());
  }

  void tell(Computation& computation) const {
    computation.tones.clear();
    computation.axes.clear();
    const auto frequencies = extended(table_.frequencies);
    for (const auto& [frequency, axis] : pairs_) {
      const auto w = frequencies[static_cast<std::size_t>(frequency)];
      computation.tones.push_back({w, w});
      computation.axes.push_back(axis);
    }
    computation.meant = std::make_shared<Frequencies>(table_.frequencies);
    computation.meant_of_pair = mapped(pairs_, &std::pair<int, int>::first);
  }

  const BudgetModel::Parameters& parameters_of_table() const { return parameters_; }
  /// What is allowed to each of these pairs.
  BudgetModel::Parameters parameters() const {
    auto result = parameters_;
    const auto take = [&](const std::vector<double>& all) {
      std::vector<double> of_pairs;
      for (const auto& pair : pairs_) {
        of_pairs.push_back(all[static_cast<std::size_t>(pair.first)]);
      }
      return of_pairs;
    };
    result.frequency_error = take(parameters_.frequency_error);
    result.phase_rounding = take(parameters_.phase_rounding);
    if (!maps_.empty()) {
      std::vector<int> axes;
      std::ranges::transform(pairs_, std::back_inserter(axes), &std::pair<int, int>::second);
      result.take_axes(maps_, std::move(axes));
    }
    return result;
  }

 private:
  const TrigTable& table_;
  std::span<const PositionMap> maps_;
  BudgetModel::Parameters parameters_;
  std::vector<std::pair<int, int>> pairs_;  ///< frequency and axis
};

std::shared_ptr<const Growth> growth_of(const std::optional<PositionScale>& scale,
                                        const BudgetModel::Parameters& parameters) {
  return scale ? std::make_shared<const Growth>(parameters, *scale) : nullptr;
}

/// None if only frequencies are wanted.
BudgetModel::Parameters parameters_of(const Contract& contract, const TrigTable& table, Format stored,
                                      bool is_wanted) {
  if (is_wanted) {
    return contract.bind(table, stored).parameters();
  }
  const std::vector<double> none(static_cast<std::size_t>(table.frequencies.pairs()));
  return {none, none};
}

std::shared_ptr<const Computation::Places> places_at(
    const std::vector<std::vector<std::int64_t>>& positions) {
  auto places = std::make_shared<Computation::Places>();
  for (const auto& axis : positions) {
    places->emplace_back(axis.begin(), axis.end());
  }
  return places;
}

}  // namespace

struct Suspect::Asked {
  template <class Answer, class Ask>
  static Answer remembered(std::map<std::string, Answer>& answers, std::mutex& mutex,
                           const OrderedJson& patch, const Ask& ask) {
    constexpr std::size_t most = 4096;
    const auto question = patch.dump();
    {
      const std::scoped_lock lock(mutex);
      if (const auto found = answers.find(question); found != answers.end()) {
        return found->second;
      }
    }
    auto answer = ask(patch);
    const std::scoped_lock lock(mutex);
    if (answers.size() < most) {
      answers.emplace(question, answer);
    }
    return answer;
  }

  std::mutex mutex;
  std::once_flag magnitudes_are_known;
  Magnitudes magnitudes;
  std::once_flag other_specs_are_known;
  std::vector<OtherSpec> other_specs;
  std::map<std::string, std::optional<Computation>> declarations;
  std::map<std::string, std::optional<std::vector<double>>> frequencies;
};

Suspect::Suspect() : asked_(std::make_shared<Asked>()) {}

Suspect Suspect::of_tables(const Case& subject) {
  Suspect result;
  result.encoding_ = subject.encoding.get();
  result.quantization_ = subject.quantization;
  result.positions_ = {subject.positions};
  for (const auto& [table, tensor, contract, overflow] : subject.tensors.all<TableTensor>()) {
    result.tables_.push_back(
        {table.sines.role, &tensor, contract, table.sines.zero_position, table.is_scale_alone});
    result.has_scaled_tables_ = table.scale.has_value();
    if (table.axes) {
      result.positions_ = subject.positions_by_axis;
      result.zero_rows_ = subject.zero_rows;
    }
  }
  assert(!result.tables_.empty());
  result.take_copies(subject.leading);
  result.declared_ = result.computation_of(*subject.encoding).value();
  return result;
}

Suspect Suspect::of_vectors(const Encoding& encoding, const RotatedTensor& vectors) {
  Suspect result;
  result.encoding_ = &encoding;
  result.vectors_ = &vectors;
  result.quantization_ = vectors.quantization;
  result.positions_ = vectors.rotation.axes.empty()
                          ? std::vector<std::vector<std::int64_t>>{vectors.positions}
                          : vectors.positions_by_axis;
  result.take_copies(vectors.leading);
  result.declared_ = result.computation_of(encoding).value();
  return result;
}

void Suspect::take_copies(const Shape& leading) {
  grid_.leading = leading;
  grid_.rows = rows() / grid_.copies();
}

bool Suspect::is_zero_row(std::size_t tensor, std::size_t row) const {
  if (vectors_ != nullptr) {
    return false;
  }
  return zero_rows_.empty() ? tables_[tensor].zero_position == positions_.front()[row] : zero_rows_[row];
}

bool Suspect::has_operation() const {
  return vectors_ != nullptr &&
         (vectors_->rotation.is_gradient || !turns_forward(vectors_->rotation.operation));
}

std::string Suspect::roles() const {
  return vectors_ != nullptr ? vectors_->role() : joined(tables_, &Table::role);
}

std::optional<Computation> Suspect::declared_by(const OrderedJson& patch) const {
  return Asked::remembered(asked_->declarations, asked_->mutex, patch, [&](const OrderedJson& one) {
    const auto encoding = patched(*encoding_, one);
    return encoding == nullptr ? std::nullopt : declaration_of(*encoding);
  });
}

const std::vector<Suspect::OtherSpec>& Suspect::other_specs() const {
  std::call_once(asked_->other_specs_are_known, [&] {
    for (auto& change : spec_changes(*encoding_)) {
      auto computation =
          Asked::remembered(asked_->declarations, asked_->mutex, change.finding.edit,
                            [&](const OrderedJson&) { return declaration_of(*change.encoding); });
      if (!computation || computation->pairs() != declared_.pairs()) {
        continue;
      }
      const bool has_other_columns = computation->cells != declared_.cells ||
                                     computation->rotated != declared_.rotated ||
                                     computation->axes != declared_.axes;
      if (has_other_columns || computation->tones != declared_.tones ||
          computation->amplitude != declared_.amplitude) {
        asked_->other_specs.push_back({std::move(change), *std::move(computation), has_other_columns});
      }
    }
  });
  return asked_->other_specs;
}

std::size_t Suspect::width(std::size_t tensor) const {
  return vectors_ != nullptr ? vectors_->head_dim() : tables_[tensor].width();
}

std::size_t Suspect::width() const {
  std::size_t all = 0;
  for (std::size_t tensor = 0; tensor < tensors(); ++tensor) {
    all += width(tensor);
  }
  return all;
}

Suspect::Magnitudes Suspect::magnitudes() const {
  std::call_once(asked_->magnitudes_are_known, [&] {
    auto& result = asked_->magnitudes;
    std::vector<double> numbers;
    for (std::size_t t = 0; t < tensors(); ++t) {
      const auto& tensor = vectors_ != nullptr ? vectors_->rotated : *tables_[t].tensor;
      numbers.resize(tensor.shape().back());
      for (std::size_t row = 0; row < rows(); ++row) {
        tensor.numbers(row * numbers.size(), numbers);
        for (const double x : numbers) {
          result.has_zeros = result.has_zeros || x == 0;
          result.least = x != 0 && std::fabs(x) < result.least ? std::fabs(x) : result.least;
        }
      }
    }
  });
  return asked_->magnitudes;
}

std::optional<std::vector<double>> Suspect::frequencies_by(const OrderedJson& patch) const {
  return frequencies_of(patched_spec(encoding_->spec(), patch));
}

std::optional<std::vector<double>> Suspect::frequencies_of(const OrderedJson& spec) const {
  return Asked::remembered(asked_->frequencies, asked_->mutex, spec, [&](const OrderedJson& one) {
    const auto encoding = encoding_of(one);
    return encoding == nullptr ? std::nullopt : frequencies_of(*encoding);
  });
}

/// Whether the rows are at places of this encoding.
bool Suspect::has_its_rows(const Encoding& other) const {
  return (positions_.size() == 1 || axis_count(other) == positions_.size()) && maps_of(other) == maps();
}

std::optional<Computation> Suspect::declaration_of(const Encoding& encoding) const {
  try {
    return has_its_rows(encoding) ? computation_of(encoding) : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;  // the contract is for other frequencies
  }
}

std::optional<std::vector<double>> Suspect::frequencies_of(const Encoding& other) const {
  if (!has_its_rows(other)) {
    return std::nullopt;
  }
  auto computation =
      vectors_ != nullptr ? rotation_of(other, Part::frequencies) : tables_of(other, Part::frequencies);
  if (!computation) {
    return std::nullopt;
  }
  return computation->frequencies();
}

std::vector<PositionMap> Suspect::maps_of(const Encoding& encoding) const {
  std::vector<PositionMap> result;
  for (std::size_t axis = 0; axis < positions_.size(); ++axis) {
    result.push_back(encoding.positions_along(axis));
  }
  return result;
}

bool Suspect::places_are_positions() const {
  return std::ranges::all_of(maps(), &PositionMap::keeps_integers);
}

bool Suspect::has_offset() const {
  return std::ranges::any_of(maps(), [](const PositionMap& map) { return map.offset().factor != 0; });
}

std::optional<Computation> Suspect::computation_of(const Encoding& encoding) const {
  auto result = vectors_ != nullptr ? rotation_of(encoding, Part::all) : tables_of(encoding, Part::all);
  if (result) {
    result->places = places_at(positions_);
    result->place_sizes.clear();
    for (const auto& map : maps_of(encoding)) {
      result->place_sizes.push_back(approximately(map.quantum()));
    }
  }
  if (result && quantization_) {
    const auto factor = quantization_->approximate_factor();
    result->amplitude *= factor;
    result->passed_factor = factor;
    result->storing.overflow = quantization_->overflow;
  }
  return result;
}

std::optional<Computation> Suspect::rotation_of(const Encoding& encoding, Part part) const {
  const auto* rotation = encoding.first<HeadRotation>(
      [&](const HeadRotation& one) { return one.makes_vectors_like(vectors_->rotation); });
  if (rotation == nullptr) {
    return std::nullopt;
  }
  const auto& table = rotation->table;
  Computation result;
  const auto& bound = *vectors_->contract;
  const auto format = part == Part::all ? vectors_->model().parameters().stored : vectors_->stored();
  PairList pairs(table, rotation->maps, parameters_of(bound, table, format, part == Part::all));
  std::vector<int> index;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    index.push_back(pairs.add(table.columns[i].pair, rotation->axes.empty() ? 0 : rotation->axes[i]));
  }
  result.rotated = rotation->rotated;
  for (auto& dimension : result.rotated) {
    dimension.pair = index[static_cast<std::size_t>(dimension.pair)];
  }
  pairs.tell(result);
  result.parameters = {pairs.parameters()};
  result.amplitude = approximately(table.amplitude);
  if (rotation->scale && part == Part::all) {
    result.growth = {growth_of(rotation->scale, result.parameters.front())};
  }
  return result;
}

std::optional<Computation> Suspect::tables_of(const Encoding& encoding, Part part) const {
  Computation result;
  std::vector<const TurnedTable*> found;
  for (const auto& tensor : tables_) {
    found.push_back(encoding.first<TurnedTable>([&](const TurnedTable& table) {
      return table.scale.has_value() == has_scaled_tables_ && table.position_count() == positions_.size() &&
             table.sines.role == tensor.role && columns_of(table) == tensor.width();
    }));
    if (found.back() == nullptr) {
      return std::nullopt;
    }
  }
  std::vector<PairList> pairs;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const auto& [sines, axes, scale, is_scale_alone] = *found[t];
    // Budgets of a contract follow from these alone, so that cosines mostly have those of the sines.
    std::size_t like = 0;
    while (like < t &&
           (tables_[like].contract != tables_[t].contract || tables_[like].stored() != tables_[t].stored() ||
            found[like]->sines.amplitude != sines.amplitude ||
            found[like]->sines.positions != sines.positions ||
            found[like]->sines.frequencies != sines.frequencies)) {
      ++like;
    }
    pairs.emplace_back(
        sines, axes ? std::span<const PositionMap>(axes->positions.maps) : std::span<const PositionMap>(),
        like < t ? pairs[like].parameters_of_table()
                 : parameters_of(*tables_[t].contract, sines, tables_[t].stored(), part == Part::all));
  }
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    auto& cells = result.cells.emplace_back();
    const auto& columns = found[t]->sines.columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      int pair = columns[c].pair;
      for (auto& of_tensor : pairs) {
        pair = of_tensor.add(columns[c].pair, found[t]->axis(c));  // all lists alike
      }
      cells.push_back({pair, columns[c].component, 1});
    }
  }
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    result.parameters.push_back(pairs[t].parameters());
    if (has_scaled_tables_ && part == Part::all) {
      // Those of one contract are one.
      std::size_t like = 0;
      while (like < t && (tables_[like].contract != tables_[t].contract ||
                          found[like]->scale->is_reciprocal != found[t]->scale->is_reciprocal)) {
        ++like;
      }
      result.growth.push_back(like < t ? result.growth[like]
                                       : growth_of(found[t]->scale, result.parameters.back()));
    }
  }
  pairs.front().tell(result);
  result.amplitude = approximately(found.front()->sines.amplitude);
  return result;
}

}  // namespace vernier
