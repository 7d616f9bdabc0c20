#include "props/judging/interval_view.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "numerics/contracts/pinned_ways.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// A double at least as large, for bounds.
double above(double value) {
  return value * (1 + 0x1p-50);
}

Interval around(double middle, double radius) {
  return enclose(middle) + hull(-radius, radius);
}

std::vector<CompletePair> complete_pairs(const TrigTable& table) {
  std::vector<CompletePair> found(static_cast<std::size_t>(table.frequencies.pairs()),
                                  CompletePair{0, -1, -1});
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto& [pair, component] = table.columns[c];
    if (component != Component::zero) {
      auto& entry = found[static_cast<std::size_t>(pair)];
      entry.pair = pair;
      (component == Component::sine ? entry.sine : entry.cosine) = static_cast<Eigen::Index>(c);
    }
  }
  std::erase_if(found, [](const CompletePair& entry) { return entry.sine < 0 || entry.cosine < 0; });
  return found;
}

/// Enclosures of all phases of a position, computed once for each.
class PhaseCache {
 public:
  /// \param fine_rows 1 makes every row a seed of its own, straight from the multiprecision reference
  PhaseCache(const Frequencies& frequencies, std::int64_t fine_rows)
      : phases_(std::make_shared<CertifiedPhases>(frequencies, fine_rows)) {}
  /// The truth about an implementation: what its subject keeps of it, else made anew.
  PhaseCache(const LawTarget& subject, const Frequencies& frequencies)
      : phases_(subject.truth ? subject.truth : std::make_shared<CertifiedPhases>(frequencies, 1)) {}

  struct Row {
    std::vector<Enclosure> sine;
    std::vector<Enclosure> cosine;
  };

  const Row& at(std::int64_t position) {
    const auto [entry, is_new] = rows_.try_emplace(position);
    if (is_new) {
      const auto pairs = static_cast<std::size_t>(phases_->pairs());
      entry->second = {std::vector<Enclosure>(pairs), std::vector<Enclosure>(pairs)};
      phases_->row(position, entry->second.sine, entry->second.cosine);
    }
    return entry->second;
  }

  TruePhases intervals_at(std::int64_t position) {
    const auto& row = at(position);
    TruePhases result{IntervalVector(phases_->pairs()), IntervalVector(phases_->pairs())};
    std::ranges::transform(row.cosine, result.cosine.begin(), interval_of);
    std::ranges::transform(row.sine, result.sine.begin(), interval_of);
    return result;
  }

 private:
  std::shared_ptr<CertifiedPhases> phases_;
  std::map<std::int64_t, Row> rows_;
};

/// Rows between which the certified table adds angles.
constexpr std::int64_t fine_rows_of_the_certified_table = 64;

std::int64_t fine_rows_for(const LawTarget& subject) {
  return subject.nature == LawTarget::Nature::certified_table ? fine_rows_of_the_certified_table : 1;
}

/// The budget of a component of some phase, whichever, of which only the magnitude is known: trigonometry and
/// storage. The rounding to storage is at most so many ulp of its result.
Budget any_phase_budget(const BudgetModel& model, std::int64_t position, int pair, double magnitude) {
  const auto& parameters = model.parameters();
  return {0, model.at(position, pair, magnitude, 0).trig,
          parameters.storage_ulps * ulp_at(parameters.stored, magnitude)};
}

/// A magnitude no smaller than that of the exact component behind an element: 2 ulp of the coarsest format,
/// bfloat16, are less than 2^-5 of it, and where the error is absolute its bound does not depend on the
/// magnitude.
double magnitude_behind(double element, double amplitude) {
  const double below_amplitude = amplitude * (1 - 0x1p-53);
  return std::max(std::fabs(element), std::min(std::fabs(element) * (1 + 0x1p-5), below_amplitude));
}

/// The reference: each entry evaluated by itself at the working precision, or read from a certified table.
class ReferenceTableView final : public TableView {
 public:
  ReferenceTableView(const LawTarget& subject, const TrigTable& wanted)
      : TableView(wanted), truth_(wanted.frequencies, 1) {
    if (subject.nature == LawTarget::Nature::certified_table) {
      certified_.emplace(wanted, fine_rows_of_the_certified_table * fine_rows_of_the_certified_table);
    }
  }

