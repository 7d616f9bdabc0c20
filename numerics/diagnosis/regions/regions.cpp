#include "numerics/diagnosis/regions/regions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/regions/column_set.hpp"
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

/// What may stand in a region, beside what holds everywhere.
struct Content {
  std::vector<Finding> findings = {};
  double bits = 0;
  const Computation* computation = nullptr;
  /// Whose row each row holds; empty: each its own.
  std::vector<std::size_t> held_rows = {};
};

/// What a content says of every element, row by row.
struct Outcomes {
  const Content* content = nullptr;
  std::vector<bool> contradicts = {};  ///< it misses it
  std::vector<float> saved = {};       ///< bits, of what only the content predicts
};

class Regions {
 public:
  Regions(const Suspect& suspect, const Candidate& base, const Misses& misses, unsigned threads)
      : suspect_(suspect),
        base_(base),
        misses_(misses),
        threads_(threads),
        width_(misses.columns().size()),
        claimed_(suspect.rows() * width_) {}

  RegionAccount explain(const std::vector<const Candidate*>& candidates) {
    contents_ = mapped(candidates, [&](const Candidate* one) {
      return Content{{one->findings.begin() + std::ssize(base_.findings), one->findings.end()},
                     one->bits - base_.bits,
                     &one->computation};
    });
    std::ranges::move(copies(), std::back_inserter(contents_));
    keep_nearest();
    std::optional<Part> part;
    while (parts_.size() < most_regions && is_open() && (part = best_part())) {
      claim(*part);
      parts_.push_back(*std::move(part));
    }
    const bool is_whole =
        parts_.size() == 1 && parts_.front().rows.is_whole && parts_.front().columns.is_whole;
    if (parts_.empty() || is_whole) {
      return {};
    }
    return is_open() ? RegionAccount{std::nullopt, left()} : RegionAccount{told()};
  }

 private:
  /// Columns of rows that hold a content.
  struct Part {
    const Outcomes* outcomes;
    RowSet rows;
    ColumnSet columns;
    double saved;
    std::vector<std::string> equally = {};  ///< the other contents that are as likely there

    double bits() const { return outcomes->content->bits + rows.bits + columns.bits; }
    bool has(std::size_t row, std::size_t column) const { return rows.has[row] && columns.has[column]; }
  };

  std::size_t at(std::size_t row, std::size_t column) const { return row * width_ + column; }

