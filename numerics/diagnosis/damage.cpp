#include "numerics/diagnosis/damage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/description_length.hpp"
#include "numerics/diagnosis/fault_kinds.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array damage_row_bugs{"ml-explore/mlx #3494"sv, "microsoft/onnxruntime #20204"sv};
constexpr FaultKind damage_non_finite{.id = "damage/non-finite",
                                      .stage = Stage::damage,
                                      .title = "elements are no numbers",
                                      .means = "Such an element makes every score of its token NaN.",
                                      .advice =
                                          "Look at how these elements are computed: a division by zero, an "
                                          "overflow, or memory that was never written."};
constexpr FaultKind damage_element{
    .id = "damage/element",
    .stage = Stage::damage,
    .title = "single elements are wrong",
    .means = "The scores of single tokens are off.",
    .advice = "Look for a race, a write to the wrong index, or a damaged file."};
constexpr FaultKind damage_row_zero{
    .id = "damage/row-zero",
    .stage = Stage::damage,
    .title = "rows are zero",
    .means = "These tokens lose their position, and with a rotation their content.",
    .advice =
        "Look at how many rows are launched or written: the last block, or "
        "all batches but the first.",
    .similar = damage_row_bugs};
constexpr FaultKind damage_row_copy{
    .id = "damage/row-copy",
    .stage = Stage::damage,
    .title = "rows are copies of other rows",
    .means = "Two tokens cannot be told apart.",
    .advice = "Look for an index that is clamped, or computed for the wrong block."};
constexpr FaultKind damage_column_zero{.id = "damage/column-zero",
                                       .stage = Stage::damage,
                                       .title = "columns are zero",
                                       .means =
                                           "These dimensions carry no position, and with a rotation lose "
                                           "content.",
                                       .advice =
                                           "Look at how many columns are written: the tail of a vector loop, "
                                           "or a width that is no multiple of it."};
constexpr FaultKind damage_column_copy{.id = "damage/column-copy",
                                       .stage = Stage::damage,
                                       .title = "columns are copies of others",
                                       .means = "Two dimensions carry the same, and one phase is missing.",
                                       .advice = "Look at the indices of the columns."};
constexpr FaultKind damage_column_sign{.id = "damage/column-sign",
                                       .stage = Stage::damage,
                                       .title = "columns have the opposite sign",
                                       .means = "One component of these pairs turns the other way.",
                                       .advice = "Look at the sign of these columns."};
constexpr FaultKind damage_halves{.id = "damage/halves",
                                  .stage = Stage::damage,
                                  .title = "the two halves of a doubled table disagree",
                                  .means =
                                      "The two dimensions of a pair are turned by different angles: lengths "
                                      "change.",
                                  .advice = "Fill both halves from one source."};

/// An element that fails, or a set of them by tensor and line.
using Place = std::array<std::size_t, 3>;  ///< tensor, row, column

struct Failing {
  std::vector<PredictedElement> numbers;
  std::vector<PredictedElement> no_numbers;
  Prediction all;
};

constexpr std::size_t most_kept = 1 << 18;

Failing failing_elements(const Suspect& suspect, const Computation& computation) {
  Failing result;
  const Predictor predictor(suspect, computation);
  for (std::size_t row = 0; row < suspect.rows(); ++row) {
    predictor.visit(row, [&](const PredictedElement& one) {
      ++result.all.elements;
      result.all.conclusive += one.conclusive ? 1 : 0;
      const bool is_number = std::isfinite(one.got);
      if (!is_number && std::isfinite(one.predicted)) {
        result.no_numbers.push_back(one);
      } else if (one.fails()) {
        ++result.all.failing;
        result.numbers.push_back(one);
      } else if (one.conclusive) {
        result.all.largest_budget_ratio = std::max(result.all.largest_budget_ratio, one.ratio());
      }
    });
    if (result.numbers.size() + result.no_numbers.size() > most_kept) {
      break;
    }
  }
  return result;
}

std::string role_of(const Suspect& suspect, std::size_t tensor) {
  return suspect.vectors() != nullptr ? suspect.vectors()->role() : suspect.tables()[tensor].role;
}

std::size_t width_of(const Suspect& suspect, std::size_t tensor) {
  return suspect.vectors() != nullptr ? suspect.vectors()->head_dim() : suspect.tables()[tensor].width();
}

double number_at(const Suspect& suspect, std::size_t tensor, std::size_t row, std::size_t column) {
  const auto index = row * width_of(suspect, tensor) + column;
  return suspect.vectors() != nullptr ? suspect.vectors()->rotated.number(index)
                                      : suspect.tables()[tensor].tensor->number(index);
}