  IntervalVector row(std::int64_t position, Allowance) override {
    IntervalVector result(static_cast<Eigen::Index>(table().columns.size()));
    if (certified_) {
      std::vector<Enclosure> values(certified_->columns());
      certified_->row(position, values);
      std::ranges::transform(values, result.begin(), interval_of);
      return result;
    }
    for (std::size_t c = 0; c < table().columns.size(); ++c) {
      result(static_cast<Eigen::Index>(c)) = table().entry(position, c)();
    }
    return result;
  }
  std::optional<std::vector<double>> stored_row(std::int64_t) override { return std::nullopt; }
  TruePhases truth(std::int64_t position) override { return truth_.intervals_at(position); }
  bool defined_at(std::int64_t) const override { return true; }

 private:
  std::optional<CertifiedTable> certified_;
  PhaseCache truth_;
};

class ImplementationTableView final : public TableView {
 public:
  ImplementationTableView(const LawTarget& subject, const SinusoidalSpec& spec, Judgement& judgement)
      : TableView(spec.table()),
        implementation_(subject.table(spec)),
        model_(!subject.models.empty()
                   ? subject.models.front()
                   : declared_contract(subject.contract)->bind(table(), implementation_->stored())),
        domain_(subject.domain),
        judgement_(judgement),
        truth_(subject, table().frequencies) {}

  IntervalVector row(std::int64_t position, Allowance allowance) override {
    const auto values = *stored_row(position);
    const auto& truth = truth_.at(position);
    IntervalVector result(static_cast<Eigen::Index>(values.size()));
    for (std::size_t c = 0; c < values.size(); ++c) {
      judgement_.must_hold(std::isfinite(values[c]), "an element that is not finite, column",
                           static_cast<std::ptrdiff_t>(c));
      const Budget budget =
          std::isfinite(values[c]) ? budget_of(position, c, values[c], truth, allowance) : Budget{};
      if (model_.inconclusive(budget)) {
        judgement_.mark_inconclusive();
      }
      result(static_cast<Eigen::Index>(c)) =
          around(std::isfinite(values[c]) ? values[c] : 0, above(budget.total()));
    }
    return result;
  }

  std::optional<std::vector<double>> stored_row(std::int64_t position) override {
    std::vector<double> values(table().columns.size());
    implementation_->row(position, values);
    return values;
  }
  TruePhases truth(std::int64_t position) override { return truth_.intervals_at(position); }
  bool defined_at(std::int64_t position) const override { return domain_.holds(position); }

 private:
  Budget budget_of(std::int64_t position, std::size_t column, double element, const PhaseCache::Row& truth,
                   Allowance allowance) const {
    if (table().is_zero(position, column)) {
      return {};
    }
    const auto& [pair, component] = table().columns[column];
    if (allowance == Allowance::apart_from_phase) {
      return any_phase_budget(model_, position, pair, magnitude_behind(element, model_.amplitude()));
    }
    const auto i = static_cast<std::size_t>(pair);
    const double sine = model_.amplitude() * truth.sine[i].approximately();
    const double cosine = model_.amplitude() * truth.cosine[i].approximately();
    return component == Component::sine ? model_.at(position, pair, sine, cosine)
                                        : model_.at(position, pair, cosine, sine);
  }

  std::unique_ptr<TableUnderTest> implementation_;
  BudgetModel model_;
  LawDomain domain_;
  Judgement& judgement_;
  PhaseCache truth_;
};

constexpr Mapping both_sides[]{Mapping::query, Mapping::key};

RopeSpec spec_of(Mapping mapping, RopeSpec spec) {
  if (mapping == Mapping::transpose || mapping == Mapping::inverse) {
    spec.operation =
        mapping == Mapping::transpose ? RotationOperation::transpose : RotationOperation::inverse;
  }
  return spec;
}

/// What the spec makes of x, in interval arithmetic, the rotating dimensions times the amplitude of vectors.
IntervalVector rotated(const RopeSpec& spec, const TruePhases& phases, const IntervalVector& x) {
  IntervalVector y(x.size());
  const auto span = [](auto& vector) {
    return std::span(vector.data(), static_cast<std::size_t>(vector.size()));
  };
  spec.rotate<Interval>(span(phases.cosine), span(phases.sine), span(x), span(y));
  if (const auto amplitude = spec.amplitude_of_vectors(); !amplitude.is_one()) {
    y.segment(spec.rotary_offset, spec.rotary_dim()) *= enclose(amplitude);
  }
  return y;
}

