#include "numerics/diagnosis/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/computation/prediction.hpp"
#include "numerics/diagnosis/candidates.hpp"
#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/regions/regions.hpp"
#include "numerics/diagnosis/stages/position.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"
#include "numerics/diagnosis/unexplained.hpp"
#include "reference/support/mapped.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

constexpr std::size_t screened_rows = 48;
/// Of the declared computation, where all of a table take long.
constexpr std::size_t looked_at_rows = 4096;
/// A computation that fails more than this share of the elements of the screen explains nothing.
constexpr double most_failing_share = 0.3;
/// Damage is looked for beside so many computations, those that fail least.
constexpr std::size_t most_looked_at_for_damage = 6;
/// No more computations are tried in pairs once so many were: what a second allows.
constexpr std::size_t most_searched = 6000;
/// Nor once their measurements have looked at so many elements: of a tensor with millions, that is all that
/// can be waited for.
constexpr std::uint64_t most_looked_at = std::uint64_t{1} << 27;
/// All that regions are looked for in, as every element is looked at: a few seconds' work.
constexpr std::size_t most_elements_of_regions = std::size_t{1} << 19;
/// A frequency belongs to the measured ones if so many pairs agree.
constexpr double agreeing_share = 0.85;

/// Measurements rest on positions and phases as declared. Where a computation is known, measured frequencies
/// say more only if they are what is at fault, and these are not.
bool is_told_by_frequencies(const Explanation& explanation) {
  const auto has = [&](Stage stage) {
    return std::ranges::any_of(explanation.findings,
                               [=](const Finding& finding) { return finding.kind->stage == stage; });
  };
  return has(Stage::frequency) && !has(Stage::position) && !has(Stage::phase);
}

/// Whether a stage belongs to what tables and the vectors rotated by them have in common: what the angles are
/// of, from frequencies to the amplitude.
bool is_common(Stage stage) {
  return stage >= Stage::frequency && stage <= Stage::amplitude;
}

/// The computation with all of another's common part, as was found of other tensors of one implementation.
/// Nothing where the two are declared to have other pairs or rows. \param declared, other_declared of the
/// two, as their specs declare them
std::optional<Computation> with_common_part(const Computation& declared, const Computation& other,
                                            const Computation& other_declared) {
  if (declared.tones != other_declared.tones || declared.axes != other_declared.axes ||
      *declared.places != *other_declared.places || other.tones.size() != declared.tones.size()) {
    return std::nullopt;
  }
  auto result = declared;
  result.tones = other.tones;
  for (auto& parameters : result.parameters) {
    parameters.frequency_error = other.parameters.front().frequency_error;
    parameters.phase_rounding = other.parameters.front().phase_rounding;
  }
  result.places = other.places;
  result.place_format = other.place_format;
  result.places_are_sums = other.places_are_sums;
  result.place_terms = other.place_terms;
  result.rounded_places = other.rounded_places;
  result.phase_format = other.phase_format;
  result.phase_shift = other.phase_shift;
  result.period = other.period;
  result.phase_step = other.phase_step;
  result.zero_beyond = other.zero_beyond;
  result.trigonometry_error = other.trigonometry_error;
  result.amplitude = other.amplitude;
  return result;
}

class DiagnosisSearch {
 public:
  /// \param known of other tensors of the same implementation; may be null
  DiagnosisSearch(const Suspect& suspect, const Diagnosis* known, unsigned threads)
      : suspect_(suspect),
        known_(known),
        threads_(threads),
        screen_(telling_rows(suspect, screened_rows)),
        acceptance_(suspect, singles_, threads) {}

  DiagnosisSearch(const DiagnosisSearch&) = delete;  // a member refers to another

