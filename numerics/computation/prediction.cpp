#include "numerics/computation/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "numerics/computation/row_sums.hpp"
#include "numerics/decoding/pair_signal.hpp"
#include "numerics/errors/overflow.hpp"

namespace vernier {

class Predictor::Row {
 public:
  /// What of an element: `seen`, what the tensor holds; `values`, beside it what is predicted.
  enum class Wants { all, values, seen };

  Row(const Predictor& predictor, std::size_t row, Wants wants = Wants::all)
      : of_(predictor),
        c_(predictor.computation_),
        storage_(c_, predictor.unit_roundoff()),
        row_(row),
        scales_(of_.suspect_.quantization() ? of_.suspect_.quantization()->scales.get() : nullptr),
        predicts_(wants != Wants::seen),
        says_values_alone_(wants == Wants::values && c_.growth.empty() && !c_.in_place &&
                           c_.storing.is_one_rounding()),
        turns_(std::make_unique_for_overwrite<TurnOfPair[]>(c_.tones.size())),
        is_known_(c_.tones.size()) {}

  std::vector<std::complex<double>> points() {
    std::vector<std::complex<double>> result;
    for (int pair = 0; pair < c_.pairs(); ++pair) {
      const auto& way = turn(pair).ways.front();
      result.emplace_back(way.cosine, way.sine);
    }
    return result;
  }

  /// \param visit called as a Predictor::Visit
  template <class Visitor>
  void visit(const Visitor& visit) {
    if (of_.suspect_.vectors() != nullptr) {
      visit_vectors(*of_.suspect_.vectors(), visit);
    } else {
      for (std::size_t t = 0; t < of_.suspect_.tables().size(); ++t) {
        visit_table(t, visit);
      }
    }
  }

 private:
  const TurnOfPair& turn(int pair) {
    const auto i = static_cast<std::size_t>(pair);
    if (!is_known_[i]) {
      PairTurns(c_, of_.model(0, row_, pair), of_.is_extended_).set(turns_[i], row_, i);
      is_known_[i] = true;
    }
    return turns_[i];
  }

  /// What a dimension is turned by: parts of its pair's turn.
  static TurnOfPair with_parts(TurnOfPair turn, const TurnParts& parts) {
    const auto part = [](const CosineSine& way, const TurnPart& wanted) {
      const long double value = way.whole(wanted.component);
      return wanted.sign * (wanted.is_magnitude ? std::fabs(value) : value);
    };
    for (std::size_t i = 0; i < turn.count; ++i) {
      auto& way = turn.ways[i];
      const auto cosine = part(way, parts.cosine);
      const auto sine = part(way, parts.sine);
      way.cosine = static_cast<double>(cosine);
      way.cosine_rest = static_cast<double>(cosine - way.cosine);
      way.sine = static_cast<double>(sine);
      way.sine_rest = static_cast<double>(sine - way.sine);
    }
    return turn;
  }

  /// Of a place that is a sum, of the sum with a shift, and of what a reduction leaves, in radians. How the
  /// sum with a quarter turn is rounded is known where the phase is; elsewhere the rounding that is predicted
  /// and the one that was are off by u of the sum each.
  double later_rounding(const BudgetModel& model, const TurnOfPair& turn, int pair) const {
    const double u = traits(model.parameters().compute).unit_roundoff();
    const bool is_quarter = c_.quarter_turn != 0 && model.relative_phase_error(pair) > 0;
    const double of_shift =
        std::fabs(c_.phase_shift) * u +
        (is_quarter ? 2 * u * (model.phase(turn.position, pair) + std::numbers::pi / 2) : 0);
    const bool is_reduced = c_.reduced_rounding > 0 && model.phase(turn.position, pair) > std::numbers::pi;
    const double of_terms =
        model.parameters().trig_ulps > 0 && of_.has_rounded_place(row_, pair) ? u * c_.place_terms : 0;
    return of_shift + of_terms * std::fabs(c_.frequency(pair)) + (is_reduced ? c_.reduced_rounding : 0);
  }

  /// The position whose budget a row has.
  std::int64_t budget_position(const TurnOfPair& turn) const {
    return std::abs(turn.position) < c_.least_position ? c_.least_position : turn.position;
  }

