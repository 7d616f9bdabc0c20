#include "numerics/arithmetic/near_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "numerics/arithmetic/rounding.hpp"

namespace vernier {
namespace {

/// A sine is a class of its own if it is within `most_ulps` of the true sine of some phase, and every phase
/// that is not near leaves `least_margin` times the error.
constexpr double most_ulps = 4;
constexpr double least_margin = 100;
/// A candidate is near with at most this share of exceptions beyond the best one's, and the best is near with
/// at most `most_exceptions`. Chosen, not derived: no share separates damage from another arithmetic, so that
/// only what all near ones have in common is claimed. drawn_arithmetics.py --spoiled counts what that lets
/// by.
constexpr double near_share = 0.02;
constexpr double most_exceptions = 0.05;
constexpr std::size_t sampled_elements = 1500;

constexpr std::string_view agreed = "all near candidates agree";

/// Stages with one way in all of these. \param stages that may be claimed
void claim_agreed(ArithmeticFinding& finding, const std::vector<ArithmeticWays>& near,
                  const std::function<bool(ArithmeticStage)>& may_be) {
  for (auto& stage : projected({{near, {}, {}}})) {
    if (stage.is_settled() && may_be(stage.stage)) {
      stage.reason = agreed;
      finding.stages.push_back(std::move(stage));
    }
  }
}

/// The greatest error of a table's sines against the true ones of a phase.
struct ClassError {
  double ulps = 0;         ///< of the result
  double ulps_of_one = 0;  ///< by which classes are ranked: poor sines are poorest, in ulp, near their zeros

  void take(Format format, double stored, long double truth) {
    const double error = static_cast<double>(std::fabs(static_cast<long double>(stored) - truth));
    const bool is_number = std::isfinite(error);
    ulps = std::max(ulps, is_number ? error / ulp_at(format, static_cast<double>(truth)) : infinity);
    ulps_of_one = std::max(ulps_of_one, is_number ? error / ulp_at(format, 1) : infinity);
  }
};

class SineClasses {
 public:
  SineClasses(const StoredBits& bits, const StoredTable& table)
      : table_(&table), amplitude_(bits.amplitude), space_(space_of(bits, table)) {}

  /// The branches that are near the best, by their errors over all elements; none where the best is none.
  std::vector<std::pair<const PhaseBranch*, ClassError>> near() {
    auto errors = errors_at(sample_of(*table_, sampled_elements), all_branches());
    const auto least = std::ranges::min(errors, {}, [](const auto& one) { return one.second.ulps_of_one; });
    std::vector<const PhaseBranch*> kept;
    for (const auto& [branch, error] : errors) {
      if (error.ulps_of_one <= least_margin * std::max(least.second.ulps_of_one, 1.0)) {
        kept.push_back(branch);
      }
    }
    errors = errors_at(sample_of(*table_, table_->elements.size()), kept);
    std::ranges::sort(errors, {}, [](const auto& one) { return one.second.ulps; });
    std::erase_if(
        errors, [&](const auto& one) { return one.second.ulps > least_margin * errors.front().second.ulps; });
    return errors.front().second.ulps <= most_ulps ? errors : decltype(errors)();
  }
  /// Adds for each pair the frequency, of float64 and of float32, that leaves the least error.
  void add_own_bits(const Frequencies& frequencies) {
    for (const auto& [library, format] : {std::pair(FormulaLibrary::float64, Format::binary64),
                                          std::pair(FormulaLibrary::rounded_float64, Format::binary32)}) {
      std::vector<double> values;
      for (std::size_t pair = 0; pair < table_->pairs; ++pair) {
        double own = round_to(format, frequencies.approximate(static_cast<int>(pair)));
        for (int i = 0; i < most_steps; ++i) {
          own = next_down(format, own);
        }
        auto best = own;
        double least = infinity;
        for (int i = -most_steps; i <= most_steps; ++i, own = next_up(format, own)) {
          const double error = error_of(pair, own, format);
          // Of equals the middle one: the true frequency.
          if (error < least || (error == least && i <= 0)) {
            least = error;
            best = own;
          }
        }
        values.push_back(best);
      }
      space_.add_frequencies(values, library);
    }
  }
  const TableSpace& space() const { return space_; }

 private:
  /// How far from the true frequency one is looked for, in units of its last place.
  static constexpr int most_steps = 6;

