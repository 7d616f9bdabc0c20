#include "numerics/diagnosis/regions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <string>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/decoding/row_set.hpp"
#include "numerics/diagnosis/stages/position.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

/// Candidates whose every element is looked at: those that predict most of some rows that fail.
constexpr std::size_t most_candidates = 48;
constexpr std::size_t failing_rows_tried = 24;
constexpr std::size_t most_regions = 3;
/// Bits that a part has to save: among so many candidates and regions some save a few by chance.
constexpr double least_saved = 40;
/// By so much budgets of edited computations differ from the declared ones without being loose.
constexpr double usual_allowance = 8;
/// What an element can save: the leading bits of a float32 number.
constexpr double most_of_element = 20;

/// What a candidate says of the elements of one pair of one row, in all tensors.
struct Outcome {
  bool contradicts = false;  ///< it misses one
  float saved = 0;           ///< bits, by those that only the candidate predicts
};

/// All outcomes, row by row; the last of a row is of the elements without a pair.
struct Outcomes {
  const Candidate* candidate = nullptr;
  std::size_t width = 0;
  std::vector<Outcome> all = {};

  const Outcome& at(std::size_t row, std::size_t pair) const { return all[row * width + pair]; }
};

class Regions {
 public:
  Regions(const Suspect& suspect, const Misses& misses, unsigned threads)
      : suspect_(suspect),
        misses_(misses),
        threads_(threads),
        width_(misses.width()),
        claimed_(suspect.rows() * width_) {}

  std::optional<Explanation> explain(const std::vector<const Candidate*>& candidates) {
    keep_nearest(candidates);
    std::optional<Part> part;
    while (parts_.size() < most_regions && is_open() && (part = best_part())) {
      claim(*part);
      parts_.push_back(*std::move(part));
    }
    const bool is_whole = parts_.size() == 1 && parts_.front().rows.is_whole && parts_.front().pairs.is_whole;
    return parts_.empty() || is_whole || is_open() ? std::nullopt : told();
  }

 private:
  /// Pairs of rows that a candidate made.
  struct Part {
    const Outcomes* outcomes;
    RowSet rows;
    RowSet pairs;
    double saved;

    double bits() const { return outcomes->candidate->bits + rows.bits + pairs.bits; }
    bool has(std::size_t row, std::size_t pair) const { return rows.has[row] && pairs.has[pair]; }
  };