  /// What a phase may be off by, in radians. Rounded to a step, it is a product of two rounded numbers; to a
  /// format, it is what it is.
  double phase_error(const BudgetModel& model, const TurnOfPair& turn, int pair) const {
    const double stepped = c_.phase_step > 0 ? 2 * traits(model.parameters().compute).unit_roundoff() *
                                                   model.phase(turn.position, pair)
                                             : 0;
    const auto position = budget_position(turn);
    const double share = position != turn.position || turn.place == static_cast<double>(turn.position)
                             ? 1
                             : std::fabs(turn.place) / static_cast<double>(std::abs(turn.position));
    const double error =
        c_.phase_format || c_.phase_step > 0 ? stepped : share * model.phase_error(position, pair);
    return error + later_rounding(model, turn, pair);
  }

  /// What a pair of a tensor is multiplied by besides. Computed once for a sine and the cosine beside it.
  Growth::Factor growth(std::size_t tensor, const TurnOfPair& turn, std::size_t way, int pair) {
    const auto* growth = c_.growth.empty() ? nullptr : c_.growth[tensor].get();
    if (growth == nullptr) {
      return {};
    }
    grown_.resize(c_.tones.size());
    auto& last = grown_[static_cast<std::size_t>(pair)];
    if (last.growth != growth || last.place != turn.places[way]) {
      last = {growth, turn.places[way], growth->at(turn.places[way], turn.position, pair)};
    }
    return last.factor;
  }

  static void set_value(PredictedElement& element, long double exact) {
    element.predicted = static_cast<double>(exact);
    element.rest = static_cast<double>(exact - element.predicted);
  }

  Budget budget(const BudgetModel& model, const TurnOfPair& turn, int pair, double value,
                double partner) const {
    if (!std::isfinite(value) || c_.amplitude == 0) {
      return {};  // the sine of a phase beyond its format, of which nothing is near; zeros that nothing
                  // rounds
    }
    auto budget = model.at(budget_position(turn), pair, value, partner);
    if (c_.phase_format || c_.phase_step > 0 || c_.phase_shift != 0 || c_.reduced_rounding > 0 ||
        c_.quarter_turn != 0 || of_.has_rounded_place(row_, pair)) {
      const double error = phase_error(model, turn, pair);
      budget.phase =
          error * std::min(std::fabs(c_.amplitude), std::fabs(partner) + std::fabs(value) * error / 2);
    }
    if (c_.trigonometry_error > 0) {
      budget.trig = std::max(budget.trig, std::fabs(c_.amplitude) * c_.trigonometry_error);
    }
    return budget;
  }

  /// A tensor as its bits are said to be read.
  Tensor as_read(const Tensor& tensor) const {
    return c_.storing.bits_of
               ? Tensor(tensor).viewed_as(*element_type_named(traits(*c_.storing.bits_of).name))
               : tensor;
  }

  template <class Visitor>
  void visit_table(std::size_t t, const Visitor& visit) {
    const auto& table = of_.suspect_.tables()[t];
    const auto& cells = c_.cells[t];
    std::vector<double> got(table.width());
    as_read(*table.tensor).numbers(row_ * got.size(), got);
    PredictedElement element{.tensor = t, .row = row_};
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const auto& cell = cells[column];
      element.column = column;
      element.pair = cell.component == Component::zero ? -1 : cell.pair;
      element.got = got[column];
      element.predicted = element.rest = element.allowed = 0;
      element.conclusive = true;
      if (predicts_ && element.pair >= 0) {
        predict(element, cell, turn(cell.pair), of_.model(t, row_, cell.pair), table);
      }
      visit(element);
    }
  }