  Diagnosis run() {
    result_.roles = suspect_.roles();
    result_.declared = std::make_shared<Computation>(suspect_.declared());
    const auto recovery = recover(suspect_, suspect_.declared());
    const auto failures = failures_of_declared();
    if (failures.failing == 0) {
      return std::move(result_);  // what fails is no single element: the declared computation predicts all
    }
    screen_.push_back(failures.worst_row);
    if (auto damage = find_damage(suspect_, suspect_.declared())) {
      acceptance_.accept(*std::move(damage));
    }
    const Candidate declared{{}, 0, suspect_.declared(), screened(suspect_.declared(), most_single())};
    singles_ = known_candidates();
    std::ranges::move(edits_of(declared, recovery, most_single(), Look::first), std::back_inserter(singles_));
    acceptance_.accept_all(singles_);
    if (acceptance_.is_worth_more_than(likely_bits)) {
      look_for_damage();
    }
    if (acceptance_.is_worth_more_than(1.5 * likely_bits)) {
      const auto leading_rows = recover(suspect_, suspect_.declared(), 0.5);
      combine(recovery, leading_rows);
    }
    if (acceptance_.is_worth_more_than(2 * likely_bits)) {
      const auto nearest = nearest_candidates(suspect_, screen_, declared, singles_);
      look_closer(nearest, Look::closer);
      if (acceptance_.is_worth_more_than(2 * likely_bits) && !is_nearly_explained()) {
        acceptance_.accept_all(edits_of(declared, recovery, most_single(), Look::last_resorts));
        look_closer(nearest, Look::last_resorts);
      }
    }
    if (acceptance_.is_worth_more_than(likely_bits)) {
      look_at_regions(declared);
    }
    if (const auto* nearest = nearest_single();
        nearest != nullptr && acceptance_.is_worth_more_than(2 * likely_bits)) {
      look_at_regions(*nearest);
    }
    rank(failures);
    result_.tried = nearest_tried();
    if (!result_.is_explained() || is_told_by_frequencies(result_.explanations.front())) {
      result_.frequencies = recovered_frequencies(recovery, suspect_, threads_);
    }
    if (!result_.is_explained()) {
      tell_partial(declared);
    }
    return std::move(result_);
  }

 private:
  /// Whether one edit leaves no more than noise of a budget's size: then what is allowed by a last resort
  /// would take the place of the edit.
  bool is_nearly_explained() const {
    return std::ranges::any_of(singles_, [&](const Candidate& one) {
      return one.screen.failing <= most_single() && one.screen.largest_budget_ratio <= clear_failure &&
             Predictor(suspect_, one.computation).compare_all(threads_, clear_failure).largest_budget_ratio <=
                 clear_failure &&
             acceptance_.needs_its_edits(one);
    });
  }

  std::uint64_t most_single() const {
    return static_cast<std::uint64_t>(most_failing_share *
                                      static_cast<double>(suspect_.width() * screen_.size()));
  }

  Prediction screened(const Computation& computation, std::uint64_t most_failing) const {
    return Predictor(suspect_, computation).compare(screen_, most_failing);
  }

  /// What other tensors were found to have in common with these. It is told of them already, so that it takes
  /// next to nothing to say.
  std::vector<Candidate> known_candidates() {
    std::vector<Candidate> result;
    const auto* known = known_;
    if (known == nullptr || !known->is_explained() || !known->declared) {
      return result;
    }
    for (const auto& explanation : known->explanations) {
      std::optional<Computation> computation;
      if (explanation.computation) {
        computation = with_common_part(suspect_.declared(), *explanation.computation, *known->declared);
      }
      Candidate one{{}, flag_bits + explanation.bits - known->explanations.front().bits, {}};
      std::ranges::copy_if(explanation.findings, std::back_inserter(one.findings),
                           [](const Finding& finding) { return is_common(finding.kind->stage); });
      if (!computation || one.findings.empty()) {
        continue;
      }
      one.stage = one.findings.back().kind->stage;
      one.is_known = true;
      one.computation = std::move(*computation);
      one.screen = screened(one.computation, most_single());
      result.push_back(std::move(one));
    }
    result_.searched += result.size();
    return result;
  }

  /// Which edits of a candidate are tried.
  enum class Look {
    first,        ///< those of the stages after its last one
    closer,       ///< those of every other stage, with numbers measured to the last bit
    last_resorts  ///< the same of what is tried where nothing else predicts
  };

