#include "numerics/diagnosis/regions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/decoding/row_set.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

/// Candidates whose every element is looked at: those that predict most of some rows that fail.
constexpr std::size_t most_candidates = 96;
constexpr std::size_t failing_rows_tried = 24;
constexpr std::size_t most_parts = 3;
/// Bits that a part has to save: among so many candidates and regions some save a few by chance.
constexpr double least_saved = 40;
/// By so much budgets of edited computations differ from the declared ones without being loose.
constexpr double usual_allowance = 8;
/// What an element can save: the leading bits of a float32 number.
constexpr double most_of_element = 20;

/// What the declared computation misses every element by. By tensor and column.
class Errors {
 public:
  struct Error {
    double size = -1;  ///< absolute; negative where it holds
    double allowed = 0;
  };

  explicit Errors(const Suspect& suspect) : suspect_(suspect), all_(suspect.rows() * suspect.width()) {
    for (std::size_t tensor = 0; tensor < suspect.tensors(); ++tensor) {
      first_.push_back(tensor == 0 ? 0 : first_.back() + suspect.width(tensor - 1));
    }
    const Predictor predictor(suspect, suspect.declared());
    for (std::size_t row = 0; row < suspect.rows(); ++row) {
      predictor.visit(row, [&](const PredictedElement& one) {
        if (one.fails()) {
          all_[index(one)] = {std::fabs(one.got - one.predicted), one.allowed};
          failing_.resize(row + 1);
          failing_[row] = true;
        }
      });
    }
    failing_.resize(suspect.rows());
  }

  const Error& of(const PredictedElement& one) const { return all_[index(one)]; }
  std::vector<std::size_t> failing_rows() const {
    std::vector<std::size_t> result;
    for (std::size_t row = 0; row < failing_.size(); ++row) {
      if (failing_[row]) {
        result.push_back(row);
      }
    }
    return result;
  }

 private:
  std::size_t index(const PredictedElement& one) const {
    return one.row * suspect_.width() + first_[one.tensor] + one.column;
  }

  const Suspect& suspect_;
  std::vector<Error> all_;
  std::vector<std::size_t> first_;  ///< column of all, a tensor
  std::vector<bool> failing_;
};

/// What a candidate says of the elements of one pair of one row, in all tensors.
struct Outcome {
  bool contradicts = false;  ///< it misses one
  bool fails = false;        ///< the declared computation misses one
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
  Regions(const Suspect& suspect, unsigned threads)
      : suspect_(suspect),
        threads_(threads),
        errors_(suspect),
        width_(suspect.declared().tones.size() + 1),
        claimed_(suspect.rows() * width_) {}

  std::optional<Explanation> explain(const std::vector<const Candidate*>& candidates) {
    keep_nearest(candidates);
    std::optional<Part> part;
    while (parts_.size() < most_parts && is_open() && (part = best_part())) {
      claim(*part);
      parts_.push_back(*std::move(part));
    }
    const bool is_whole =
        parts_.size() == 1 && parts_.front().rows.is_whole && parts_.front().pairs.is_whole;
    return parts_.empty() || is_whole || is_open() ? std::nullopt : told();
  }

 private:
  /// Outcomes that a candidate made.
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
        const auto pair = one.pair < 0 ? width_ - 1 : static_cast<std::size_t>(one.pair);
        auto& outcome = result.all[i * width_ + pair];
        const auto& [error, allowed] = errors_.of(one);
        if (error < 0) {
          outcome.contradicts = outcome.contradicts || one.fails();
          return;
        }
        outcome.fails = true;
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
    const auto failing = errors_.failing_rows();
    const auto tried = mapped(spread_rows(failing.size(), failing_rows_tried),
                              [&](std::size_t i) { return failing[i]; });
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
    std::vector<std::size_t> rows(suspect_.rows());
    std::ranges::generate(rows, [i = std::size_t{0}]() mutable { return i++; });
    kept_.resize(nearest.size());
    with_threads(threads_, [&] {
      oneapi::tbb::parallel_for(std::size_t{0}, nearest.size(), [&](std::size_t i) {
        kept_[i] = outcomes_of(*candidates[nearest[i]], rows);
      });
    });
    fails_.resize(claimed_.size());
    for (std::size_t i = 0; i < fails_.size() && !kept_.empty(); ++i) {
      fails_[i] = kept_.front().all[i].fails;
    }
  }

  /// Whether something fails that no part has.
  bool is_open() const {
    for (std::size_t i = 0; i < fails_.size(); ++i) {
      if (fails_[i] && !claimed_[i]) {
        return true;
      }
    }
    return false;
  }

  void add(const Outcome& outcome, bool is_claimed, Membership& wanted) const {
    if (is_claimed) {
      return;
    }
    if (outcome.contradicts) {
      wanted = Membership::no;
    } else if (outcome.fails && wanted == Membership::either) {
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
          add(outcomes.at(row, pair), claimed_[row * width_ + pair], wanted[row]);
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
        add(outcomes.at(row, pair), claimed_[row * width_ + pair], wanted[pair]);
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
        if (!claimed_[row * width_ + pair] && outcomes.at(row, pair).fails) {
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
        result.saved += result.has(row, pair) && !claimed_[row * width_ + pair] ? outcomes.at(row, pair).saved : 0;
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
    std::optional<Part> best;
    const auto offer = [&](Part part) {
      const double saved = part.saved - part.bits();
      if (saved >= least_saved && (!best || saved > best->saved - best->bits())) {
        best = std::move(part);
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
    return best;
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

  /// The first part that has a outcome is what made it; null: none, as it is declared.
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
          if (part_at(row, one.pair < 0 ? width_ - 1 : static_cast<std::size_t>(one.pair)) == part) {
            result.elements += 1;
            result.conclusive += one.conclusive ? 1 : 0;
            result.failing += one.fails() ? 1 : 0;
            result.largest_budget_ratio =
                std::max(result.largest_budget_ratio, one.conclusive ? one.ratio() : 0);
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
          const bool fails = part.outcomes->at(row, pair).fails;
          wanted[row] = fails || wanted[row] == Membership::yes ? Membership::yes : Membership::either;
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
  unsigned threads_;
  Errors errors_;
  std::size_t width_;  ///< of outcomes
  std::vector<bool> claimed_;
  std::vector<bool> fails_;
  std::vector<Outcomes> kept_;
  std::vector<Part> parts_;
};

}  // namespace

std::vector<std::vector<bool>> failing_pairs(const Suspect& suspect) {
  std::vector<std::vector<bool>> result(suspect.rows(), std::vector<bool>(suspect.declared().tones.size()));
  const Predictor predictor(suspect, suspect.declared());
  for (std::size_t row = 0; row < result.size(); ++row) {
    predictor.visit(row, [&](const PredictedElement& one) {
      if (one.pair >= 0 && one.fails()) {
        result[row][static_cast<std::size_t>(one.pair)] = true;
      }
    });
  }
  return result;
}

std::optional<Explanation> explained_by_regions(const Suspect& suspect,
                                                const std::vector<const Candidate*>& candidates,
                                                unsigned threads) {
  return Regions(suspect, threads).explain(candidates);
}

}  // namespace vernier
