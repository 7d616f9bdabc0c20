#include "numerics/diagnosis/diagnosis.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/diagnosis/computation/common_part.hpp"
#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/diagnosis/consequence.hpp"
#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/description_length.hpp"
#include "numerics/diagnosis/stages/position_maps.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

constexpr std::size_t screened_rows = 48;
/// So long is a single edit with a usual number.
constexpr double likely_bits = 20;
/// A computation that fails more than this share of the elements of the screen explains nothing.
constexpr double most_failing_share = 0.3;
/// Damage is looked for beside so many computations, those that fail least.
constexpr std::size_t most_looked_at_for_damage = 6;
/// No more computations are tried in pairs once so many were: what a second allows.
constexpr std::size_t most_searched = 6000;
/// A frequency belongs to the measured ones if so many pairs agree.
constexpr double agreeing_share = 0.85;

/// A computation with the edits that lead to it, and how the screen found it.
struct Candidate {
  std::vector<Finding> findings;
  double bits = 0;
  Computation computation;
  Prediction screen = {};
  Stage stage = Stage::mapping;  ///< of the last edit
  bool is_known = false;         ///< from other tensors

  bool has(Stage one) const {
    return std::ranges::any_of(findings, [=](const Finding& finding) { return finding.kind->stage == one; });
  }

  double failing_share() const {
    return screen.conclusive == 0
               ? 1
               : static_cast<double>(screen.failing) / static_cast<double>(screen.conclusive);
  }
};

/// Measurements rest on positions and phases as declared. Where a computation is known, measured frequencies
/// say more only if they are what is at fault, and these are not.
bool is_told_by_frequencies(const Explanation& explanation) {
  const auto has = [&](Stage stage) {
    return std::ranges::any_of(explanation.findings,
                               [=](const Finding& finding) { return finding.kind->stage == stage; });
  };
  return has(Stage::frequency) && !has(Stage::position) && !has(Stage::phase);
}

class Search {
 public:
  /// \param known of other tensors of the same implementation; may be null
  Search(const Suspect& suspect, const Diagnosis* known, unsigned threads)
      : suspect_(suspect), known_(known), threads_(threads), rows_(telling_rows(suspect, screened_rows)) {}

  Diagnosis run() {
    result_.roles = suspect_.roles();
    result_.declared = std::make_shared<Computation>(suspect_.declared());
    const Candidate declared{{}, 0, suspect_.declared(), screened(suspect_.declared(), most_single())};
    const auto recovery = recover(suspect_, suspect_.declared());
    result_.frequencies = recovered_frequencies(recovery, suspect_);
    const auto whole = Predictor(suspect_, suspect_.declared()).compare_all(threads_);
    if (whole.failing == 0) {
      return std::move(result_);  // what fails is no single element: the declared computation predicts all
    }
    auto singles = known_candidates();
    std::ranges::move(edits_of(declared, recovery, most_single(), false), std::back_inserter(singles));
    accept_all(singles);
    if (is_worth_more_than(likely_bits)) {
      look_for_damage(declared, singles);
    }
    if (is_worth_more_than(1.5 * likely_bits)) {
      const auto leading_rows = recover(suspect_, suspect_.declared(), 0.5);
      combine_places(declared, recovery, leading_rows);
      combine(singles, recovery, leading_rows);
    }
    if (accepted_.empty()) {
      accept_all(edits_of(declared, recovery, most_single(), true));
      for (const auto& first : singles) {
        if (first.stage == Stage::frequency && first.bits <= likely_bits && recovery.is_coherent() &&
            agrees(recovery, first.computation)) {
          accept_all(edits_of(first, recovery, 0, true));
        }
      }
    }
    if (accepted_.empty()) {
      tell_partial(declared, singles, whole);
    }
    rank();
    return std::move(result_);
  }

 private:
  /// Whether nothing is accepted, or nothing as short as this: a shorter description may be found.
  bool is_worth_more_than(double bits) const {
    return std::ranges::all_of(accepted_, [&](const Explanation& one) { return one.bits > bits; });
  }

  std::uint64_t most_single() const {
    return static_cast<std::uint64_t>(most_failing_share * static_cast<double>(elements_of_screen()));
  }

  std::uint64_t elements_of_screen() const {
    std::uint64_t width = 0;
    for (std::size_t t = 0; t < suspect_.tensors(); ++t) {
      width += suspect_.vectors() != nullptr ? suspect_.vectors()->head_dim() : suspect_.tables()[t].width();
    }
    return width * rows_.size();
  }