  /// \param rows to look at, in the order of the result
  Outcomes outcomes_of(const Candidate& candidate, std::span<const std::size_t> rows) const {
    Outcomes result{&candidate, width_, std::vector<Outcome>(rows.size() * width_)};
    const Predictor predictor(suspect_, candidate.computation);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      predictor.visit(rows[i], [&](const PredictedElement& one) {
        auto& outcome = result.all[i * width_ + misses_.pair(one)];
        const auto& [error, allowed] = misses_.of(one);
        if (error < 0) {
          outcome.contradicts = outcome.contradicts || one.fails();
          return;
        }
        if (!one.conclusive || one.fails()) {
          outcome.contradicts = true;
          return;
        }
        // What allows as much as the declared computation misses by saves nothing; a little more than that
        // allows is no reason to prefer another.
        const double saved = std::isfinite(error)
                                 ? std::log2(error / std::max(one.allowed, usual_allowance * allowed))
                                 : most_of_element;
        outcome.saved += static_cast<float>(std::clamp(saved, 0.0, most_of_element));
      });
    }
    return result;
  }

  void keep_nearest(const std::vector<const Candidate*>& candidates) {
    std::vector<std::size_t> rows(suspect_.rows());
    std::iota(rows.begin(), rows.end(), 0);
    const auto failing = filtered(rows, [&](std::size_t row) { return fails(row); });
    const auto tried =
        mapped(spread_rows(failing.size(), failing_rows_tried), [&](std::size_t i) { return failing[i]; });
    std::vector<double> saved(candidates.size());
    with_threads(threads_, [&] {
      oneapi::tbb::parallel_for(std::size_t{0}, candidates.size(), [&](std::size_t i) {
        for (const auto& outcome : outcomes_of(*candidates[i], tried).all) {
          saved[i] += outcome.contradicts ? 0 : outcome.saved;
        }
      });
    });
    std::vector<std::size_t> nearest;
    std::set<std::string> sentences;  // what all rows and some of them show is proposed twice
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (saved[i] > candidates[i]->bits && sentences.insert(sentence_of({candidates[i]->findings})).second) {
        nearest.push_back(i);
      }
    }
    std::ranges::stable_sort(nearest, std::ranges::greater(),
                             [&](std::size_t i) { return saved[i] - candidates[i]->bits; });
    nearest.resize(std::min(nearest.size(), most_candidates));
    kept_.resize(nearest.size());
    with_threads(threads_, [&] {
      oneapi::tbb::parallel_for(std::size_t{0}, nearest.size(), [&](std::size_t i) {
        kept_[i] = outcomes_of(*candidates[nearest[i]], rows);
      });
    });
  }

  /// Whether a row has a pair that fails and that no part has.
  bool fails(std::size_t row) const {
    for (std::size_t pair = 0; pair < width_; ++pair) {
      if (misses_.fails(row, pair) && !claimed_[row * width_ + pair]) {
        return true;
      }
    }
    return false;
  }
  bool is_open() const {
    const auto rows = std::views::iota(std::size_t{0}, suspect_.rows());
    return std::ranges::any_of(rows, [&](std::size_t row) { return fails(row); });
  }

  /// What a pair of a row says of whether a set of rows, or of pairs, has it.
  void add(const Outcomes& outcomes, std::size_t row, std::size_t pair, Membership& wanted) const {
    if (claimed_[row * width_ + pair]) {
      return;
    }
    if (outcomes.at(row, pair).contradicts) {
      wanted = Membership::no;
    } else if (misses_.fails(row, pair) && wanted == Membership::either) {
      wanted = Membership::yes;
    }
  }

  static std::optional<RowSet> set_of(const RowGrid& grid, const std::vector<Membership>& wanted) {
    return std::ranges::find(wanted, Membership::yes) == wanted.end() ? std::nullopt
                                                                      : simplest_set(grid, wanted, {});
  }

  /// The rows of which the candidate predicts these pairs.
  std::optional<RowSet> rows_of(const Outcomes& outcomes, const std::vector<bool>& pairs) const {
    std::vector<Membership> wanted(suspect_.rows(), Membership::either);
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      for (std::size_t pair = 0; pair < width_; ++pair) {
        if (pairs[pair]) {
          add(outcomes, row, pair, wanted[row]);
        }
      }
    }
    return set_of(suspect_.grid(), wanted);
  }

  /// The pairs that the candidate predicts in these rows.
  std::optional<RowSet> pairs_of(const Outcomes& outcomes, const std::vector<bool>& rows) const {
    std::vector<Membership> wanted(width_, Membership::either);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t pair = 0; pair < width_ && rows[row]; ++pair) {
        add(outcomes, row, pair, wanted[pair]);
      }
    }
    if (wanted.back() == Membership::no) {
      return std::nullopt;  // what has no pair is no region of pairs
    }
    wanted.pop_back();
    auto result = set_of({{}, wanted.size(), "pair"}, wanted);
    if (result) {
      result->has.push_back(result->is_whole);
    }
    return result;
  }

  /// Rows of which the candidate predicts most that fails.
  std::vector<bool> mostly_predicted(const Outcomes& outcomes) const {
    std::vector<bool> result;
    for (std::size_t row = 0; row < suspect_.rows(); ++row) {
      int balance = 0;
      for (std::size_t pair = 0; pair < width_; ++pair) {
        if (!claimed_[row * width_ + pair] && misses_.fails(row, pair)) {
          balance += outcomes.at(row, pair).contradicts ? -1 : 1;
        }
      }
      result.push_back(balance > 0);
    }
    return result;
  }

  Part part_of(const Outcomes& outcomes, RowSet rows, RowSet pairs) const {
    Part result{&outcomes, std::move(rows), std::move(pairs), 0};
    for (std::size_t row = 0; row < suspect_.rows(); ++row) {
      for (std::size_t pair = 0; pair < width_; ++pair) {
        result.saved +=
            result.has(row, pair) && !claimed_[row * width_ + pair] ? outcomes.at(row, pair).saved : 0;
      }
    }
    return result;
  }

  std::optional<Part> best_part() const {
    const auto every_pair = [&] {
      auto result = every_row({{}, width_ - 1, "pair"});
      result.has.push_back(true);
      return result;
    };
    std::vector<Part> offered;
    const auto offer = [&](Part part) {
      if (part.saved - part.bits() >= least_saved) {
        offered.push_back(std::move(part));
      }
    };
    for (const auto& outcomes : kept_) {
      if (auto rows = rows_of(outcomes, std::vector<bool>(width_, true))) {
        offer(part_of(outcomes, *std::move(rows), every_pair()));
      }
      if (auto pairs = pairs_of(outcomes, std::vector<bool>(suspect_.rows(), true))) {
        offer(part_of(outcomes, every_row(suspect_.grid()), *std::move(pairs)));
      }
      if (auto pairs = pairs_of(outcomes, mostly_predicted(outcomes))) {
        if (auto rows = rows_of(outcomes, pairs->has)) {
          offer(part_of(outcomes, *std::move(rows), *std::move(pairs)));
        }
      }
    }
    // Of those that save as much, to what their budgets differ by, the one that takes least to say.
    constexpr double as_much = 0.99;
    const auto most =
        std::ranges::max_element(offered, {}, [](const Part& part) { return part.saved - part.bits(); });
    const double enough = most == offered.end() ? 0 : as_much * most->saved;
    std::erase_if(offered, [=](const Part& part) { return part.saved < enough; });
    const auto best = std::ranges::min_element(offered, {}, &Part::bits);
    return best == offered.end() ? std::nullopt : std::optional(std::move(*best));
  }

  void claim(const Part& part) {
    for (std::size_t row = 0; row < suspect_.rows(); ++row) {
      for (std::size_t pair = 0; pair < width_; ++pair) {
        if (part.has(row, pair)) {
          claimed_[row * width_ + pair] = true;
        }
      }
    }
  }

  /// The first part that has a pair of a row made it; null: none, it is as declared.
  const Part* part_at(std::size_t row, std::size_t pair) const {
    const auto found = std::ranges::find_if(parts_, [&](const Part& part) { return part.has(row, pair); });
    return found == parts_.end() ? nullptr : &*found;
  }

  Prediction prediction() const {
    Prediction result;
    const auto add = [&](const Part* part, const Computation& computation) {
      const Predictor predictor(suspect_, computation);
      for (std::size_t row = 0; row < suspect_.rows(); ++row) {
        predictor.visit(row, [&](const PredictedElement& one) {
          if (part_at(row, misses_.pair(one)) == part) {
            result.append({1, one.conclusive ? 1U : 0U, one.fails() ? 1U : 0U, 0,
                           one.conclusive ? one.ratio() : 0, row});
          }
        });
      }
    };
    add(nullptr, suspect_.declared());
    for (const auto& part : parts_) {
      add(&part, part.outcomes->candidate->computation);
    }
    return result;
  }

  /// The rows of a part that no larger one has, where they are told as simply.
  std::string rows_in_words(const Part& part) const {
    std::vector<Membership> wanted(suspect_.rows(), Membership::no);
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      for (std::size_t pair = 0; pair < width_; ++pair) {
        if (part_at(row, pair) == &part) {
          const bool is_missed = misses_.fails(row, pair) || wanted[row] == Membership::yes;
          wanted[row] = is_missed ? Membership::yes : Membership::either;
        }
      }
    }
    const auto own = set_of(suspect_.grid(), wanted);
    return own ? own->rows : part.rows.rows;
  }

  std::string where(const Part& part) const {
    const auto rows = rows_in_words(part);
    return part.pairs.is_whole  ? rows
           : part.rows.is_whole ? part.pairs.rows
                                : fmt::format("{}, {}", rows, part.pairs.rows);
  }

  std::optional<Explanation> told() const {
    Explanation result{.findings = {}, .prediction = prediction()};
    if (!result.prediction.is_proved()) {
      return std::nullopt;
    }
    for (const auto& part : parts_) {
      auto findings = part.outcomes->candidate->findings;
      findings.front().sentence = fmt::format("{}: {}", where(part), findings.front().sentence);
      for (auto& finding : findings) {
        finding.edit = nullptr;  // of the spec, which all regions have in common
        result.findings.push_back(std::move(finding));
      }
      result.bits += part.bits();
    }
    return result;
  }

  const Suspect& suspect_;
  const Misses& misses_;
  unsigned threads_;
  std::size_t width_;  ///< pairs of a row, and what has none
  std::vector<bool> claimed_;
  std::vector<Outcomes> kept_;
  std::vector<Part> parts_;
};

}  // namespace

