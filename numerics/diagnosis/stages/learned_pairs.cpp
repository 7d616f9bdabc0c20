// Which frequency, component and sign every pair of columns, or of dimensions, shows, and the map that says
// so.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "numerics/computation/prediction.hpp"
#include "numerics/decoding/row_rules.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

/// So many rows show what a column holds.
constexpr std::size_t pair_rows = 40;
constexpr std::size_t most_pair_rules = 4;

/// A frequency that pairs may turn at, and how sines and cosines of its phases look in the rows.
struct Reference {
  long double frequency;
  int like;      ///< the pair whose errors it has
  double index;  ///< among those of its axis
  int axis;
  struct Phase {
    double cosine;
    double sine;
    double error;  ///< radians
  };
  std::vector<Phase> phases = {};  ///< one a row that is looked at
};

class PairLearner {
 public:
  explicit PairLearner(const KindEdits& edits)
      : edits_(edits),
        base_(edits.base),
        rows_(telling_rows(edits.suspect, pair_rows)),
        model_(base_.parameters.front(), base_.magnitudes(), std::fabs(base_.amplitude)) {
    add_references();
  }

  void propose() {
    if (edits_.suspect.grows()) {
      return;  // what multiplies the pairs has its own edits
    }
    index_in_axis();
    const auto both = candidates([](int) { return true; }, nullptr);
    if (propose_maps(both)) {
      return;
    }
    if (edits_.suspect.vectors() == nullptr) {
      of_components();
    } else {
      of_turns();
    }
  }

 private:
  using Held = std::vector<std::vector<HeldRange>>;

  /// Those of the pairs, and as many behind the last of a geometric progression.
  void add_references() {
    std::map<int, std::vector<std::size_t>> of_axis;
    for (int pair = 0; pair < base_.pairs(); ++pair) {
      const auto i = static_cast<std::size_t>(pair);
      auto& own = of_axis[base_.axes[i]];
      own.push_back(references_.size());
      add({base_.tones[i].sine, pair, static_cast<double>(own.size() - 1), base_.axes[i]});
    }
    for (const auto& [axis, own] : of_axis) {
      if (own.size() < 3) {
        continue;
      }
      const auto w = [&](std::size_t i) { return references_[own[i]].frequency; };
      const long double ratio = w(1) / w(0);
      bool is_geometric = ratio > 0 && ratio < 1;
      for (std::size_t i = 2; i < own.size(); ++i) {
        is_geometric = is_geometric && std::fabs(w(i) / w(i - 1) / ratio - 1) < 1e-5L;
      }
      long double next = w(own.size() - 1);
      const auto like = references_[own.back()].like;
      for (std::size_t i = own.size(); is_geometric && i < 2 * own.size(); ++i) {
        next *= ratio;
        if (!shows(next, axis)) {
          break;
        }
        add({next, like, static_cast<double>(i), axis});
      }
    }
  }

  /// Whether some row that is looked at tells a frequency from none.
  bool shows(long double frequency, int axis) const {
    const double least = 16 * traits(edits_.suspect.stored(0)).unit_roundoff();
    const auto& places = (*base_.places)[static_cast<std::size_t>(axis)];
    return std::ranges::any_of(rows_, [&](std::size_t row) {
      return std::fabs(static_cast<double>(places[row] * frequency)) > least;
    });
  }

  void add(Reference reference) {
    const auto like = static_cast<std::size_t>(reference.like);
    const double relative = model_.relative_phase_error(reference.like);
    for (const auto row : rows_) {
      const double place = (*base_.places)[static_cast<std::size_t>(base_.axes[like])][row];
      const long double phase = place * reference.frequency + base_.phase_shift;
      const double error =
          relative + model_.position_error(std::llround(std::clamp(place, -0x1p53, 0x1p53)), reference.like);
      reference.phases.push_back({static_cast<double>(std::cos(phase)), static_cast<double>(std::sin(phase)),
                                  error * std::fabs(static_cast<double>(phase))});
    }
    references_.push_back(std::move(reference));
  }

  void index_in_axis() {
    std::map<int, double> next;
    for (const int axis : base_.axes) {
      index_.push_back(next[axis]++);
    }
  }

  double computed_u() const { return traits(base_.parameters.front().compute).unit_roundoff(); }

  static double value_of(const TurnPart& part, const Reference::Phase& phase) {
    const double value = part.component == Component::zero   ? 0
                         : part.component == Component::sine ? phase.sine
                                                             : phase.cosine;
    return part.sign * (part.is_magnitude ? std::fabs(value) : value);
  }