  /// The edits of a candidate. Positions are read off the rows by all of a computation, whatever
  /// stage is edited first; and what is known of other tensors says nothing of the stages that it does not
  /// name.
  Proposals proposals_of(const Candidate& base, const Recovery& recovery, Look look) const {
    // Numbers are measured to the last bit beside what disturbs no measurement.
    const bool is_thorough = look != Look::first || base.findings.empty() || base.is_known ||
                             base.stage == Stage::direction || base.stage == Stage::position;
    const auto is_wanted = [&](const StageEdit& edit) {
      const auto stage = edit.stage();
      const bool is_other = (base.is_known || stage == Stage::position) && !base.has(stage);
      const bool is_looked_at = base.findings.empty() ||
                                (look == Look::first ? stage > base.stage || is_other : stage != base.stage);
      return is_looked_at && edit.is_last_resort == (look == Look::last_resorts);
    };
    const Clues clues{suspect_, base.computation, recovery, is_thorough};
    const auto& edits = stage_edits();
    std::vector<Proposals> by_edit(edits.size());
    oneapi::tbb::parallel_for(std::size_t{0}, edits.size(), [&](std::size_t i) {
      if (is_wanted(edits[i])) {
        edits[i].propose({clues, fault_kind(edits[i].kind), by_edit[i]});
        for (auto& proposal : by_edit[i]) {
          proposal.stage = edits[i].edited.value_or(proposal.finding.kind->stage);
        }
      }
    });
    Proposals proposals;
    for (auto& of_edit : by_edit) {
      std::ranges::move(of_edit, std::back_inserter(proposals));
    }
    // Frequencies that follow nothing have any sign, and any scale.
    const auto is_void = [&](const Proposal& one) {
      return one.finding.kind->id == "frequency/unknown" &&
             (base.has(Stage::direction) || base.has(Stage::position));
    };
    std::erase_if(proposals, is_void);
    return proposals;
  }

  std::vector<Candidate> edits_of(const Candidate& base, const Recovery& recovery, std::uint64_t most_failing,
                                  Look look) {
    auto result = candidates_of(base, proposals_of(base, recovery, look));
    oneapi::tbb::parallel_for(std::size_t{0}, result.size(), [&](std::size_t i) {
      result[i].screen = screened(result[i].computation, most_failing);
    });
    return result;
  }

  /// Not screened.
  std::vector<Candidate> candidates_of(const Candidate& base, Proposals proposals) {
    result_.searched += proposals.size();
    std::vector<Candidate> result;
    for (auto& proposal : proposals) {
      Candidate one{base.findings, base.bits + proposal.bits, std::move(proposal.computation)};
      one.stage = proposal.stage;
      one.findings.push_back(std::move(proposal.finding));
      result.push_back(std::move(one));
    }
    return result;
  }

  /// Of some rows, unless only others show that elements fail.
  Prediction failures_of_declared() const {
    const auto some =
        Predictor(suspect_, suspect_.declared())
            .compare(telling_rows(suspect_, looked_at_rows), std::numeric_limits<std::uint64_t>::max());
    return some.clearly_failing > 0 ? some : compared(suspect_.declared());
  }

  Prediction compared(const Computation& computation) const {
    return Predictor(suspect_, computation).compare_all(threads_);
  }

  void look_for_damage() {
    std::vector<const Candidate*> nearest;
    for (const auto& one : singles_) {
      if (one.failing_share() < most_failing_share) {
        nearest.push_back(&one);
      }
    }
    // The screen may have none of the few rows that a map of positions is read off.
    std::ranges::stable_sort(nearest, {}, [](const Candidate* one) {
      constexpr double few_rows = 0.02;
      return one->failing_share() - (one->has(Stage::position) ? few_rows : 0);
    });
    nearest.resize(std::min(nearest.size(), most_looked_at_for_damage));
    for (const auto* one : nearest) {
      auto damage = find_damage(suspect_, one->computation);
      const bool is_moved = std::ranges::any_of(one->findings, is_of_phases);
      if (damage && (!is_moved || is_needed_beside_damage(suspect_, one->computation, threads_))) {
        damage->findings.insert(damage->findings.begin(), one->findings.begin(), one->findings.end());
        damage->bits += one->bits;
        damage->computation = std::make_shared<Computation>(one->computation);
        acceptance_.accept(*std::move(damage));
      }
    }
  }