  void predict(PredictedElement& element, const Cell& cell, const TurnOfPair& turn, const BudgetModel& model,
               const Suspect::Table& table) {
    if (!c_.fills_padding) {
      const auto declared = of_.suspect_.positions()[c_.axis(cell.pair)][row_];
      const bool was_zero = of_.suspect_.is_zero_row(element.tensor, row_);
      const bool is_zero = was_zero ? turn.position == declared : table.zero_position == turn.position;
      // Where an edit makes another row that of padding, either may be zero.
      if ((was_zero && is_zero) || ((was_zero || is_zero) && element.got == 0)) {
        return;
      }
    }
    const double factor = c_.amplitude * cell.sign;
    const auto turned_by = [&](const CosineSine& way) {
      const long double turned = factor * way.whole(cell.component);
      return cell.is_magnitude ? std::fabs(turned) : turned;
    };
    if (says_values_alone_ && turn.count == 1) {
      set_value(element, turned_by(turn.ways.front()));
      return;
    }
    const bool grows = !c_.growth.empty();
    keep_nearest_way(element, turn, [&](std::size_t i, const CosineSine& way, PredictedElement& one) {
      const auto turned = turned_by(way);
      const auto growth = grows ? this->growth(one.tensor, turn, i, cell.pair) : Growth::Factor();
      set_value(one, table.is_scale_alone ? growth.exact : turned * growth.exact);
      auto budget = table.is_scale_alone
                        ? Budget{.trig = growth.at.value * growth.at.error,
                                 .storage = model.storage(growth.at.value * (1 + growth.at.error))}
                        : this->budget(model, turn, cell.pair, static_cast<double>(turned),
                                       factor * partner(cell, way));
      if (grows && !table.is_scale_alone) {
        budget = scaled(model, budget, static_cast<double>(turned), growth.at, model.parameters().compute);
      }
      one.allowed =
          c_.storing.through ? budget.apart_from_phase() - budget.storage + budget.phase : budget.total();
      one.conclusive =
          !proves_nothing(one.allowed, growth.at.value * (table.is_scale_alone ? 1 : model.amplitude()));
      storage_.store(c_.storing.bits_of.value_or(table.stored()), one);
      one.conclusive = one.conclusive || (!std::isfinite(one.got) && std::isfinite(one.predicted));
      if (grows && !(std::fabs(one.predicted) + one.allowed <= traits(table.stored()).largest())) {
        one.leave_open();
      }
    });
  }

  /// The other component beside that of a cell.
  double partner(const Cell& cell, const CosineSine& way) const {
    const auto& tone = c_.tones[static_cast<std::size_t>(cell.pair)];
    const bool is_sine = cell.component == Component::sine;
    const double component = is_sine ? way.sine : way.cosine;
    return tone.cosine == tone.sine ? (is_sine ? way.cosine : way.sine)
                                    : std::sqrt(std::max(0.0, 1 - component * component));
  }

  /// Of an element as each way of rounding predicts it, the one that is nearest to it.
  template <class Predict>
  static void keep_nearest_way(PredictedElement& element, const TurnOfPair& turn, const Predict& predict) {
    const auto start = element;
    for (std::size_t i = 0; i < turn.count; ++i) {
      auto one = start;
      predict(i, turn.ways[i], one);
      if (i == 0 || one.ratio() < element.ratio()) {
        element = one;
      }
    }
  }

  template <class Visitor>
  void visit_vectors(const RotatedTensor& vectors, const Visitor& visit) {
    const auto width = vectors.head_dim();
    std::vector<double> in(width);
    std::vector<double> out(width);
    vectors.input.numbers(row_ * width, in);
    const auto rotated = as_read(vectors.rotated);
    const auto stored = *rotated.format();
    rotated.numbers(row_ * width, out);
    if (c_.input_format) {
      for (double& x : in) {
        x = round_to(*c_.input_format, x);
      }
    }
    if (scales_ != nullptr) {
      block_norms_.assign(width / scales_->width(), 0);
      for (const auto& d : c_.rotated) {
        auto& norm = block_norms_[d.out / scales_->width()];
        norm = std::max(norm, std::fabs(c_.amplitude) * std::hypot(in[d.own], in[d.other]));
      }
    }
    std::vector<bool> is_rotated(width);
    std::vector<double> error(width);  // of the inputs, where results replace them
    for (const auto& d : c_.rotated) {
      PredictedElement element{.row = row_, .column = d.out, .pair = d.pair, .got = out[d.out]};
      if (predicts_) {
        predict(element, d, in, error, stored);
      }
      visit(element);
      is_rotated[d.out] = true;
      if (c_.in_place) {
        in[d.out] = element.predicted;
        error[d.out] = element.allowed;
      }
    }
    for (std::size_t d = 0; d < width; ++d) {
      if (!is_rotated[d]) {
        visit(passed(d, is_rotated, in, out[d], stored));
      }
    }
  }