  /// Whether a column holds the part of a frequency's phases in all rows that are looked at.
  bool holds(std::size_t tensor, std::size_t column, const TurnPart& part, const Reference& reference) const {
    const auto& table = edits_.suspect.tables()[tensor];
    const double a = base_.amplitude;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (edits_.suspect.is_zero_row(tensor, rows_[i])) {
        continue;
      }
      const auto& phase = reference.phases[i];
      const double value = a * value_of(part, phase);
      // Small sines are stored to as many digits as large ones.
      const double allowed = part.component == Component::zero
                                 ? 0
                                 : std::fabs(a) * (6 * computed_u() + phase.error) +
                                       3 * ulp_at(edits_.suspect.stored(tensor), value);
      if (!(std::fabs(table.tensor->number(rows_[i] * table.width() + column) - value) <= allowed)) {
        return false;
      }
    }
    return true;
  }

  /// Whether a dimension of vectors is turned by a frequency's phases.
  bool is_turned(const RotatedDimension& d, const Reference& reference,
                 const TurnPart& cosine = {Component::cosine},
                 const TurnPart& sine = {Component::sine}) const {
    const auto& vectors = *edits_.suspect.vectors();
    const auto width = vectors.head_dim();
    const double a = base_.amplitude;
    const double u = std::max(traits(edits_.suspect.stored(0)).unit_roundoff(), computed_u());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto& phase = reference.phases[i];
      const double own = vectors.input.number(rows_[i] * width + d.own);
      const double other = vectors.input.number(rows_[i] * width + d.other);
      const double value = a * (own * value_of(cosine, phase) + d.sign * other * value_of(sine, phase));
      const double allowed = std::fabs(a) * (std::fabs(own) + std::fabs(other)) * (16 * u + phase.error);
      if (!(std::fabs(vectors.rotated.number(rows_[i] * width + d.out) - value) <= allowed)) {
        return false;
      }
    }
    return true;
  }

  /// Of each pair the frequencies, as indices of its axis, that all its columns may hold. \param wanted of
  /// the components \param part that they hold; null: their own
  template <class Wanted>
  Held candidates(const Wanted& wanted, const TurnPart* part) const {
    Held result(base_.tones.size());
    std::vector<bool> has_columns(base_.tones.size());
    const auto offer = [&](int pair, const auto& holds) {
      const auto i = static_cast<std::size_t>(pair);
      std::vector<HeldRange> held;
      for (const auto& reference : references_) {
        if (reference.axis == base_.axes[i] && holds(reference)) {
          held.push_back({reference.index, reference.index});
        }
      }
      if (has_columns[i]) {
        std::erase_if(held, [&](const HeldRange& one) {
          return std::ranges::none_of(result[i],
                                      [&](const HeldRange& other) { return other.low == one.low; });
        });
      }
      has_columns[i] = true;
      result[i] = std::move(held);
    };
    if (edits_.suspect.vectors() != nullptr) {
      for (const auto& d : base_.rotated) {
        offer(d.pair, [&](const Reference& one) { return is_turned(d, one); });
      }
      return result;
    }
    for (std::size_t t = 0; t < base_.cells.size(); ++t) {
      for (std::size_t c = 0; c < base_.cells[t].size(); ++c) {
        const auto& cell = base_.cells[t][c];
        if (cell.component == Component::zero || !wanted(cell.component == Component::sine ? 1 : 0)) {
          continue;
        }
        const TurnPart own{cell.component, cell.sign, false};
        offer(cell.pair,
              [&](const Reference& one) { return holds(t, c, part == nullptr ? own : *part, one); });
      }
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (!has_columns[i]) {
        result[i] = {{index_[i], index_[i]}};  // nothing shows it
      }
    }
    return result;
  }

  std::vector<RowRule> rules_of(const Held& held, const std::string& of_part) const {
    const RowGrid grid{{}, index_.size(), "pair"};
    const std::vector<RowFeature> features{{RowFeature::Kind::position, index_, "i", "its own", 0}};
    const bool has_axes = edits_.suspect.positions().size() > 1;
    const auto tell = [&](const RowSet& set, const std::string& expression) {
      const bool is_one = set.is_told_as_one();
      const auto whose = fmt::format("frequency {} of {}", expression, is_one ? "its axis" : "their axis");
      const auto* of_pair = of_part.empty() ? "the frequency of pair {}" : "pair {}";
      const auto what = has_axes ? whose : fmt::format(fmt::runtime(of_pair), expression);
      const auto subject = set.is_whole && !has_axes     ? std::string("pair i")
                           : has_axes && !set.is_one_row ? set.rows + ", number i of the axis,"
                                                         : set.rows;
      const bool is_reversed = set.is_whole && expression == fmt::format("{} - i", index_.size() - 1);
      const auto* order = is_reversed && !has_axes ? "the pairs are in reverse order: " : "";
      return of_part.empty() ? fmt::format("{}{} {} {}", order, subject,
                                           is_one || set.is_whole ? "turns at" : "turn at", what)
                             : fmt::format("{} of {} is that of {}", of_part, subject, what);
    };
    return learn_rows(HeldIndices(held), grid, features, {tell}, most_pair_rules);
  }

  /// \return whether all pairs may hold some frequency
  bool propose_maps(const Held& held) {
    if (std::ranges::any_of(held, [](const auto& one) { return one.empty(); })) {
      return false;
    }
    for (const auto& rule : rules_of(held, "")) {
      edits_.add(rule.words, rule.bits,
                 [&](Computation& computation) { turn(computation, rule.held, true, true); });
    }
    return true;
  }

  const Reference* reference_of(double index, int axis) const {
    const auto found = std::ranges::find_if(
        references_, [=](const Reference& one) { return one.index == index && one.axis == axis; });
    return found == references_.end() ? nullptr : &*found;
  }

  /// Gives the pairs the frequencies of others: their cosines, their sines, or both.
  void turn(Computation& computation, const std::vector<double>& indices, bool cosines, bool sines) const {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto* reference = reference_of(indices[i], computation.axes[i]);
      if (reference == nullptr || indices[i] == index_[i]) {
        continue;
      }
      if (sines) {
        computation.tones[i].sine = reference->frequency;
      }
      if (cosines) {
        computation.tones[i].cosine = reference->frequency;
      }
      const auto like = static_cast<std::size_t>(reference->like);
      for (auto& parameters : computation.parameters) {
        for (auto* of_pairs : {&parameters.frequency_error, &parameters.phase_rounding}) {
          (*of_pairs)[i] = std::max((*of_pairs)[i], (*of_pairs)[like]);
        }
      }
    }
  }

  /// What the columns of one component hold, all alike: a part, and the frequencies by a map.
  struct Choice {
    const ShownPart* part = nullptr;
    std::vector<double> indices = {};
    std::string words = {};
    double bits = 0;
  };

  std::vector<Choice> choices(bool is_sine) const {
    std::vector<Choice> result;
    for (const auto& part : turn_parts()) {
      const bool is_own = part.part == own_part(is_sine);
      const auto held = candidates([=](int one) { return (one == 1) == is_sine; }, &part.part);
      if (std::ranges::any_of(held, [](const auto& one) { return one.empty(); })) {
        continue;
      }
      const std::string name = is_sine ? "the sine" : "the cosine";
      const auto words = is_own ? std::string() : fmt::format("{} is {}", name, part.words);
      const double bits = is_own ? 0 : variant_bits;
      bool is_right = true;
      for (std::size_t i = 0; i < held.size(); ++i) {
        is_right = is_right &&
                   std::ranges::any_of(held[i], [&](const HeldRange& one) { return one.low == index_[i]; });
      }
      if (is_right || part.part.component == Component::zero) {
        result.push_back({is_own ? nullptr : &part, index_, words, bits});
        continue;
      }
      for (const auto& rule : rules_of(held, std::string(part.words))) {
        result.push_back({is_own ? nullptr : &part, rule.held,
                          words.empty() ? rule.words : words + ", and " + rule.words, bits + rule.bits});
      }
    }
    return result;
  }

  void of_components() {
    const auto cosines = choices(false);
    const auto sines = choices(true);
    for (const auto& cosine : cosines) {
      for (const auto& sine : sines) {
        if (cosine.words.empty() && sine.words.empty()) {
          continue;
        }
        const bool are_both = !cosine.words.empty() && !sine.words.empty();
        const auto words = cosine.words + (are_both ? ", and " : "") + sine.words;
        const bool is_part = cosine.part != nullptr || sine.part != nullptr;
        edits_.of(is_part ? "mapping/parts" : "frequency/other-pair")
            .add(words, cosine.bits + sine.bits, [&](Computation& computation) {
              apply(computation, cosine, false);
              apply(computation, sine, true);
            });
      }
    }
  }

  static constexpr TurnPart own_part(bool is_sine) { return {is_sine ? Component::sine : Component::cosine}; }

  /// What stands in place of the cosine and the sine in one component of all pairs.
  struct ComponentParts {
    TurnParts parts;
    std::string words;  ///< none of its own
    double bits = 0;
  };

  std::vector<ComponentParts> parts_of(std::size_t component) const {
    constexpr std::size_t most_choices = 4;
    std::vector<ComponentParts> result;
    for (const auto& cosine : turn_parts()) {
      for (const auto& sine : turn_parts()) {
        const TurnParts both{cosine.part, sine.part};
        if (!turn_all(component, both)) {
          continue;
        }
        const bool is_own_cosine = cosine.part == own_part(false);
        const bool is_own_sine = sine.part == own_part(true);
        const auto of_cosine = is_own_cosine ? "" : fmt::format("the cosine is {}", cosine.words);
        const auto of_sine = is_own_sine ? "" : fmt::format("the sine is {}", sine.words);
        const bool are_both = !is_own_cosine && !is_own_sine;
        result.push_back({both, of_cosine + (are_both ? ", and " : "") + of_sine,
                          (is_own_cosine ? 0 : variant_bits) + (is_own_sine ? 0 : variant_bits)});
      }
    }
    std::ranges::stable_sort(result, {}, &ComponentParts::bits);
    result.resize(std::min(result.size(), most_choices));
    return result;
  }

  /// What stands in place of cosines and sines that turn vectors, in all pairs alike.
  void of_turns() {
    constexpr TurnParts back{own_part(false), {Component::sine, -1}};
    constexpr TurnParts exchanged{own_part(true), own_part(false)};
    const auto seconds = parts_of(1);
    for (const auto& first : parts_of(0)) {
      for (const auto& second : seconds) {
        const bool are_alike = first.parts == second.parts;
        // As declared, the other direction, and the two exchanged, which have names of their own.
        const bool is_declared = first.words.empty() && second.words.empty();
        if (is_declared || (are_alike && (first.parts == back || first.parts == exchanged))) {
          continue;
        }
        const auto in_words = [](const ComponentParts& one, std::string_view which) {
          return one.words.empty() ? std::string()
                                   : fmt::format("in the {} component of every pair {}", which, one.words);
        };
        const auto of_first = in_words(first, "first");
        const auto of_second = in_words(second, "second");
        const bool are_both = !of_first.empty() && !of_second.empty();
        edits_.of("mapping/parts")
            .add(are_alike ? first.words : of_first + (are_both ? "; " : "") + of_second,
                 are_alike ? first.bits : first.bits + second.bits + 1,
                 setting(&Computation::turn_parts, {first.parts, second.parts}));
      }
    }
  }

  /// Whether one component of all pairs is turned by these at their own frequencies.
  bool turn_all(std::size_t component, const TurnParts& by) const {
    return std::ranges::all_of(base_.rotated, [&](const RotatedDimension& d) {
      return component_of(d) != component ||
             is_turned(d, references_[static_cast<std::size_t>(d.pair)], by.cosine, by.sine);
    });
  }

  void apply(Computation& computation, const Choice& choice, bool is_sine) const {
    // The frequency is that of the component which is held.
    const bool holds_sine = choice.part == nullptr ? is_sine : choice.part->part.component == Component::sine;
    turn(computation, choice.indices, !holds_sine, holds_sine);
    if (choice.part == nullptr) {
      return;
    }
    for (std::size_t t = 0; t < computation.cells.size(); ++t) {
      for (std::size_t c = 0; c < computation.cells[t].size(); ++c) {
        if (base_.cells[t][c].component == (is_sine ? Component::sine : Component::cosine)) {
          auto& cell = computation.cells[t][c];
          cell.component = choice.part->part.component;
          cell.sign = choice.part->part.sign;
          cell.is_magnitude = choice.part->part.is_magnitude;
        }
      }
    }
  }

  const KindEdits& edits_;
  const Computation& base_;
  std::vector<std::size_t> rows_;
  BudgetModel model_;
  std::vector<Reference> references_;
  std::vector<double> index_;  ///< of each pair among those of its axis
};

void propose_learned(const KindEdits& edits) {
  PairLearner(edits).propose();
}

}  // namespace

std::span<const ShownPart> turn_parts() {
  static constexpr std::array all{ShownPart{{Component::cosine, 1, false}, "the cosine"},
                                  ShownPart{{Component::sine, 1, false}, "the sine"},
                                  ShownPart{{Component::cosine, -1, false}, "the negative cosine"},
                                  ShownPart{{Component::sine, -1, false}, "the negative sine"},
                                  ShownPart{{Component::sine, 1, true}, "the magnitude of the sine"},
                                  ShownPart{{Component::cosine, 1, true}, "the magnitude of the cosine"},
                                  ShownPart{{Component::zero, 1, false}, "zero"}};
  return all;
}

StageEdits learned_pair_edits() {
  return {{"frequency/other-pair", propose_learned}};
}

}  // namespace vernier