std::string position_words(const Suspect& suspect, std::size_t row) {
  return fmt::format("row {} (position {})", row, suspect.positions().front()[row]);
}

/// "3", "3 to 9", "3, 5 and 3 others"
std::string some_of(const std::set<std::size_t>& numbers) {
  const auto first = *numbers.begin();
  const auto last = *numbers.rbegin();
  if (numbers.size() == 1) {
    return fmt::format("{}", first);
  }
  if (last - first + 1 == numbers.size()) {
    return fmt::format("{} to {}", first, last);
  }
  std::vector<std::string> words;
  for (const auto number : numbers) {
    if (words.size() == 3 && numbers.size() > 4) {
      return joined(words) + fmt::format(" and {} others", numbers.size() - 3);
    }
    words.push_back(fmt::format("{}", number));
  }
  return joined(words, " and ");
}

/// Where an element is, and what it is.
constexpr double element_bits = 2.5 * damaged_bits;

constexpr std::string_view any_role = "<role>";

/// The findings of several tensors, each sentence once, with the roles of the tensors it is told of.
void tell_once(const std::vector<std::pair<std::string, Finding>>& by_role, std::vector<Finding>& out) {
  std::vector<std::pair<Finding, std::string>> told;
  for (const auto& [role, finding] : by_role) {
    const auto same =
        std::ranges::find_if(told, [&](const auto& one) { return one.first.sentence == finding.sentence; });
    if (same == told.end()) {
      told.emplace_back(finding, role);
    } else {
      same->second += " and " + role;
    }
  }
  for (auto& [finding, roles] : told) {
    if (const auto at = finding.sentence.find(any_role); at != std::string::npos) {
      finding.sentence.replace(at, any_role.size(), roles);
    }
    out.push_back(std::move(finding));
  }
}

/// The failing lines of one tensor, rows or columns, and whether each fails nearly whole.
using Lines = std::map<std::size_t, std::vector<const PredictedElement*>>;

/// What a number of lines may at most be, to be called a few.
std::size_t a_few(std::size_t of) {
  return std::max<std::size_t>(4, of / 50);
}

class DamageOfTensor {
 public:
  DamageOfTensor(const Suspect& suspect, const Predictor& predictor, std::size_t tensor,
                 std::vector<const PredictedElement*> failing)
      : suspect_(suspect), predictor_(predictor), tensor_(tensor), failing_(std::move(failing)) {
    for (const auto* one : failing_) {
      rows_[one->row].push_back(one);
      columns_[one->column].push_back(one);
    }
  }

  bool explain(Damage& damage) const {
    return zeros(damage) || elements(damage) || columns(damage) || rows(damage);
  }

 private:
  /// In sentences, until it is known which tensors they are told of.
  static std::string_view role() { return any_role; }
  std::size_t width() const { return width_of(suspect_, tensor_); }
  double at(std::size_t row, std::size_t column) const { return number_at(suspect_, tensor_, row, column); }

  void tell(Damage& damage, const FaultKind& kind, std::string sentence, double bits) const {
    damage.findings.push_back({&kind, std::move(sentence)});
    damage.bits += bits;
  }

  static std::set<std::size_t> keys(const Lines& lines) {
    std::set<std::size_t> result;
    for (const auto& line : lines) {
      result.insert(line.first);
    }
    return result;
  }

  static bool is_run(const std::set<std::size_t>& numbers) {
    return *numbers.rbegin() - *numbers.begin() + 1 == numbers.size();
  }

  /// Whole rows or columns that were never written.
  bool zeros(Damage& damage) const {
    if (failing_.size() < 2 ||
        !std::ranges::all_of(failing_, [](const PredictedElement* one) { return one->got == 0; })) {
      return false;
    }
    const auto rows = keys(rows_);
    const auto columns = keys(columns_);
    const auto is_zero = [&](std::size_t row, std::size_t column) { return at(row, column) == 0; };
    const bool whole_rows = std::ranges::all_of(rows, [&](std::size_t row) {
      for (std::size_t c = 0; c < width(); ++c) {
        if (!is_zero(row, c)) {
          return false;
        }
      }
      return true;
    });
    if (whole_rows && (rows.size() <= a_few(suspect_.rows()) || is_run(rows))) {
      tell(damage, damage_row_zero,
           rows.size() == 1 ? fmt::format("{} of {} is zero", position_words(suspect_, *rows.begin()), role())
                            : fmt::format("rows {} of {} are zero", some_of(rows), role()),
           is_run(rows) ? damaged_bits : damaged_bits * static_cast<double>(rows.size()));
      return true;
    }
    const bool whole_columns = std::ranges::all_of(columns, [&](std::size_t column) {
      for (std::size_t r = 0; r < suspect_.rows(); ++r) {
        if (!is_zero(r, column)) {
          return false;
        }
      }
      return true;
    });
    if (whole_columns && (columns.size() <= a_few(width()) || is_run(columns))) {
      tell(damage, damage_column_zero,
           columns.size() == 1 ? fmt::format("column {} of {} is zero", *columns.begin(), role())
                               : fmt::format("columns {} of {} are zero", some_of(columns), role()),
           is_run(columns) ? damaged_bits : damaged_bits * static_cast<double>(columns.size()));
      return true;
    }
    return false;
  }