  /// A dimension that does not rotate.
  PredictedElement passed(std::size_t d, const std::vector<bool>& is_rotated, const std::vector<double>& in,
                          double got, Format stored) const {
    PredictedElement element{.row = row_, .column = d, .got = got};
    if (c_.passed == Computation::Passed::zeroed) {
      return element;
    }
    auto from = d;
    for (int moved = 0; moved != c_.passed_shift; moved += c_.passed_shift > 0 ? 1 : -1) {
      do {
        from = (from + (c_.passed_shift > 0 ? in.size() - 1 : 1)) % in.size();
      } while (is_rotated[from]);
    }
    const double copied = rounded_with(c_.storing.overflow, stored, in[from] * c_.passed_factor);
    element.predicted = storage_.stored_copy(stored, copied);
    element.allowed = c_.passed_factor == 1 ? 0 : ulp_at(stored, copied);
    if (scales_ != nullptr) {
      element.allowed +=
          scales_->rounding(row_, d, std::fabs(copied), traits(Format::binary32).unit_roundoff());
    }
    return element;
  }

  /// Without growth.
  long double exact_value(const RotatedDimension& d, double own, double other, const CosineSine& way) const {
    return (own * way.whole(Component::cosine) + other * way.whole(Component::sine) * d.sign) * c_.amplitude;
  }

  void predict(PredictedElement& element, const RotatedDimension& d, const std::vector<double>& in,
               const std::vector<double>& error, Format stored) {
    const auto& model = of_.model(0, row_, d.pair);
    const auto& parts = c_.turn_parts[component_of(d)];
    std::optional<TurnOfPair> other_turn;
    if (parts != TurnParts()) {
      other_turn = with_parts(this->turn(d.pair), parts);
    }
    const auto& turn = other_turn ? *other_turn : this->turn(d.pair);
    const double own = in[d.own];
    const double other = in[d.other];
    if (says_values_alone_ && turn.count == 1) {
      set_value(element, exact_value(d, own, other, turn.ways.front()));
      return;
    }
    const double a = std::fabs(c_.amplitude);
    const auto arithmetic = arithmetic_of(model.parameters().compute, stored);
    keep_nearest_way(element, turn, [&](std::size_t i, const CosineSine& way, PredictedElement& one) {
      const auto growth = this->growth(0, turn, i, d.pair);
      const double turned_cosine = c_.amplitude * way.cosine;
      const double turned_sine = c_.amplitude * way.sine * d.sign;
      const double c = turned_cosine * growth.at.value;
      const double s = turned_sine * growth.at.value;
      set_value(one, exact_value(d, own, other, way) * growth.exact);
      const auto bc = scaled(model, budget(model, turn, d.pair, turned_cosine, turned_sine), turned_cosine,
                             growth.at, arithmetic);
      const auto bs = scaled(model, budget(model, turn, d.pair, turned_sine, turned_cosine), turned_sine,
                             growth.at, arithmetic);
      const double phase =
          phase_error(model, turn, d.pair) * (1 + product_error(model, growth.at, arithmetic));
      const double whole = a * growth.at.value;
      const bool is_zero = whole == 0 || (own == 0 && other == 0);
      if (is_zero) {
        one.allowed = 0;
      } else if (!model.judges_computation()) {
        one.allowed = model.storage(std::fabs(one.predicted));
      } else {
        one.allowed = rotated_budget(bc, bs, c, s, own, other, whole * phase, arithmetic).total();
      }
      one.allowed += error[d.own] * std::fabs(c) + error[d.other] * std::fabs(s);
      if (!c_.storing.through && !is_zero) {
        one.allowed += last_rounding(model, stored, std::fabs(one.predicted) + one.allowed);
      }
      double norm = whole * std::hypot(own, other);
      if (scales_ != nullptr) {
        norm = std::max(norm, block_norms_[d.out / scales_->width()]);
        const double u = traits(arithmetic).unit_roundoff();
        one.allowed += scales_->rounding(row_, d.out, std::fabs(one.predicted) + one.allowed, u);
        if (scales_->saturates(row_, d.out, one.got, one.predicted, one.allowed)) {
          one.predicted = one.got;
          one.rest = 0;
        }
      }
      one.conclusive = !proves_nothing(one.allowed, norm);
      const double reach = std::fabs(own * c) + std::fabs(other * s) + one.allowed;
      storage_.store(stored, one);
      storage_.overflow(stored, one);
      if (!(reach <= traits(arithmetic).largest())) {
        one.leave_open();
      }
    });
  }

