#include "reports/measures/tolerances/tolerance_judgement.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include <oneapi/tbb/parallel_for.h>

#include "reference/support/input_error.hpp"
#include "reference/support/threads.hpp"
#include "reports/measures/kill_matrix/mutant.hpp"
#include "reports/measures/rates/specimen.hpp"
#include "reports/measures/rates/ways.hpp"
#include "reports/measures/tolerances/compared_tensors.hpp"

namespace vernier {
namespace {

using rates::Design;
using rates::Draw;

/// \name Streams of draws
/// @{
constexpr std::uint64_t honest_answers = 0;
constexpr std::uint64_t faulty_ones = 1;
constexpr std::uint64_t other_ones = 2;
/// @}

/// So many designs are drawn for one that keeps the contract, and for one that can have a fault.
constexpr int most_draws = 256;
constexpr int most_tolerance_designs = 6;

/// An honest implementation of the declared order, its frequencies, phases, sines and cosines drawn.
Design draw_design(const ToleranceQuestion& question, Draw& draw) {
  for (int attempt = 0; attempt < most_draws; ++attempt) {
    Design design;
    design.spec = question.encoding->spec().dump();
    design.encoding = question.encoding;
    design.type = question.type;
    design.positions = question.positions;
    rates::choose_turns(draw, design);
    const auto keeps = design.contract.value_or(std::string(default_contract(design.stored()).id));
    if (keeps != question.contract->id) {
      continue;
    }
    if (question.encoding->has<HeadRotation>()) {
      rates::rotate_in(design, question.rotation ? question.rotation->math : design.compute,
                       question.rotation && question.rotation->is_fused);
    }
    if (question.rotation) {
      design.turning.push_back(
          [tables = question.rotation->tables](std::int64_t, std::size_t, rates::Turn turn) {
            return rates::Turn{round_to(tables, turn.cosine), round_to(tables, turn.sine)};
          });
    }
    return design;
  }
  throw InputError("tolerance: --judge: no catalogued implementation keeps the contract {} in {}",
                   question.contract->id, traits(question.stored()).name);
}

std::string words_of(const Design& design) {
  std::string text;
  for (const auto& word : design.words) {
    text += (text.empty() ? "" : "; ") + word;
  }
  return text;
}

/// What an answer is compared with, and how.
class ToleranceComparison {
 public:
  ToleranceComparison(const ComparedTensors& tensors, const ToleranceQuestion& question,
                      std::span<const Tolerance> tolerances, std::uint64_t seed)
      : question_(question), tensors_(tensors), tolerances_(tolerances) {
    if (question.expected == Expected::rounded) {
      rounded_to_ = question.stored();
    } else if (question.expected == Expected::another) {
      auto draw = rates::draw_of(seed, other_ones, 0);
      another_ = draw_design(question, draw);
    }
  }

  /// Adds what is seen at some positions. \param seen one a tolerance
  void add(const Design& design, const Design& honest, std::span<const std::int64_t> positions,
           std::vector<Passing>& seen) const {
    add(design, honest, positions, tensors_.values(design, positions), seen);
  }

  /// The same of values that are known.
  void add(const Design& design, const Design& honest, std::span<const std::int64_t> positions,
           const std::vector<double>& got, std::vector<Passing>& seen) const {
    if (question_.expected == Expected::same_table) {
      compare(got, tensors_.values(by_the_same_table(design, honest), positions), seen);
    } else if (tensors_.are_all(positions)) {
      const auto& known = expected_of_all_[design.doubles_columns ? 1 : 0];
      compare(got, known.get([&] { return expected_of_any(positions, design.doubles_columns); }), seen);
    } else {
      compare(got, expected_of_any(positions, design.doubles_columns), seen);
    }
  }

  std::vector<Passing> nothing_seen() const { return std::vector<Passing>(tolerances_.size(), {true, 0}); }

 private:
  void compare(const std::vector<double>& got, const std::vector<double>& expected,
               std::vector<Passing>& seen) const {
    if (got.size() != expected.size()) {
      seen.assign(tolerances_.size(), {false, std::numeric_limits<double>::infinity()});
      return;
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double truth = rounded_to_ ? round_to(*rounded_to_, expected[i]) : expected[i];
      const double off =
          std::isfinite(got[i]) ? std::fabs(got[i] - truth) : std::numeric_limits<double>::infinity();
      for (std::size_t t = 0; t < tolerances_.size(); ++t) {
        const auto& tolerance = tolerances_[t];
        seen[t].difference = std::max(seen[t].difference, off);
        seen[t].passes = seen[t].passes && off <= tolerance.absolute + tolerance.relative * std::fabs(truth);
      }
    }
  }

  /// What any design is compared with.
  std::vector<double> expected_of_any(std::span<const std::int64_t> positions, bool doubles_columns) const {
    if (!another_) {
      return tensors_.certified(positions, doubles_columns);
    }
    auto another = *another_;
    another.doubles_columns = doubles_columns;
    return tensors_.values(another, positions);
  }

  /// What turns by the cosines and sines of the design, and does all after that honestly.
  Design by_the_same_table(const Design& design, const Design& honest) const {
    auto other = design;
    if (design.pairs.size() != honest.pairs.size()) {
      other.frequencies = honest.frequencies;  // the table has other columns than the design turns by
    }
    other.reading = honest.reading;
    other.finishing = honest.finishing;
    other.storing = honest.storing;
    rates::rotate_in(other, question_.rotation->math, !question_.rotation->is_fused);
    return other;
  }