Misses::Misses(const Suspect& suspect)
    : width_(suspect.declared().tones.size() + 1),
      pairs_(suspect.width(), width_ - 1),
      all_(suspect.rows() * suspect.width()),
      fails_(suspect.rows() * width_) {
  for (std::size_t tensor = 0, column = 0; tensor < suspect.tensors(); ++tensor) {
    first_columns_.push_back(column);
    column += suspect.width(tensor);
  }
  const Predictor predictor(suspect, suspect.declared());
  for (std::size_t row = 0; row < suspect.rows(); ++row) {
    predictor.visit(row, [&](const PredictedElement& one) {
      if (one.pair >= 0) {
        pairs_[column(one)] = static_cast<std::size_t>(one.pair);
      }
      if (one.fails()) {
        all_[row * pairs_.size() + column(one)] = {std::fabs(one.got - one.predicted), one.allowed};
        fails_[row * width_ + pair(one)] = true;
      }
    });
  }
}

Proposals edits_of_regions(const Suspect& suspect, const Misses& misses, const Recovery& of_failing) {
  const auto& declared = suspect.declared();
  auto base = declared;
  for (std::size_t pair = 0; pair < base.tones.size(); ++pair) {
    const auto rows = std::views::iota(std::size_t{0}, suspect.rows());
    const bool fails = std::ranges::any_of(rows, [&](std::size_t row) { return misses.fails(row, pair); });
    base.tones[pair] = fails ? base.tones[pair] : Tone{};
  }
  Proposals result;
  propose_position_maps({suspect, base, of_failing}, result);
  propose_frequent_shifts({suspect, base, of_failing}, result);
  for (auto& proposal : result) {
    proposal.computation.tones = declared.tones;
  }
  KindEdits{{suspect, declared, of_failing}, fault_kind("damage/row-zero"), result}.add(
      "all elements are zero", flag_bits, setting(&Computation::amplitude, 0));
  return result;
}

std::optional<Explanation> explained_by_regions(const Suspect& suspect, const Misses& misses,
                                                const std::vector<const Candidate*>& candidates,
                                                unsigned threads) {
  return Regions(suspect, misses, threads).explain(candidates);
}

}  // namespace vernier