  /// The greatest error of a pair at some rows, of the phases of one frequency.
  double error_of(std::size_t pair, double frequency, Format format) const {
    ClassError result;
    for (std::size_t row = 0; row < table_->positions.size(); row += table_->positions.size() / 64 + 1) {
      const auto phase =
          static_cast<long double>(round_to(format, static_cast<double>(table_->positions[row]) * frequency));
      take(result, table_->element(row, pair), phase);
    }
    return result.ulps;
  }
  void take(ClassError& error, const StoredSine& stored, long double phase) const {
    const auto amplitude = static_cast<long double>(amplitude_);
    if (table_->has_sines) {
      error.take(table_->format, stored.sine, amplitude * true_sine(phase));
    }
    if (table_->has_cosines) {
      error.take(table_->format, stored.cosine, amplitude * true_cosine(phase));
    }
  }
  std::vector<const PhaseBranch*> all_branches() const {
    std::vector<const PhaseBranch*> result;
    for (const auto& branch : space_.branches()) {
      result.push_back(&branch);
    }
    return result;
  }

  std::vector<std::pair<const PhaseBranch*, ClassError>> errors_at(
      const std::vector<std::pair<std::size_t, std::size_t>>& elements,
      const std::vector<const PhaseBranch*>& of) {
    std::vector<std::pair<const PhaseBranch*, ClassError>> result;
    for (const auto* branch : of) {
      result.emplace_back(branch, ClassError());
    }
    std::size_t row = table_->positions.size();
    for (const auto& [at_row, pair] : elements) {
      if (at_row != row) {
        row = at_row;
        space_.go_to(table_->positions[row]);
      }
      const auto& stored = table_->element(row, pair);
      for (auto& [branch, error] : result) {
        take(error, stored, static_cast<long double>(space_.phase(*branch, pair)));
      }
    }
    return result;
  }
  /// Of float32 tables the sine of float64 is true enough.
  long double true_sine(long double phase) const {
    return table_->format == Format::binary64 ? std::sin(phase) : std::sin(static_cast<double>(phase));
  }
  long double true_cosine(long double phase) const {
    return table_->format == Format::binary64 ? std::cos(phase) : std::cos(static_cast<double>(phase));
  }

  const StoredTable* table_;
  double amplitude_;
  TableSpace space_;
};

/// \return whether the sine is a class
bool tell_sine_class(ArithmeticFinding& finding, const StoredBits& bits, const StoredTable& table) {
  SineClasses classes(bits, table);
  auto near = classes.near();
  const bool have_formula = !near.empty();
  if (!have_formula) {
    classes.add_own_bits(bits.frequencies);
    near = classes.near();
  }
  std::vector<ArithmeticWays> computations;
  for (const auto& [branch, error] : near) {
    const auto all = classes.space().computations_of(*branch, {}, {}, false);
    computations.insert(computations.end(), all.begin(), all.end());
  }
  for (auto& stage : projected({{computations, {}, {}}})) {
    // Frequencies of no formula come of no library.
    if (stage.stage <= ArithmeticStage::phase && (have_formula || stage.stage != ArithmeticStage::library)) {
      stage.reason = stage.is_settled() ? std::string(agreed) : "every phase that is near has one of these";
      finding.stages.push_back(std::move(stage));
    }
  }
  if (near.empty()) {
    return false;
  }
  finding.remarks.push_back(fmt::format(
      "No computation of the space has {} within {:.3f} ulp of the true sine of these phases, and every "
      "other phase leaves more than {} times that.",
      have_formula ? "this sine: it is" : "these frequencies: with them the sine is",
      near.front().second.ulps, static_cast<int>(least_margin)));
  return true;
}

/// Where the elements lie that a computation does not predict.
class Exceptions {
 public:
  void add(std::int64_t position, std::size_t pair) {
    ++count_;
    ++by_pair_[pair];
    first_ = count_ == 1 || std::llabs(position) < std::llabs(first_) ? position : first_;
  }
  std::size_t count() const { return count_; }
  std::string told(std::size_t all, std::size_t pairs, std::string_view whose) const {
    const auto most = *std::ranges::max_element(by_pair_, {}, [](const auto& one) { return one.second; });
    const auto where =
        most.second * 10 >= count_ * 9 && count_ > 4
            ? fmt::format("{} of them in pair {}: its frequency is another", most.second, most.first)
        : by_pair_.size() * 4 < pairs
            ? fmt::format("in {} of {} pairs, the first at position {}", by_pair_.size(), pairs, first_)
            : fmt::format("in {} of {} pairs: another library or formula", by_pair_.size(), pairs);
    return fmt::format(
        "No computation predicts every bit of {}: the nearest leaves {} exceptions in {}, {}. It is not "
        "named, for the nearest is often wrong.",
        whose, count_, all, where);
  }