class ReferenceRotationView final : public RotationView {
 public:
  ReferenceRotationView(const LawTarget& subject, const RopeSpec& wanted)
      : RotationView(wanted),
        direct_(subject.nature == LawTarget::Nature::reference),
        own_(wanted.frequencies(), fine_rows_for(subject)),
        truth_(wanted.frequencies(), 1) {}

  Observed turned(Mapping mapping, std::int64_t position, const Observed& x, Allowance) override {
    return {{},
            rotated(spec_of(mapping, spec()), direct_ ? evaluated(position) : own_.intervals_at(position),
                    x.enclosures)};
  }
  TruePhases truth(std::int64_t position) override { return truth_.intervals_at(position); }
  std::span<const Mapping> sides() const override { return std::span(both_sides).first(1); }

 private:
  TruePhases evaluated(std::int64_t position) const {
    const auto column = [&](Component component) {
      auto table = spec().table(component);
      table.amplitude = 1;  // rotated() has it
      IntervalVector result(static_cast<Eigen::Index>(table.columns.size()));
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        result(static_cast<Eigen::Index>(c)) = table.entry(position, c)();
      }
      return result;
    };
    return {column(Component::cosine), column(Component::sine)};
  }

  bool direct_;
  PhaseCache own_;
  PhaseCache truth_;
};

bool is_exactly_zero(const IntervalVector& vector) {
  return std::all_of(vector.begin(), vector.end(),
                     [](const Interval& one) { return mpfi_is_zero(one.backend().data()) > 0; });
}

class ImplementationRotationView final : public RotationView {
 public:
  ImplementationRotationView(const LawTarget& subject, const RopeSpec& wanted, Judgement& judgement)
      : RotationView(wanted), judgement_(judgement), truth_(subject, wanted.frequencies()) {
    // Models that are bound already are of what the spec says itself.
    const auto add = [&](Mapping mapping, const auto& make) {
      if (make) {
        maps_.try_emplace(mapping, subject, make(wanted), spec_of(mapping, wanted),
                          mapping != Mapping::inverse);
      }
    };
    add(Mapping::query, subject.rotation);
    add(Mapping::key, subject.key_rotation);
    add(Mapping::transpose, subject.gradient);
    add(Mapping::inverse, subject.inverse);
  }

  Observed turned(Mapping mapping, std::int64_t position, const Observed& x, Allowance allowance) override {
    const auto& map =
        maps_.at(mapping == Mapping::key && !maps_.contains(mapping) ? Mapping::query : mapping);
    Observed y;
    y.values.resize(x.values.size());
    map.rotation->rotate(position, x.values, y.values);
    // What x may already be off, turned by the truth: nothing of a vector that is exact, as most are.
    IntervalVector offset(x.enclosures.size());
    for (Eigen::Index i = 0; i < offset.size(); ++i) {
      offset(i) = x.enclosures(i) - enclose(x.values[static_cast<std::size_t>(i)]);
    }
    y.enclosures = is_exactly_zero(offset) ? offset : rotated(map.spec, truth(position), offset);
    const auto budgets = budgets_of(map, position, x.values, allowance);
    const double scale = norm_above(x.values);
    for (std::size_t i = 0; i < y.values.size(); ++i) {
      judgement_.must_hold(std::isfinite(y.values[i]), "an element that is not finite, dimension",
                           static_cast<std::ptrdiff_t>(i));
      y.values[i] = std::isfinite(y.values[i]) ? y.values[i] : 0;
      if (proves_nothing(budgets[i], scale)) {
        judgement_.mark_inconclusive();
      }
      y.enclosures(static_cast<Eigen::Index>(i)) += around(y.values[i], above(budgets[i]));
    }
    return y;
  }
  TruePhases truth(std::int64_t position) override { return truth_.intervals_at(position); }
  std::span<const Mapping> sides() const override {
    return std::span(both_sides).first(maps_.contains(Mapping::key) ? 2 : 1);
  }