  /// Whether measured frequencies are those of the computation, in most pairs that can tell.
  static bool agrees(const Recovery& recovery, const Computation& computation) {
    return recovery.agreement(computation.frequencies(), computation.parameters.front().frequency_error) >=
           agreeing_share;
  }

  /// Two edits of different stages.
  void combine(const Recovery& declared_recovery, const Recovery& leading_rows) {
    const auto looked_at_once = suspect_.width() * measured_rows(suspect_).size();
    std::uint64_t looked_at = 0;
    for (const auto& first : singles_) {
      if (result_.searched > most_searched || looked_at > most_looked_at) {
        return;
      }
      const bool is_remapped =
          first.stage <= Stage::direction || first.stage == Stage::rotation || first.has(Stage::position);
      std::optional<Recovery> own;
      if (is_remapped) {
        own = recover(suspect_, first.computation);
        if (!own->is_coherent() && declared_recovery.is_coherent()) {
          continue;
        }
      }
      const auto& recovery = own ? *own : declared_recovery;
      if (first.stage == Stage::frequency && !first.is_known && recovery.is_coherent() &&
          !agrees(recovery, first.computation) && !agrees(leading_rows, first.computation)) {
        continue;
      }
      acceptance_.accept_all(edits_of(first, recovery, 0, Look::first));
      looked_at += looked_at_once;
    }
  }

  /// Two edits of which the second is measured beside the first, as if that were declared: of the nearest
  /// computations, until something predicts.
  void look_closer(const std::vector<const Candidate*>& nearest, Look look) {
    for (const auto* one : nearest) {
      if (acceptance_.is_worth_more_than(2 * likely_bits)) {
        acceptance_.accept_all(edits_of(*one, recover(suspect_, one->computation), 0, look));
      }
    }
  }

  /// One edit here, another there, beside edits of all or none: those that were tried of all, and those that
  /// show in what fails.
  void look_at_regions(const Candidate& base) {
    if (suspect_.rows() * suspect_.width() > most_elements_of_regions) {
      return;
    }
    const Misses misses(suspect_, base.computation);
    const auto edits = [&](const Misses& some) { return edits_of_failing(base, some); };
    const std::span<const Candidate> tried(singles_);
    if (auto explanation = explained_by_regions(
            suspect_, base, misses, base.findings.empty() ? tried : tried.first(0), edits, threads_)) {
      acceptance_.accept(*std::move(explanation));
    }
  }

  /// Edits that show in what fails.
  std::vector<Candidate> edits_of_failing(const Candidate& base, const Misses& misses) {
    const auto of_failing = recover(suspect_, base.computation, [&](std::size_t row, std::size_t pair) {
      return misses.fails_in_pair(row, pair);
    });
    auto proposals = proposals_of(base, of_failing, Look::first);
    std::ranges::move(edits_of_regions(suspect_, misses, of_failing), std::back_inserter(proposals));
    return candidates_of(base, std::move(proposals));
  }

  /// The edit that leaves the fewest elements failing, if those are few; else null.
  const Candidate* nearest_single() const {
    const Candidate* best = nullptr;
    for (const auto& one : singles_) {
      if (one.screen.failing <= most_single() &&
          (best == nullptr || one.failing_share() < best->failing_share())) {
        best = &one;
      }
    }
    return best;
  }

  void tell_partial(const Candidate& declared) {
    const auto whole = compared(suspect_.declared());
    const auto* best = nearest_single();
    const bool is_nearer = best != nullptr && 2 * best->failing_share() < declared.failing_share();
    const auto nearer = is_nearer ? compared(best->computation) : whole;
    // One that predicts all and was refused explains nothing.
    const bool is_told = 0 < nearer.failing && 2 * nearer.failing < whole.failing;
    if (is_told) {
      result_.partial.push_back({best->findings, nearer, best->bits});
    }
    result_.held = what_is_held(suspect_, result_.frequencies);
    result_.rest = is_told ? "With that, " + where_the_rest_lies(suspect_, best->computation, threads_)
                           : where_the_rest_lies(suspect_, declared.computation, threads_);
  }