 private:
  std::size_t count_ = 0;
  std::map<std::size_t, std::size_t> by_pair_;
  std::int64_t first_ = 0;
};

}  // namespace

void tell_near_tables(ArithmeticFinding& finding, const StoredBits& bits, const StoredTable& table) {
  if (table.repeated != 0) {
    finding.remarks.push_back(fmt::format(
        "{} elements are stored again, in another column or row, with other bits.", table.repeated));
    return;
  }
  const bool is_narrow = traits(table.format).bits == 16;
  if (!is_narrow && tell_sine_class(finding, bits, table)) {
    return;
  }
  auto space = space_of(bits, table);
  const auto elements = sample_of(table, sampled_elements);
  const auto exceptions = exceptions_in(space, table, elements);
  const auto least = std::ranges::min(exceptions);
  if (static_cast<double>(least) > most_exceptions * static_cast<double>(elements.size())) {
    finding.remarks.emplace_back("No computation of the space is near the table: nothing is claimed of it.");
    return;
  }
  std::vector<ArithmeticWays> near;
  std::optional<std::size_t> best;
  space.for_each([&](const PhaseBranch& branch, const SineBranch& sines, const TableLeaf& leaf) {
    const auto own = exceptions[leaf.index];
    if (static_cast<double>(own - least) <= near_share * static_cast<double>(elements.size()) ||
        own <= 2 * least) {
      const auto all = space.computations_of(branch, sines, leaf, false);
      near.insert(near.end(), all.begin(), all.end());
    }
    best = !best && own == least ? leaf.index : best;
  });
  // Of 16 bits no library is named: an unknown one predicts as much.
  claim_agreed(finding, near, [&](ArithmeticStage stage) {
    return !is_narrow || (stage != ArithmeticStage::sine && stage != ArithmeticStage::library);
  });
  Exceptions lie;
  visit_exceptions(space, *best, table,
                   [&](std::int64_t position, std::size_t pair, const StoredSine&, const StoredSine&) {
                     lie.add(position, pair);
                   });
  finding.remarks.push_back(lie.told(table.elements.size(), table.pairs, "the table"));
}

void tell_near_rotations(ArithmeticFinding& finding, const RotationSpace& space, const StoredVectors& vectors,
                         const RowOfPosition& rows) {
  for (int component = 0; component < 2; ++component) {
    std::vector<Exceptions> exceptions(space.rotations().size());
    for (std::size_t i = 0; i < vectors.positions.size(); ++i) {
      const auto row = rows(vectors.positions[i]);
      for (std::size_t at = 0; at < vectors.pairs[i].size() && !row.empty(); ++at) {
        const auto& pair = vectors.pairs[i][at];
        const auto of = at % vectors.pairs_of_vector;
        const auto right = space.predicting(component, pair, vectors.sign, row[of], space.all());
        for (std::size_t rotation = 0; rotation < exceptions.size(); ++rotation) {
          if (!right[rotation]) {
            exceptions[rotation].add(vectors.positions[i], of);
          }
        }
      }
    }
    const auto count = static_cast<double>(vectors.count());
    const auto& best = std::ranges::min(exceptions, {}, &Exceptions::count);
    const auto name = fmt::format("y{}", component);
    if (static_cast<double>(best.count()) > most_exceptions * count) {
      finding.remarks.push_back(
          fmt::format("No rotation of the space is near {}: nothing is claimed of it.", name));
      continue;
    }
    std::vector<ArithmeticWays> near;
    for (std::size_t rotation = 0; rotation < exceptions.size(); ++rotation) {
      const auto beyond = static_cast<double>(exceptions[rotation].count() - best.count());
      if (best.count() == 0 ? exceptions[rotation].count() == 0 : beyond <= near_share * count) {
        near.push_back(with_rotation(no_arithmetic, component, space.rotations()[rotation]));
      }
    }
    claim_agreed(finding, near, [](ArithmeticStage stage) { return stage != ArithmeticStage::narrowing; });
    if (best.count() != 0) {
      finding.remarks.push_back(best.told(vectors.count(), vectors.pairs_of_vector, name));
    }
  }
}

}  // namespace vernier