 private:
  /// One of the maps of an implementation, and what it may be off by.
  struct Map {
    /// \param is_bound whether the models that the subject has are of this map
    Map(const LawTarget& subject, std::unique_ptr<RotationUnderTest> made, RopeSpec by, bool is_bound)
        : spec(std::move(by)),
          rotation(std::move(made)),
          cosine(model(subject, Component::cosine, is_bound)),
          sine(model(subject, Component::sine, is_bound)) {}

    BudgetModel model(const LawTarget& subject, Component component, bool is_bound) const {
      if (is_bound && !subject.models.empty()) {
        return component == Component::cosine ? subject.models.front() : subject.models.back();
      }
      return declared_contract(subject.contract)->bind(spec.table_of_vectors(component), rotation->stored());
    }

    RopeSpec spec;
    std::unique_ptr<RotationUnderTest> rotation;
    BudgetModel cosine;
    BudgetModel sine;
  };

  /// The budget of every dimension; zero for those that pass through.
  std::vector<double> budgets_of(const Map& map, std::int64_t position, const std::vector<double>& x,
                                 Allowance allowance) {
    std::vector<double> result(x.size(), 0.0);
    const auto& truth = truth_.at(position);
    // Of some phase, whichever, cosine and sine may be anything up to the amplitude.
    const double amplitude = map.cosine.amplitude();
    const double almost_amplitude = amplitude * (1 - 0x1p-53);
    const bool any_phase = allowance == Allowance::apart_from_phase;
    for (int pair = 0; pair < spec().pairs(); ++pair) {
      const auto i = static_cast<std::size_t>(pair);
      const double c = any_phase ? almost_amplitude : amplitude * truth.cosine[i].approximately();
      const double s = any_phase ? almost_amplitude : amplitude * truth.sine[i].approximately();
      const Budget cosine =
          any_phase ? any_phase_budget(map.cosine, position, pair, c) : map.cosine.at(position, pair, c, s);
      const Budget sine =
          any_phase ? any_phase_budget(map.sine, position, pair, s) : map.sine.at(position, pair, s, c);
      const double phase_error = any_phase ? 0 : amplitude * map.cosine.phase_error(position, pair);
      const auto [first, second] = spec().dimensions(pair);
      const auto a = static_cast<std::size_t>(first);
      const auto b = static_cast<std::size_t>(second);
      const auto budget = [&](double x0, double x1) {
        return rotated_budget(cosine, sine, c, s, x0, x1, phase_error, map.rotation->stored()).total();
      };
      result[a] = budget(x[a], x[b]);
      result[b] = budget(x[b], x[a]);
    }
    return result;
  }

  std::map<Mapping, Map> maps_;
  Judgement& judgement_;
  PhaseCache truth_;
};

}  // namespace

TableView::TableView(const TrigTable& table)
    : table_(table),
      pairs_(complete_pairs(table)),
      amplitude_(enclose(table.amplitude)),
      scale_(greatest_magnitude(amplitude_)) {}

std::unique_ptr<TableView> view_table(const LawTarget& subject, const SinusoidalSpec& spec,
                                      Judgement& judgement) {
  if (subject.is_implementation()) {
    return std::make_unique<ImplementationTableView>(subject, spec, judgement);
  }
  return std::make_unique<ReferenceTableView>(subject, spec.table());
}

Observed observed_exactly(const std::vector<double>& values) {
  IntervalVector enclosures(static_cast<Eigen::Index>(values.size()));
  std::ranges::transform(values, enclosures.begin(), [](double value) { return enclose(value); });
  return {values, enclosures};
}

IntervalVector RotationView::rotate_truly(std::int64_t position, const IntervalVector& x) {
  return rotated(spec_, truth(position), x);
}

std::unique_ptr<RotationView> view_rotation(const LawTarget& subject, const RopeSpec& spec,
                                            Judgement& judgement) {
  if (subject.is_implementation()) {
    return std::make_unique<ImplementationRotationView>(subject, spec, judgement);
  }
  return std::make_unique<ReferenceRotationView>(subject, spec);
}

double norm_above(const std::vector<double>& values) {
  const double sum = sum_of(values, [](double value) { return value * value; });
  // Each addition rounds once, each product and the root too; a thousand terms stay below 2^-40.
  return std::sqrt(sum) * (1 + 0x1p-40);
}

}  // namespace vernier
