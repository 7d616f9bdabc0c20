#include "numerics/diagnosis/regions/regions.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include <fmt/core.h>

#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/regions/column_set.hpp"
#include "numerics/diagnosis/regions/contents.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_regions = 3;
/// Bits that a part has to save: among so many candidates and regions some save a few by chance.
constexpr double least_saved = 40;

class Regions {
 public:
  /// \param contents grow while this is used
  Regions(const Suspect& suspect, const Candidate& base, const Misses& misses, const RegionContents& contents)
      : suspect_(suspect),
        base_(base),
        misses_(misses),
        contents_(contents),
        width_(misses.columns().size()),
        claimed_(suspect.rows() * width_) {}

  std::optional<Explanation> explain() {
    parts_.clear();
    claimed_.assign(claimed_.size(), false);
    std::optional<Part> part;
    while (parts_.size() < most_regions && is_open() && (part = best_part())) {
      if (std::getenv("RDBG"))
        fmt::print(stderr, "CLAIM {} | {} | {} saved {:.0f}\n", part->rows.rows, part->columns.words,
                   sentence_of({part->outcomes->content->findings}), part->saved);
      claim(*part);
      parts_.push_back(*std::move(part));
    }
    const bool is_whole =
        parts_.size() == 1 && parts_.front().rows.is_whole && parts_.front().columns.is_whole;
    return parts_.empty() || is_whole || is_open() ? std::nullopt : told();
  }

  bool has_parts() const { return !parts_.empty(); }
  /// What fails that no part has.
  Misses left() const {
    auto elements = claimed_;
    elements.flip();
    return misses_.within(elements);
  }
  /// What one fault may have made alone: quarters of the pairs, and every other pair.
  std::vector<Misses> blocks() const {
    constexpr int quarters = 4;
    const int pairs = static_cast<int>(base_.computation.pairs());
    const auto of_pairs = [&](auto has) {
      std::vector<bool> elements;
      for (std::size_t row = 0; row < suspect_.rows(); ++row) {
        for (const auto& column : misses_.columns()) {
          elements.push_back(column.pair >= 0 && has(column.pair));
        }
      }
      return misses_.within(elements);
    };
    std::vector<Misses> result;
    for (int quarter = 0; quarter < quarters; ++quarter) {
      result.push_back(of_pairs([=](int pair) { return pair * quarters / pairs == quarter; }));
    }
    for (const int parity : {0, 1}) {
      result.push_back(of_pairs([=](int pair) { return pair % 2 == parity; }));
    }
    return result;
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
    return std::ranges::any_of(misses_.rows(), [&](std::size_t row) { return fails(row); });
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

  /// Whether a number of the frequencies is fitted to a single one: of any frequency there is a base.
  bool fits_one_frequency(const Part& part) const {
    std::set<int> pairs;
    for (std::size_t column = 0; column < width_; ++column) {
      if (part.columns.has[column]) {
        pairs.insert(misses_.columns()[column].pair);
      }
    }
    const auto& content = *part.outcomes->content;
    return pairs.size() == 1 && content.bits > variant_bits &&
           content.findings.front().kind->stage == Stage::frequency;
  }

  std::optional<Part> best_part() const {
    std::vector<Part> offered;
    const auto offer = [&](Part part) {
      if (part.saved - part.bits() >= least_saved && !fits_one_frequency(part)) {
        offered.push_back(std::move(part));
      }
    };
    for (const auto& outcomes : contents_.kept()) {
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
    const auto rows = misses_.rows();
    const auto add = [&](const Part* part, const Content& content) {
      contents_.visit(content, rows, [&](const PredictedElement& one, std::size_t row, std::size_t column) {
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
    auto own_columns = simplest_columns(suspect_, misses_, columns).value_or(part.columns);
    for (std::size_t column = 0; column < width_; ++column) {
      if (columns[column] == Membership::yes && !own_columns.has[column]) {
        own_columns = part.columns;  // of a pair a larger part has one column alone
      }
    }
    return own_columns.is_whole ? own_rows.rows
           : own_rows.is_whole  ? own_columns.words
                                : fmt::format("{}, {}", own_rows.rows, own_columns.words);
  }

  /// Whether the part has one of each two columns of its tensors that turn by one angle: of tables those that
  /// hold a component twice, of vectors the two dimensions of a pair.
  bool parts_twins(const Part& part) const {
    const bool are_vectors = suspect_.vectors() != nullptr;
    const auto stage = part.outcomes->content->findings.front().kind->stage;
    std::map<std::tuple<std::size_t, int, bool>, std::set<bool>> twins;
    std::set<std::size_t> own_tensors;
    for (std::size_t column = 0; column < width_; ++column) {
      const auto& [tensor, pair, is_second] = misses_.columns()[column];
      if (pair >= 0 || !are_vectors) {
        twins[{tensor, pair, is_second && !are_vectors}].insert(part.columns.has[column]);
      }
      if (part.columns.has[column]) {
        own_tensors.insert(tensor);
      }
    }
    return (!are_vectors || stage == Stage::frequency || stage == Stage::position) &&
           std::ranges::all_of(twins, [&](const auto& one) {
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
        findings.front().sentence =
            fmt::format("the two {} of each pair differ: {}",
                        suspect_.vectors() == nullptr ? "columns" : "dimensions", findings.front().sentence);
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
  const RegionContents& contents_;
  std::size_t width_;          ///< columns of all tensors
  std::vector<bool> claimed_;  ///< elements that a part has
  std::vector<Part> parts_;
};

}  // namespace

std::optional<Explanation> explained_by_regions(const Suspect& suspect, const Candidate& base,
                                                const Misses& misses, std::span<const Candidate> candidates,
                                                const EditsOfFailing& edits, unsigned threads) {
  std::deque<std::vector<Candidate>> measured;
  RegionContents contents(suspect, base, misses, threads);
  contents.add(candidates);
  Regions regions(suspect, base, misses, contents);
  const auto measure = [&](const Misses& part) { contents.add(measured.emplace_back(edits(part))); };
  measure(misses);
  auto result = regions.explain();
  // What several faults made shows each of them once the elements of the others are left out.
  const auto measure_what_is_left = [&] {
    if (!result && regions.has_parts()) {
      measure(regions.left());
      result = regions.explain();
    }
  };
  measure_what_is_left();
  if (!result) {
    std::ranges::for_each(regions.blocks(), measure);
    result = regions.explain();
  }
  measure_what_is_left();
  return result;
}

}  // namespace vernier