  /// What elements that miss say in bits, at most: a change as large as what one misses by, r budgets, brings
  /// it within its budget once in r, and any other change once in two.
  static double evidence_of(const Prediction& failures) {
    return static_cast<double>(failures.failing) * std::max(1.0, std::log2(failures.largest_budget_ratio));
  }

  /// Leaves out explanations that take more bits to say than the failing elements hold: among all that were
  /// tried, some fit by chance. Damage says no more than that these elements are wrong. \param some failures
  /// of the declared computation
  void leave_out_chance(const Prediction& some) {
    double evidence = evidence_of(some);
    const auto says_more = [&](const Explanation& one) {
      return one.findings.front().kind->stage != Stage::damage && one.bits > evidence;
    };
    if (std::ranges::any_of(result_.explanations, says_more)) {
      evidence = evidence_of(compared(suspect_.declared()));
      std::erase_if(result_.explanations, says_more);
    }
  }

  void rank(const Prediction& failures) {
    result_.explanations = acceptance_.accepted();
    leave_out_chance(failures);
    if (!result_.explanations.empty()) {
      keep_likeliest(result_.explanations);
    }
  }

  /// Why a computation is told as an explanation, or is not.
  std::string outcome_of(const Candidate& one) const {
    const auto sentence = sentence_of({one.findings});
    const auto is_it = [&](const Explanation& explanation) { return sentence_of(explanation) == sentence; };
    if (std::ranges::any_of(result_.explanations, is_it)) {
      return "explains the tensors";
    }
    if (std::ranges::any_of(acceptance_.accepted(), is_it)) {
      return "predicts every element, but takes more bits to say";
    }
    if (one.screen.failing > 0) {
      return fmt::format("leaves {} of {} elements of the sample", one.screen.failing, one.screen.conclusive);
    }
    return acceptance_.needs_its_edits(one) ? "leaves elements outside the sample, or takes more bits to say"
                                            : "allows what fails, and explains it no better than no edit";
  }

  std::vector<TriedComputation> nearest_tried() const {
    constexpr std::size_t most_told = 20;
    auto nearest = pointers_to(singles_, [](const Candidate&) { return true; });
    std::ranges::stable_sort(nearest, {},
                             [](const Candidate* one) { return std::pair(one->screen.failing, one->bits); });
    nearest.resize(std::min(nearest.size(), most_told));
    return mapped(nearest, [&](const Candidate* one) {
      return TriedComputation{sentence_of({one->findings}), one->bits, one->screen, outcome_of(*one)};
    });
  }

  const Suspect& suspect_;
  const Diagnosis* known_;
  unsigned threads_;
  std::vector<std::size_t> screen_;  ///< rows
  std::vector<Candidate> singles_;   ///< the declared computation with one edit
  Acceptance acceptance_;
  Diagnosis result_;
};

std::optional<bool> are_declared_by(const Suspect& suspect, const OrderedJson& patch) {
  const auto edited = suspect.declared_by(patch);
  return edited ? std::optional(Predictor(suspect, *edited).compare_all(1, 1).failing == 0) : std::nullopt;
}

}  // namespace

std::optional<bool> tables_agree(const Case& subject, const OrderedJson& patch) {
  return are_declared_by(Suspect::of_tables(subject), patch);
}

std::optional<bool> vectors_agree(const Encoding& encoding, const RotatedTensor& vectors,
                                  const OrderedJson& patch) {
  return are_declared_by(Suspect::of_vectors(encoding, vectors), patch);
}

Diagnosis diagnose_tables(const Case& subject, unsigned threads, const Diagnosis* known) {
  const auto of_tables = Suspect::of_tables(subject);
  return DiagnosisSearch(of_tables, known, threads).run();
}

Diagnosis diagnose_vectors(const Encoding& encoding, const RotatedTensor& vectors, unsigned threads,
                           const Diagnosis* known) {
  const auto of_vectors = Suspect::of_vectors(encoding, vectors);
  auto result = DiagnosisSearch(of_vectors, known, threads).run();
  for (auto& explanation : result.explanations) {
    auto& sentence = explanation.findings.front().sentence;
    if (vectors.rotation.is_gradient && sentence.find("gradient") == std::string::npos) {
      sentence = "in the gradient, " + sentence;
    }
  }
  return result;
}

}  // namespace vernier