  /// Calls `look` with every element of rows beside what a content says of it, and with its place among these
  /// rows.
  template <class Look>
  void visit(const Content& content, std::span<const std::size_t> rows, const Look& look) const {
    const Predictor predictor(suspect_, *content.computation);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (content.held_rows.empty()) {
        predictor.visit(rows[i], [&](const PredictedElement& one) { look(one, i, misses_.column(one)); });
        continue;
      }
      for (std::size_t column = 0; column < width_; ++column) {
        auto one = misses_.at(content.held_rows[rows[i]], column);
        one.got = misses_.at(rows[i], column).got;
        one.row = rows[i];
        look(one, i, column);
      }
    }
  }

  /// \param rows to look at, in the order of the result
  Outcomes outcomes_of(const Content& content, std::span<const std::size_t> rows) const {
    Outcomes result{&content, std::vector<bool>(rows.size() * width_),
                    std::vector<float>(rows.size() * width_)};
    visit(content, rows, [&](const PredictedElement& one, std::size_t i, std::size_t column) {
      const bool is_missed = misses_.fails(one.row, column);
      result.contradicts[at(i, column)] = one.fails() || (is_missed && !one.conclusive);
      if (!is_missed || result.contradicts[at(i, column)]) {
        return;
      }
      // What allows as much as the base misses by saves nothing; a little more than that allows is no
      // reason to prefer another.
      const auto& miss = misses_.at(one.row, column);
      const double error = std::fabs(miss.got - miss.predicted);
      const double saved = std::isfinite(error)
                               ? std::log2(error / std::max(one.allowed, usual_allowance * miss.allowed))
                               : most_of_element;
      result.saved[at(i, column)] = static_cast<float>(std::clamp(saved, 0.0, most_of_element));
    });
    return result;
  }

  std::vector<std::size_t> every_row_index() const {
    std::vector<std::size_t> rows(suspect_.rows());
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }

  std::vector<std::size_t> some_failing_rows(std::size_t count) const {
    const auto failing = filtered(every_row_index(), [&](std::size_t row) { return fails(row); });
    return mapped(spread_rows(failing.size(), count), [&](std::size_t i) { return failing[i]; });
  }

  /// Whether what fails of a row is what another should hold.
  bool holds(std::size_t row, std::size_t other) const {
    for (std::size_t column = 0; column < width_; ++column) {
      auto one = misses_.at(other, column);
      one.got = misses_.at(row, column).got;
      if (misses_.fails(row, column) && (one.fails() || !one.conclusive)) {
        return false;
      }
    }
    return true;
  }

  /// Rotated vectors that are those of other rows, each as far from its own. Rows of tables have positions
  /// instead.
  std::vector<Content> copies() const {
    constexpr std::size_t looked_at = 6;
    const auto rows = static_cast<std::ptrdiff_t>(suspect_.rows());
    std::set<std::ptrdiff_t> distances;
    for (const auto row :
         suspect_.vectors() == nullptr ? std::vector<std::size_t>() : some_failing_rows(looked_at)) {
      for (const auto other : every_row_index()) {
        if (other != row && holds(row, other)) {
          distances.insert(static_cast<std::ptrdiff_t>(other) - static_cast<std::ptrdiff_t>(row));
        }
      }
    }
    const auto rows_of_copy = static_cast<std::ptrdiff_t>(suspect_.grid().rows);
    return mapped(distances, [&](std::ptrdiff_t by) {
      const auto* words = by % rows_of_copy == 0 ? "each row is a copy of the one {} leading indices {} it"
                                                 : "each row is a copy of the one {} rows {} it";
      const auto far = std::abs(by % rows_of_copy == 0 ? by / rows_of_copy : by);
      Content result{{{&fault_kind("damage/row-copy"),
                       fmt::format(fmt::runtime(words), far, by < 0 ? "before" : "behind")}},
                     variant_bits + integer_bits(far),
                     &base_.computation};
      for (std::ptrdiff_t row = 0; row < rows; ++row) {
        result.held_rows.push_back(static_cast<std::size_t>(((row + by) % rows + rows) % rows));
      }
      return result;
    });
  }

  void keep_nearest() {
    const auto tried = some_failing_rows(failing_rows_tried);
    std::vector<double> saved(contents_.size());
    with_threads(threads_, [&] {
      oneapi::tbb::parallel_for(std::size_t{0}, contents_.size(), [&](std::size_t i) {
        const auto outcomes = outcomes_of(contents_[i], tried);
        saved[i] = std::reduce(outcomes.saved.begin(), outcomes.saved.end(), 0.0) - contents_[i].bits;
      });
    });
    std::vector<std::size_t> nearest;
    std::set<std::string> sentences;  // what all rows and some of them show is proposed twice
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      if (saved[i] > 0 && sentences.insert(sentence_of({contents_[i].findings})).second) {
        nearest.push_back(i);
      }
    }
    std::ranges::stable_sort(nearest, std::ranges::greater(), [&](std::size_t i) { return saved[i]; });
    nearest.resize(std::min(nearest.size(), most_candidates));
    kept_.resize(nearest.size());
    const auto rows = every_row_index();
    with_threads(threads_, [&] {
      oneapi::tbb::parallel_for(std::size_t{0}, nearest.size(),
                                [&](std::size_t i) { kept_[i] = outcomes_of(contents_[nearest[i]], rows); });
    });
  }

  /// Whether a row has an element that fails and that no part has.
  bool fails(std::size_t row) const {
    for (std::size_t column = 0; column < width_; ++column) {
      if (misses_.fails(row, column) && !claimed_[at(row, column)]) {
        return true;
      }
    }
    return false;
  }
  bool is_open() const {
    const auto rows = std::views::iota(std::size_t{0}, suspect_.rows());
    return std::ranges::any_of(rows, [&](std::size_t row) { return fails(row); });
  }

  std::vector<bool> left() const {
    auto result = claimed_;
    result.flip();
    return result;
  }

  /// What an element says of whether a set of rows, or of columns, has it.
  void add(const Outcomes& outcomes, std::size_t row, std::size_t column, Membership& wanted) const {
    if (claimed_[at(row, column)]) {
      return;
    }
    if (outcomes.contradicts[at(row, column)]) {
      wanted = Membership::no;
    } else if (misses_.fails(row, column) && wanted == Membership::either) {
      wanted = Membership::yes;
    }
  }

  /// The rows of which the content predicts these columns.
  std::optional<RowSet> rows_of(const Outcomes& outcomes, const std::vector<bool>& columns) const {
    std::vector<Membership> wanted(suspect_.rows(), Membership::either);
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      for (std::size_t column = 0; column < width_; ++column) {
        if (columns[column]) {
          add(outcomes, row, column, wanted[row]);
        }
      }
    }
    return simplest_rows(suspect_.grid(), wanted);
  }

  /// The columns that the content predicts in these rows.
  std::optional<ColumnSet> columns_of(const Outcomes& outcomes, const std::vector<bool>& rows) const {
    std::vector<Membership> wanted(width_, Membership::either);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t column = 0; column < width_ && rows[row]; ++column) {
        add(outcomes, row, column, wanted[column]);
      }
    }
    return simplest_columns(suspect_, misses_, wanted);
  }

  /// Rows of which the content predicts most that fails.
  std::vector<bool> mostly_predicted(const Outcomes& outcomes) const {
    std::vector<bool> result;
    for (std::size_t row = 0; row < suspect_.rows(); ++row) {
      int balance = 0;
      for (std::size_t column = 0; column < width_; ++column) {
        if (!claimed_[at(row, column)] && misses_.fails(row, column)) {
          balance += outcomes.contradicts[at(row, column)] ? -1 : 1;
        }
      }
      result.push_back(balance > 0);
    }
    return result;
  }

  Part part_of(const Outcomes& outcomes, RowSet rows, ColumnSet columns) const {
    Part result{&outcomes, std::move(rows), std::move(columns), 0};
    for (std::size_t row = 0; row < suspect_.rows(); ++row) {
      for (std::size_t column = 0; column < width_; ++column) {
        const bool is_its_own = result.has(row, column) && !claimed_[at(row, column)];
        result.saved += is_its_own ? outcomes.saved[at(row, column)] : 0;
      }
    }
    return result;
  }

  std::optional<Part> best_part() const {
    std::vector<Part> offered;
    const auto offer = [&](Part part) {
      if (part.saved - part.bits() >= least_saved) {
        offered.push_back(std::move(part));
      }
    };
    for (const auto& outcomes : kept_) {
      if (auto rows = rows_of(outcomes, every_column(misses_).has)) {
        offer(part_of(outcomes, *std::move(rows), every_column(misses_)));
      }
      if (auto columns = columns_of(outcomes, std::vector<bool>(suspect_.rows(), true))) {
        offer(part_of(outcomes, every_row(suspect_.grid()), *std::move(columns)));
      }
      if (auto columns = columns_of(outcomes, mostly_predicted(outcomes))) {
        if (auto rows = rows_of(outcomes, columns->has)) {
          offer(part_of(outcomes, *std::move(rows), *std::move(columns)));
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
    if (best == offered.end()) {
      return std::nullopt;
    }
    std::set<std::string> equally;
    for (const auto& part : offered) {
      if (part.rows.has == best->rows.has && part.columns.has == best->columns.has &&
          part.bits() <= best->bits() + equally_likely_bits) {
        equally.insert(sentence_of({part.outcomes->content->findings}));
      }
    }
    equally.erase(sentence_of({best->outcomes->content->findings}));
    best->equally.assign(equally.begin(), equally.end());
    return std::move(*best);
  }

  void claim(const Part& part) {
    for (std::size_t row = 0; row < suspect_.rows(); ++row) {
      for (std::size_t column = 0; column < width_; ++column) {
        claimed_[at(row, column)] = claimed_[at(row, column)] || part.has(row, column);
      }
    }
  }

  /// The first part that has an element made it; null: none, it is as the base has it.
  const Part* part_at(std::size_t row, std::size_t column) const {
    const auto found = std::ranges::find_if(parts_, [&](const Part& part) { return part.has(row, column); });
    return found == parts_.end() ? nullptr : &*found;
  }

  Prediction prediction() const {
    Prediction result;
    const auto rows = every_row_index();
    const auto add = [&](const Part* part, const Content& content) {
      visit(content, rows, [&](const PredictedElement& one, std::size_t row, std::size_t column) {
        if (part_at(row, column) == part) {
          result.append(
              {1, one.conclusive ? 1U : 0U, one.fails() ? 1U : 0U, 0, one.conclusive ? one.ratio() : 0, row});
        }
      });
    };
    add(nullptr, {.computation = &base_.computation});
    for (const auto& part : parts_) {
      add(&part, *part.outcomes->content);
    }
    return result;
  }

  /// Where the part is, but for what larger ones have, if that is told as simply.
  std::string where(const Part& part) const {
    std::vector<Membership> rows(suspect_.rows(), Membership::no);
    std::vector<Membership> columns(width_, Membership::no);
    const auto add_to = [](Membership& wanted, bool is_missed) {
      wanted = is_missed || wanted == Membership::yes ? Membership::yes : Membership::either;
    };
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t column = 0; column < width_; ++column) {
        if (part_at(row, column) == &part) {
          add_to(rows[row], misses_.fails(row, column));
          add_to(columns[column], misses_.fails(row, column));
        }
      }
    }
    const auto own_rows = simplest_rows(suspect_.grid(), rows).value_or(part.rows);
    const auto own_columns = simplest_columns(suspect_, misses_, columns).value_or(part.columns);
    return own_columns.is_whole ? own_rows.rows
           : own_rows.is_whole  ? own_columns.words
                                : fmt::format("{}, {}", own_rows.rows, own_columns.words);
  }

  /// Whether tables hold every component twice, and the part has one of each two in its tensors.
  bool parts_twins(const Part& part) const {
    std::map<std::tuple<std::size_t, int, bool>, std::set<bool>> twins;
    std::set<std::size_t> own_tensors;
    for (std::size_t column = 0; column < width_; ++column) {
      const auto& [tensor, pair, is_second] = misses_.columns()[column];
      twins[{tensor, pair, is_second}].insert(part.columns.has[column]);
      if (part.columns.has[column]) {
        own_tensors.insert(tensor);
      }
    }
    return suspect_.vectors() == nullptr && std::ranges::all_of(twins, [&](const auto& one) {
             return one.second.size() == 2 || !own_tensors.contains(std::get<0>(one.first));
           });
  }

  ElementRegion region_of(const Part& part) const {
    ElementRegion result{.rows = index_runs(part.rows.has), .bits = part.bits()};
    const auto place = where(part);
    result.equally = mapped(
        part.equally, [&](const std::string& content) { return fmt::format("{}: {}", place, content); });
    for (std::size_t tensor = 0; tensor < suspect_.tensors(); ++tensor) {
      const auto first = part.columns.has.begin() + static_cast<std::ptrdiff_t>(misses_.first_column(tensor));
      auto runs = index_runs({first, first + static_cast<std::ptrdiff_t>(suspect_.width(tensor))});
      if (!runs.empty()) {
        result.columns.emplace_back(role_of(suspect_, tensor), std::move(runs));
      }
    }
    for (std::size_t row = 0; row < suspect_.rows(); ++row) {
      for (std::size_t column = 0; column < width_; ++column) {
        result.elements += part_at(row, column) == &part ? 1 : 0;
      }
    }
    return result;
  }

  std::optional<Explanation> told() const {
    Explanation result{.findings = base_.findings, .prediction = prediction(), .bits = base_.bits};
    if (!result.prediction.is_proved()) {
      return std::nullopt;
    }
    for (const auto& part : parts_) {
      auto findings = part.outcomes->content->findings;
      findings.front().sentence = fmt::format("{}: {}", where(part), findings.front().sentence);
      if (parts_twins(part)) {
        findings.front().kind = &fault_kind("damage/halves");
      }
      for (auto& finding : findings) {
        finding.edit = nullptr;  // of the spec, which all regions have in common
        finding.region = region_of(part);
        result.findings.push_back(std::move(finding));
      }
      result.bits += part.bits();
    }
    return result;
  }

  const Suspect& suspect_;
  const Candidate& base_;
  const Misses& misses_;
  unsigned threads_;
  std::size_t width_;          ///< columns of all tensors
  std::vector<bool> claimed_;  ///< elements that a part has
  std::vector<Content> contents_;
  std::vector<Outcomes> kept_;
  std::vector<Part> parts_;
};

}  // namespace

RegionAccount explained_by_regions(const Suspect& suspect, const Candidate& base, const Misses& misses,
                                   const std::vector<const Candidate*>& candidates, unsigned threads) {
  return Regions(suspect, base, misses, threads).explain(candidates);
}

}  // namespace vernier
