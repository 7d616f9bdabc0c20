#include "numerics/diagnosis/damage/failing_tensor.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "reference/support/told_apart.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// Where an element is, and what it is.
constexpr double element_bits = 2.5 * damaged_bits;

using LineNumbers = std::set<std::size_t>;

LineNumbers keys(const FailingTensor::Lines& lines) {
  LineNumbers result;
  for (const auto& line : lines) {
    result.insert(line.first);
  }
  return result;
}

bool is_run(const LineNumbers& numbers) {
  return *numbers.rbegin() - *numbers.begin() + 1 == numbers.size();
}

/// "3", "3 to 9", "3, 5 and 3 others"
std::string some_of(const LineNumbers& numbers) {
  if (numbers.size() == 1) {
    return fmt::format("{}", *numbers.begin());
  }
  if (is_run(numbers)) {
    return fmt::format("{} to {}", *numbers.begin(), *numbers.rbegin());
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

void tell(Damage& damage, std::string_view kind, std::string sentence, double bits) {
  damage.findings.push_back({&fault_kind(kind), std::move(sentence)});
  damage.bits += bits;
}

void append(Damage from, Damage& to) {
  std::ranges::move(from.findings, std::back_inserter(to.findings));
  to.bits += from.bits;
}

/// Whether all elements of these lines are zero. \param across how many elements a line has \param at of a
/// line, one of those
template <class At>
bool are_zero(const LineNumbers& lines, std::size_t across, const At& at) {
  return std::ranges::all_of(lines, [&](std::size_t line) {
    for (std::size_t i = 0; i < across; ++i) {
      if (at(line, i) != 0) {
        return false;
      }
    }
    return true;
  });
}

bool explain_zeros(const FailingTensor& failing, Damage& damage) {
  const auto& tensor = failing.tensor;
  const auto all = [&](auto is_so) { return std::ranges::all_of(failing.failing, is_so); };
  // Where no normal number is lost, subnormal ones are flushed: that is no damage.
  const double least_normal = traits(tensor.stored()).smallest_normal();
  if (failing.failing.size() < 2 || !all([](const PredictedElement* one) { return one->got == 0; }) ||
      all([=](const PredictedElement* one) { return std::fabs(one->predicted) < least_normal; }) ||
      (tensor.is_rotated() && all([](const PredictedElement* one) { return one->pair < 0; }))) {
    return false;
  }
  const auto tell_lines = [&](const LineNumbers& lines, std::size_t of, std::string_view kind,
                              std::string_view noun, const std::string& one) {
    if (lines.size() > a_few(of) && !is_run(lines)) {
      return false;
    }
    tell(damage, kind,
         lines.size() == 1 ? fmt::format("{} of {} is zero", one, FailingTensor::role)
                           : fmt::format("{}s {} of {} are zero", noun, some_of(lines), FailingTensor::role),
         is_run(lines) ? damaged_bits : damaged_bits * static_cast<double>(lines.size()));
    return true;
  };
  const auto rows = keys(failing.rows);
  const auto columns = keys(failing.columns);
  return (are_zero(rows, tensor.width(),
                   [&](std::size_t row, std::size_t column) { return tensor.at(row, column); }) &&
          tell_lines(rows, tensor.rows(), "damage/row-zero", "row", tensor.row_words(*rows.begin()))) ||
         (are_zero(columns, tensor.rows(),
                   [&](std::size_t column, std::size_t row) { return tensor.at(row, column); }) &&
          tell_lines(columns, tensor.width(), "damage/column-zero", "column",
                     fmt::format("column {}", *columns.begin())));
}

/// Zero where little is meant is what flushing leaves.
bool is_lost(const PredictedElement* one) {
  return one->got == 0 && std::fabs(one->predicted) < 0x1p-10;
}

/// Whether all that fails is one pair of one row, and nothing else comes near to failing as much.
bool is_one_pair(const FailingTensor& tensor, double largest_of_others) {
  const auto& first = *tensor.failing.front();
  const auto is_beside = [&](const PredictedElement* one) {
    return one->row == first.row && one->pair == first.pair && one->pair >= 0;
  };
  double greatest = 0;
  for (const auto* one : tensor.failing) {
    greatest = std::max(greatest, one->ratio());
  }
  return std::ranges::all_of(tensor.failing, is_beside) && greatest >= least_gap * largest_of_others;
}

bool explain_elements(const FailingTensor& tensor, Damage& damage) {
  const auto& failing = tensor.failing;
  const auto is_overwritten = [](const PredictedElement* one) { return one->ratio() >= least_error_ratio; };
  if (failing.size() > 4 || std::ranges::all_of(failing, is_lost)) {
    return false;
  }
  const bool is_dispersed = tensor.rows.size() > 1 || failing.size() <= 2;
  const bool are_overwritten = failing.size() == 1 || std::ranges::all_of(failing, is_overwritten);
  if (!(is_dispersed && are_overwritten) && !is_one_pair(tensor, damage.rest.largest_budget_ratio)) {
    return false;
  }
  for (const auto* one : failing) {
    tell(damage, "damage/element",
         fmt::format("column {} of {} of {} is {}", one->column, tensor.tensor.row_words(one->row),
                     FailingTensor::role, one_not_other(one->got, one->predicted, 9)),
         element_bits);
  }
  return true;
}

/// Whether the row should be zero, as that of padding.
bool is_row_of_padding(const FailingTensor& tensor, std::size_t row) {
  const auto should_be_zero = [](const PredictedElement* one) { return one->predicted == 0; };
  return tensor.tensor.is_padding(row) && std::ranges::all_of(tensor.rows.at(row), should_be_zero);
}

/// What else fails is explained by itself.
bool explain_padding(const FailingTensor& tensor, Damage& damage) {
  LineNumbers padding;
  std::vector<const PredictedElement*> others;
  for (const auto& [row, elements] : tensor.rows) {
    if (is_row_of_padding(tensor, row)) {
      padding.insert(row);
    } else {
      others.insert(others.end(), elements.begin(), elements.end());
    }
  }
  Damage beside{.findings = {}, .rest = damage.rest};
  if (padding.empty() || (!others.empty() && !explain({tensor.tensor, std::move(others)}, beside))) {
    return false;
  }
  tell(damage, "mapping/padding",
       padding.size() == 1 ? fmt::format("{} of {}, that of padding, is not zero",
                                         tensor.tensor.row_words(*padding.begin()), FailingTensor::role)
                           : fmt::format("rows {} of {}, those of padding, are not zero", some_of(padding),
                                         FailingTensor::role),
       is_run(padding) ? damaged_bits : damaged_bits * static_cast<double>(padding.size()));
  append(std::move(beside), damage);
  return true;
}

}  // namespace

FailingTensor::FailingTensor(const PredictedTensor& of, std::vector<const PredictedElement*> elements)
    : tensor(of), failing(std::move(elements)) {
  assert(!failing.empty());
  for (const auto* one : failing) {
    rows[one->row].push_back(one);
    columns[one->column].push_back(one);
  }
}

std::string role_of(const Suspect& suspect, std::size_t tensor) {
  return suspect.vectors() != nullptr ? suspect.vectors()->role() : suspect.tables()[tensor].role;
}

std::size_t a_few(std::size_t of) {
  return std::max<std::size_t>(4, of / 50);
}

std::vector<Finding> told_once(const std::vector<std::pair<std::string, Finding>>& by_role) {
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
  std::vector<Finding> result;
  for (auto& [finding, roles] : told) {
    if (const auto at = finding.sentence.find(FailingTensor::role); at != std::string::npos) {
      finding.sentence.replace(at, FailingTensor::role.size(), roles);
    }
    result.push_back(std::move(finding));
  }
  return result;
}

void tell_no_numbers(const PredictedTensor& tensor, const PredictedElement& first, std::size_t count,
                     const std::string& role, Damage& damage) {
  const auto place = fmt::format("column {} of {} of {}", first.column, tensor.row_words(first.row), role);
  tell(damage, "damage/non-finite",
       count == 1 ? fmt::format("{} is {}", place, std::isnan(first.got) ? NAN : first.got)
                  : fmt::format("{} elements are NaN or infinite, the first in {}", count, place),
       damaged_bits);
}

bool explain(const FailingTensor& tensor, Damage& damage) {
  return explain_zeros(tensor, damage) || explain_elements(tensor, damage) || explain_padding(tensor, damage);
}

}  // namespace vernier