  const Predictor& of_;
  const Computation& c_;
  PredictedStorage storage_;
  std::size_t row_;
  const BlockScales* scales_;        ///< null where elements have none
  std::vector<double> block_norms_;  ///< the largest norm of a pair, by block
  bool predicts_;
  bool says_values_alone_;               ///< where a phase is rounded in one way
  std::unique_ptr<TurnOfPair[]> turns_;  ///< one a pair
  std::vector<bool> is_known_;
  struct Grown {
    const Growth* growth = nullptr;
    double place = 0;
    Growth::Factor factor;
  };
  std::vector<Grown> grown_;  ///< the last of each pair
};

Predictor::Predictor(const Suspect& suspect, const Computation& computation)
    : suspect_(suspect), computation_(computation), is_extended_(false) {
  const auto frequencies = computation.magnitudes();
  for (const auto& parameters : computation.parameters) {
    is_extended_ = is_extended_ || parameters.compute == Format::binary64;
    models_.emplace_back(parameters, frequencies, std::fabs(computation.amplitude));
    if (computation.rounded_places != Computation::RoundedPlaces::none) {
      rounded_models_.emplace_back(with_rounded_places(parameters), frequencies,
                                   std::fabs(computation.amplitude));
    }
  }
}

void Predictor::visit(std::size_t row, const Visit& visit) const {
  Row(*this, row).visit(visit);
}

std::vector<PredictedPair> Predictor::pairs(std::size_t row) const {
  std::vector<PredictedPair> result(computation_.tones.size());
  visit(row, [&](const PredictedElement& one) {
    if (one.pair >= 0) {
      auto& pair = result[static_cast<std::size_t>(one.pair)];
      pair = {std::hypot(pair.allowed, one.allowed), std::hypot(pair.predicted, one.predicted),
              pair.fails || one.fails()};
    }
  });
  return result;
}

void Predictor::visit_values(std::size_t row, const Visit& visit) const {
  Row(*this, row, Row::Wants::values).visit(visit);
}

void Predictor::visit_seen(std::size_t row, const std::function<void(int pair, double got)>& visit) const {
  Row(*this, row, Row::Wants::seen).visit([&](const PredictedElement& element) {
    visit(element.pair, element.got);
  });
}

std::vector<std::complex<double>> Predictor::points(std::size_t row) const {
  return Row(*this, row).points();
}

void Predictor::add(std::size_t row, Prediction& prediction) const {
  Row(*this, row).visit([&](const PredictedElement& element) {
    ++prediction.elements;
    if (element.conclusive) {
      ++prediction.conclusive;
      const double ratio = element.ratio();
      prediction.failing += ratio <= 1 ? 0 : 1;
      prediction.clearly_failing += ratio <= clear_failure ? 0 : 1;
      if (ratio > prediction.largest_budget_ratio) {
        prediction.largest_budget_ratio = ratio;
        prediction.worst_row = row;
      }
    }
  });
}

Prediction Predictor::compare(std::span<const std::size_t> rows, std::uint64_t most_failing) const {
  Prediction prediction;
  for (const auto row : rows) {
    add(row, prediction);
    if (prediction.failing > most_failing) {
      break;
    }
  }
  return prediction;
}

Prediction Predictor::compare_all(unsigned threads, double until) const {
  return sum_of_rows<Prediction>(suspect_.rows(), threads, [&](std::size_t row, Prediction& prediction) {
    add(row, prediction);
    return prediction.largest_budget_ratio <= until;
  });
}

std::vector<std::size_t> measured_rows(const Suspect& suspect) {
  constexpr std::size_t most_elements = std::size_t{1} << 17;  // some hundredths of a second
  constexpr std::size_t fewest = 256;
  constexpr std::size_t most = 4096;
  return spread_rows(suspect.rows(), std::clamp(most_elements / suspect.width(), fewest, most));
}

std::vector<std::size_t> telling_rows(const Suspect& suspect, std::size_t most) {
  auto rows = spread_rows(suspect.rows(), most);
  if (std::ranges::find(rows, suspect.rows() - 1) == rows.end()) {
    rows.push_back(suspect.rows() - 1);
  }
  const auto& positions = suspect.positions().front();
  std::ranges::stable_sort(rows, std::ranges::greater(),
                           [&](std::size_t row) { return std::abs(positions[row]); });
  return rows;
}

}  // namespace vernier