  Prediction screened(const Computation& computation, std::uint64_t most_failing) const {
    return Predictor(suspect_, computation).compare(rows_, most_failing);
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

  /// The edits of a candidate by the stages after its last one, screened. Positions are read off the rows by
  /// all of a computation, whatever stage is edited first; and what is known of other tensors says nothing of
  /// the stages that it does not name.
  std::vector<Candidate> edits_of(const Candidate& base, const Recovery& recovery, std::uint64_t most_failing,
                                  bool are_last_resorts) {
    return edits_by(base, recovery, most_failing, [&](const StageEdit& edit) {
      const auto stage = edit.stage();
      const bool is_other = base.is_known ? !base.has(stage) : stage == Stage::position && !base.has(stage);
      return (base.findings.empty() || stage > base.stage || is_other) &&
             edit.is_last_resort == are_last_resorts;
    });
  }

  template <class Wanted>
  std::vector<Candidate> edits_by(const Candidate& base, const Recovery& recovery, std::uint64_t most_failing,
                                  const Wanted& is_wanted) {
    Proposals proposals;
    const bool is_thorough = base.findings.empty() || base.is_known || base.stage == Stage::direction ||
                             base.stage == Stage::position;
    const Clues clues{suspect_, base.computation, recovery, is_thorough};
    for (const auto& edit : stage_edits()) {
      if (is_wanted(edit)) {
        const auto before = proposals.size();
        edit.propose(clues, *edit.kind, proposals);
        for (auto i = before; i < proposals.size(); ++i) {
          proposals[i].stage = edit.edited.value_or(proposals[i].finding.kind->stage);
        }
      }
    }
    // Frequencies that follow nothing have any sign, and any scale.
    const auto is_void = [&](const Proposal& one) {
      return one.finding.kind->id == "frequency/unknown" &&
             (base.has(Stage::direction) || base.has(Stage::position));
    };
    std::erase_if(proposals, is_void);
    return screened_all(base, std::move(proposals), most_failing);
  }

  std::vector<Candidate> screened_all(const Candidate& base, Proposals proposals,
                                      std::uint64_t most_failing) {
    std::vector<Candidate> result(proposals.size());
    oneapi::tbb::parallel_for(std::size_t{0}, proposals.size(), [&](std::size_t i) {
      auto& one = result[i];
      one.findings = base.findings;
      one.stage = proposals[i].stage;
      one.findings.push_back(std::move(proposals[i].finding));
      one.bits = base.bits + proposals[i].bits;
      one.computation = std::move(proposals[i].computation);
      one.screen = screened(one.computation, most_failing);
    });
    result_.searched += result.size();
    return result;
  }

  /// Accepts the candidate if it predicts every element that proves something, and enough do.
  void accept(const Candidate& candidate) {
    if (candidate.screen.failing > 0) {
      return;
    }
    const auto whole = Predictor(suspect_, candidate.computation).compare_all(threads_);
    if (whole.is_proved()) {
      auto findings = candidate.findings;
      std::ranges::stable_sort(findings, {}, [](const Finding& finding) { return finding.kind->stage; });
      accepted_.push_back({std::move(findings), whole, candidate.bits,
                           consequence_of(suspect_, candidate.computation),
                           std::make_shared<Computation>(candidate.computation)});
    }
  }

  void accept_all(const std::vector<Candidate>& candidates) {
    for (const auto& candidate : candidates) {
      accept(candidate);
    }
  }

  void look_for_damage(const Candidate& declared, const std::vector<Candidate>& singles) {
    std::vector<const Candidate*> nearest{&declared};
    for (const auto& one : singles) {
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
      if (damage && damage->rest.is_proved()) {
        Explanation explanation{one->findings, damage->rest, one->bits + damage->bits};
        std::ranges::move(damage->findings, std::back_inserter(explanation.findings));
        explanation.computation = std::make_shared<Computation>(one->computation);
        accepted_.push_back(std::move(explanation));
      }
    }
  }

  /// Whether measured frequencies are those of the computation, in most pairs that can tell.
  static bool agrees(const Recovery& recovery, const Computation& computation) {
    std::vector<double> frequencies;
    for (int pair = 0; pair < computation.pairs(); ++pair) {
      frequencies.push_back(computation.frequency(pair));
    }
    return recovery.agreement(frequencies, computation.parameters.front().frequency_error) >= agreeing_share;
  }

  /// Edits of frequencies beside one of places, which disturbs their measurement: rows are read by measured
  /// frequencies, which those before a wrap, a clamp or a jump tell; and then measured once more.
  void combine_places(const Candidate& declared, const Recovery& recovery, const Recovery& leading_rows) {
    if (!recovery.is_coherent()) {
      return;
    }
    Proposals proposals;
    for (const auto* one : {&recovery, &leading_rows}) {
      const auto measured = with_measured_frequencies(declared.computation, *one);
      propose_position_maps({suspect_, measured, *one}, proposals);
      if (!proposals.empty()) {
        break;
      }
    }
    for (auto& proposal : proposals) {
      proposal.computation.tones = declared.computation.tones;
      proposal.computation.parameters = declared.computation.parameters;
    }
    for (const auto& first : screened_all(declared, std::move(proposals), most_single())) {
      accept_frequencies(first, recover(suspect_, first.computation));
    }
    std::vector<ScaledPlaces> scaled;
    propose_scaled_places({suspect_, declared.computation, recovery}, scaled);
    for (auto& [proposal, factor] : scaled) {
      accept_frequencies(screened_all(declared, {std::move(proposal)}, most_single()).front(),
                         recovery.scaled(factor), true);
    }
  }

  /// \param are_rounded whether places are products, which are rounded before frequencies multiply them
  void accept_frequencies(const Candidate& first, const Recovery& recovery, bool are_rounded = false) {
    if (result_.searched > most_searched) {
      return;
    }
    auto candidates = edits_by(first, recovery, 0, [](const StageEdit& edit) {
      return edit.kind->stage == Stage::frequency && !edit.is_last_resort;
    });
    for (auto& one : candidates) {
      if (are_rounded) {
        one.computation.allow_rounded_places();
        one.screen = screened(one.computation, 0);
      }
    }
    accept_all(candidates);
  }

  /// Two edits of different stages.
  void combine(const std::vector<Candidate>& singles, const Recovery& declared_recovery,
               const Recovery& leading_rows) {
    for (const auto& first : singles) {
      if (result_.searched > most_searched) {
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
      accept_all(edits_of(first, recovery, 0, false));
    }
  }

  void tell_partial(const Candidate& declared, const std::vector<Candidate>& singles,
                    const Prediction& whole) {
    const Candidate* best = nullptr;
    for (const auto& one : singles) {
      if (one.screen.failing <= most_single() &&
          (best == nullptr || one.failing_share() < best->failing_share())) {
        best = &one;
      }
    }
    const bool is_better = best != nullptr && 2 * best->failing_share() < declared.failing_share();
    const auto& computation = is_better ? best->computation : declared.computation;
    const auto prediction = is_better ? Predictor(suspect_, computation).compare_all(threads_) : whole;
    if (is_better && 2 * prediction.failing < whole.failing) {
      result_.partial.push_back({best->findings, prediction, best->bits});
    }
    result_.rest = where_the_rest_lies(computation);
  }

  /// Where elements fail, in pairs and rows of the screen.
  std::string where_the_rest_lies(const Computation& computation) const {
    std::set<int> pairs;
    std::set<std::int64_t> positions;
    std::uint64_t failing = 0;
    std::uint64_t elements = 0;
    const Predictor predictor(suspect_, computation);
    for (const auto row : rows_) {
      predictor.visit(row, [&](const PredictedElement& one) {
        ++elements;
        if (one.fails()) {
          ++failing;
          pairs.insert(one.pair);
          positions.insert(suspect_.positions().front()[row]);
        }
      });
    }
    if (failing == 0) {
      return "What fails lies in few rows.";
    }
    return fmt::format(
        "{:.0f} % of the elements fail, in {} of {} pairs from {} to {}, at positions from {} to {}.",
        100.0 * static_cast<double>(failing) / static_cast<double>(elements), pairs.size(),
        computation.pairs(), *pairs.begin(), *pairs.rbegin(), *positions.begin(), *positions.rbegin());
  }

  void rank() {
    result_.explanations = std::move(accepted_);
    if (!result_.explanations.empty()) {
      keep_likeliest(result_.explanations);
      if (!is_told_by_frequencies(result_.explanations.front())) {
        result_.frequencies.clear();
      }
    }
  }

  const Suspect& suspect_;
  const Diagnosis* known_;
  unsigned threads_;
  std::vector<std::size_t> rows_;
  std::vector<Explanation> accepted_;
  Diagnosis result_;
};

}  // namespace

Diagnosis diagnose_tables(const Case& subject, unsigned threads, const Diagnosis* known) {
  const auto of_tables = Suspect::of_tables(subject);
  return Search(of_tables, known, threads).run();
}

Diagnosis diagnose_scaled_tables(std::span<const ScaledTensor> tables,
                                 std::span<const std::int64_t> positions, const Encoding& encoding,
                                 unsigned threads) {
  const auto of_tables = Suspect::of_scaled_tables(encoding, tables, positions);
  return Search(of_tables, nullptr, threads).run();
}

Diagnosis diagnose_vectors(const Encoding& encoding, const RotatedTensor& vectors, unsigned threads,
                           const Diagnosis* known) {
  const auto of_vectors = Suspect::of_vectors(encoding, vectors);
  return Search(of_vectors, known, threads).run();
}

}  // namespace vernier