  const ToleranceQuestion& question_;
  const ComparedTensors& tensors_;
  std::span<const Tolerance> tolerances_;
  std::optional<Format> rounded_to_;
  std::optional<Design> another_;
  std::array<MadeOnce<std::vector<double>>, 2> expected_of_all_;  ///< by whether columns are doubled
};

std::vector<JudgedHonest> judge_honest(const ToleranceQuestion& question, const ComparedTensors& tensors,
                                       const ToleranceComparison& comparison,
                                       const JudgementOptions& options) {
  std::vector<JudgedHonest> judged;
  for (int index = 0; index < 8 * options.honest && judged.size() < static_cast<std::size_t>(options.honest);
       ++index) {
    auto draw = rates::draw_of(options.seed, honest_answers, index);
    const auto design = draw_design(question, draw);
    auto words = words_of(design);
    if (std::ranges::find(judged, words, &JudgedHonest::words) != judged.end()) {
      continue;
    }
    auto seen = comparison.nothing_seen();
    comparison.add(design, design, tensors.all_positions(), seen);
    judged.push_back({std::move(words), std::move(seen)});
  }
  return judged;
}

/// The fault with some parameters in some honest implementation, and where to look for it first; nothing if
/// such an implementation cannot have it.
struct Planting {
  Design honest;
  rates::Faulty faulty;
  std::vector<std::int64_t> positions;
  std::vector<double> values;  ///< of the faulty one, there
};

std::optional<Planting> plant(const rates::Fault& kind, const ToleranceQuestion& question,
                              const ComparedTensors& tensors, Draw& draw) {
  const auto honest = draw_design(question, draw);
  auto faulty = rates::plant_in(kind, honest, honest, draw);
  if (!faulty) {
    return std::nullopt;
  }
  auto positions = tensors.some_positions(faulty->planted.telling);
  auto same = honest;
  same.doubles_columns = faulty->design.doubles_columns;
  auto values = tensors.values(faulty->design, positions);
  if (values == tensors.values(same, positions)) {
    return std::nullopt;  // it spoils other tensors
  }
  return Planting{honest, *std::move(faulty), std::move(positions), std::move(values)};
}

JudgedFault judge_fault(const rates::Fault& kind, std::uint64_t stream, const ToleranceQuestion& question,
                        const ComparedTensors& tensors, const ToleranceComparison& comparison,
                        const JudgementOptions& options) {
  JudgedFault judged{&kind, {}, {}};
  for (int index = 0; index < options.plantings; ++index) {
    auto draw = rates::draw_of(options.seed + stream, faulty_ones, index);
    for (int design = 0; design < most_tolerance_designs; ++design) {
      const auto planting = plant(kind, question, tensors, draw);
      if (!planting) {
        continue;
      }
      auto seen = comparison.nothing_seen();
      comparison.add(planting->faulty.design, planting->honest, planting->positions, planting->values, seen);
      if (std::ranges::any_of(seen, &Passing::passes)) {
        comparison.add(planting->faulty.design, planting->honest, tensors.all_positions(), seen);
      }
      judged.parameters.push_back(planting->faulty.planted.words);
      judged.plantings.push_back(std::move(seen));
      break;
    }
    if (judged.plantings.empty()) {
      break;
    }
  }
  return judged;
}

}  // namespace

bool JudgedFault::slips_through(std::size_t tolerance) const {
  return std::ranges::any_of(plantings, [=](const auto& one) { return one[tolerance].passes; });
}

std::vector<const JudgedFault*> ToleranceJudgement::slipping(std::size_t tolerance) const {
  std::vector<const JudgedFault*> result;
  for (const auto& fault : faults) {
    if (fault.slips_through(tolerance)) {
      result.push_back(&fault);
    }
  }
  return result;
}

std::vector<const JudgedHonest*> ToleranceJudgement::rejected(std::size_t tolerance) const {
  std::vector<const JudgedHonest*> result;
  for (const auto& one : honest) {
    if (!one.passing[tolerance].passes) {
      result.push_back(&one);
    }
  }
  return result;
}

ToleranceJudgement judge_tolerances(const ToleranceQuestion& question, std::span<const Tolerance> tolerances,
                                    const JudgementOptions& options) {
  assert(question.positions.step == 1);
  const ComparedTensors tensors(question, options.seed);
  const ToleranceComparison comparison(tensors, question, tolerances, options.seed);
  ToleranceJudgement judgement;
  judgement.tolerances.assign(tolerances.begin(), tolerances.end());
  judgement.positions = static_cast<std::int64_t>(tensors.all_positions().size());
  judgement.honest = judge_honest(question, tensors, comparison, options);
  std::vector<const rates::Fault*> kinds;
  std::ranges::copy_if(kill_matrix::stored_kinds(), std::back_inserter(kinds),
                       [](const rates::Fault* kind) { return kind->shows == rates::Shows::values; });
  std::vector<JudgedFault> judged(kinds.size());
  with_threads(options.threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, kinds.size(), [&](std::size_t i) {
      judged[i] = judge_fault(*kinds[i], i, question, tensors, comparison, options);
    });
  });
  std::ranges::copy_if(judged, std::back_inserter(judgement.faults),
                       [](const JudgedFault& fault) { return !fault.plantings.empty(); });
  return judgement;
}

}  // namespace vernier