  bool elements(Damage& damage) const {
    // A parameter that is a little off leaves some elements just beyond their budgets.
    constexpr double least_ratio = 4;
    const auto is_overwritten = [](const PredictedElement* one) { return one->ratio() >= least_ratio; };
    // Zero where little is meant is what flushing leaves.
    const auto is_lost = [](const PredictedElement* one) {
      return one->got == 0 && std::fabs(one->predicted) < 0x1p-10;
    };
    if (std::ranges::all_of(failing_, is_lost)) {
      return false;
    }
    if (failing_.size() > 4 || (rows_.size() == 1 && failing_.size() > 2) ||
        (failing_.size() > 1 && !std::ranges::all_of(failing_, is_overwritten))) {
      return false;
    }
    for (const auto* one : failing_) {
      tell(damage, damage_element,
           fmt::format("column {} of {} of {} is {:.9g}, not {:.9g}", one->column,
                       position_words(suspect_, one->row), role(), one->got, one->predicted),
           element_bits);
    }
    return true;
  }

  bool columns(Damage& damage) const {
    const auto failing = keys(columns_);
    if (failing.size() > a_few(width()) || suspect_.rows() < 8) {
      return false;
    }
    Damage here;
    for (const auto column : failing) {
      if (is_negated(column)) {
        tell(here, damage_column_sign, fmt::format("column {} of {} has the opposite sign", column, role()),
             damaged_bits);
        continue;
      }
      if (const auto other = swapped_column(column)) {
        if (column < *other) {
          tell(here, *fault_kind_named("damage/columns-swapped"),
               fmt::format("columns {} and {} of {} are exchanged", column, *other, role()), damaged_bits);
        }
        continue;
      }
      const auto other = equal_column(column);
      if (!other) {
        return false;
      }
      tell(here, damage_column_copy,
           fmt::format("column {} of {} is a copy of column {}", column, role(), *other), damaged_bits);
    }
    append(std::move(here), damage);
    return true;
  }

  /// Whether the column is the negative of what is predicted wherever it fails.
  bool is_negated(std::size_t column) const {
    return std::ranges::all_of(columns_.at(column), [](const PredictedElement* one) {
      return std::fabs(one->got + one->predicted) <= one->allowed;
    });
  }

  std::optional<std::size_t> equal_column(std::size_t column) const {
    for (std::size_t other = 0; other < width(); ++other) {
      bool equal = other != column;
      for (std::size_t row = 0; equal && row < suspect_.rows(); ++row) {
        equal = at(row, column) == at(row, other);
      }
      if (equal && !columns_.contains(other)) {
        return other;
      }
    }
    return std::nullopt;
  }

  /// Of two columns that were exchanged each holds what is predicted of the other.
  std::optional<std::size_t> swapped_column(std::size_t column) const {
    const auto& here = columns_.at(column);
    for (const auto& [other, there] : columns_) {
      if (other == column) {
        continue;
      }
      std::map<std::size_t, const PredictedElement*> by_row;
      for (const auto* one : there) {
        by_row[one->row] = one;
      }
      std::size_t compared = 0;
      bool fits = true;
      for (const auto* one : here) {
        if (const auto found = by_row.find(one->row); found != by_row.end()) {
          ++compared;
          fits = fits && std::fabs(one->got - found->second->predicted) <= found->second->allowed;
        }
      }
      if (fits && 2 * compared > here.size()) {
        return other;
      }
    }
    return std::nullopt;
  }

  bool rows(Damage& damage) const {
    const auto failing = keys(rows_);
    if (failing.size() > a_few(suspect_.rows())) {
      return false;
    }
    Damage here;
    for (const auto row : failing) {
      if (is_padding(row)) {
        tell(here, *fault_kind_named("mapping/padding"),
             fmt::format("{} of {}, that of padding, is not zero", position_words(suspect_, row), role()),
             damaged_bits);
        continue;
      }
      const auto other = held_row(row, failing);
      if (!other) {
        return false;
      }
      const bool is_exchange = failing.contains(*other) && holds(*other, row);
      if (is_exchange && *other < row) {
        continue;  // told with the other
      }
      tell(here, is_exchange ? *fault_kind_named("damage/rows-exchanged") : damage_row_copy,
           is_exchange
               ? fmt::format("rows {} and {} of {} are exchanged", row, *other, role())
               : fmt::format("{} of {} is a copy of row {}", position_words(suspect_, row), role(), *other),
           damaged_bits);
    }
    append(std::move(here), damage);
    return true;
  }

  bool is_padding(std::size_t row) const {
    return suspect_.vectors() == nullptr &&
           suspect_.tables()[tensor_].zero_position == suspect_.positions().front()[row];
  }

  /// Whether a row has the numbers that are predicted of another.
  bool holds(std::size_t row, std::size_t other) const {
    bool fits = true;
    predictor_.visit(other, [&](const PredictedElement& one) {
      fits = fits && (one.tensor != tensor_ || std::fabs(at(row, one.column) - one.predicted) <= one.allowed);
    });
    return fits;
  }

  /// Another row whose numbers the row has: one that fails as well, else the nearest.
  std::optional<std::size_t> held_row(std::size_t row, const std::set<std::size_t>& failing) const {
    for (const auto other : failing) {
      if (other != row && holds(row, other)) {
        return other;
      }
    }
    for (std::size_t distance = 1; distance < suspect_.rows(); ++distance) {
      for (const auto other : {row - distance, row + distance}) {
        if (other < suspect_.rows() && !failing.contains(other) && equal_rows(row, other)) {
          return other;
        }
      }
    }
    return std::nullopt;
  }

  bool equal_rows(std::size_t row, std::size_t other) const {
    for (std::size_t c = 0; c < width(); ++c) {
      if (at(row, c) != at(other, c)) {
        return false;
      }
    }
    return true;
  }

  static void append(Damage from, Damage& to) {
    std::ranges::move(from.findings, std::back_inserter(to.findings));
    to.bits += from.bits;
  }

  const Suspect& suspect_;
  const Predictor& predictor_;
  std::size_t tensor_;
  std::vector<const PredictedElement*> failing_;
  Lines rows_;
  Lines columns_;
};

}  // namespace

FaultKinds damage_kinds() {
  return {&damage_non_finite,  &damage_element,     &damage_row_zero,    &damage_row_copy,
          &damage_column_zero, &damage_column_copy, &damage_column_sign, &damage_halves};
}

std::optional<Damage> find_damage(const Suspect& suspect, const Computation& computation) {
  const auto failing = failing_elements(suspect, computation);
  if (failing.numbers.size() + failing.no_numbers.size() > most_kept ||
      (failing.numbers.empty() && failing.no_numbers.empty())) {
    return std::nullopt;
  }
  Damage damage;
  damage.rest = failing.all;
  damage.rest.failing = 0;
  damage.rest.conclusive -= failing.all.failing;
  if (!failing.no_numbers.empty()) {
    const auto& first = failing.no_numbers.front();
    damage.findings.push_back(
        {&damage_non_finite,
         failing.no_numbers.size() == 1
             ? fmt::format("column {} of {} of {} is {}", first.column, position_words(suspect, first.row),
                           role_of(suspect, first.tensor), first.got)
             : fmt::format("{} elements are no numbers, the first {} in column {} of {} of {}",
                           failing.no_numbers.size(), first.got, first.column,
                           position_words(suspect, first.row), role_of(suspect, first.tensor))});
    damage.bits += damaged_bits;
  }
  const Predictor predictor(suspect, computation);
  std::vector<std::pair<std::string, Finding>> by_role;
  for (std::size_t tensor = 0; tensor < suspect.tensors(); ++tensor) {
    std::vector<const PredictedElement*> of_tensor;
    for (const auto& one : failing.numbers) {
      if (one.tensor == tensor) {
        of_tensor.push_back(&one);
      }
    }
    Damage here;
    if (!of_tensor.empty() &&
        !DamageOfTensor(suspect, predictor, tensor, std::move(of_tensor)).explain(here)) {
      return std::nullopt;
    }
    damage.bits += here.bits;
    for (auto& finding : here.findings) {
      by_role.emplace_back(role_of(suspect, tensor), std::move(finding));
    }
  }
  tell_once(by_role, damage.findings);
  return damage;
}

}  // namespace vernier
