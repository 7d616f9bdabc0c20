#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <iterator>
#include <span>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/row_sums.hpp"
#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/damage/failing_tensor.hpp"
#include "numerics/diagnosis/description_length.hpp"

namespace vernier {
namespace {

struct Failing {
  std::vector<PredictedElement> numbers;
  std::vector<PredictedElement> no_numbers;
  Prediction all;

  void append(Failing later) {
    std::ranges::move(later.numbers, std::back_inserter(numbers));
    std::ranges::move(later.no_numbers, std::back_inserter(no_numbers));
    all.append(later.all);
  }
};

constexpr std::size_t most_kept = 1 << 18;

/// Whether numbers that fail lie in so many rows and in so many columns that no damage explains them.
class Scattered {
 public:
  explicit Scattered(const Suspect& suspect) : suspect_(suspect) {
    for (std::size_t t = 0; t < suspect.tensors(); ++t) {
      tensors_.emplace_back(suspect.width(t));
    }
  }

  /// Called with each row once, by any thread. \param failing of the row
  void add(std::size_t row, std::span<const PredictedElement> failing) {
    const PredictedElement* last = nullptr;
    for (const auto& one : failing) {
      auto& tensor = tensors_[one.tensor];
      // Zeros may be of any number of rows or columns; the row of padding stands beside other damage.
      if (one.got == 0 || suspect_.is_zero_row(one.tensor, row)) {
        continue;
      }
      tensor.rows += last == nullptr || last->tensor != one.tensor ? 1 : 0;
      tensor.failing_columns += tensor.columns[one.column].exchange(true) ? 0 : 1;
      last = &one;
    }
  }

  bool is_so() const {
    return std::ranges::any_of(tensors_, [&](const Tensor& tensor) {
      return tensor.rows > a_few(suspect_.rows()) && tensor.failing_columns > tensor.most_columns;
    });
  }

 private:
  struct Tensor {
    explicit Tensor(std::size_t width) : most_columns(a_few(width)), columns(width) {}
    std::size_t most_columns;
    std::vector<std::atomic<bool>> columns;  ///< whether a number of the column fails
    std::atomic<std::size_t> failing_columns = 0;
    std::atomic<std::size_t> rows = 0;  ///< with a number that fails
  };

  const Suspect& suspect_;
  std::deque<Tensor> tensors_;
};

/// Nothing where there are too many, or where they are scattered.
std::optional<Failing> failing_elements(const Suspect& suspect, const Computation& computation,
                                        unsigned threads) {
  const Predictor predictor(suspect, computation);
  Scattered scattered(suspect);
  std::atomic<std::size_t> kept = 0;
  const auto is_too_much = [&] { return kept > most_kept || scattered.is_so(); };
  auto result = sum_of_rows<Failing>(suspect.rows(), threads, [&](std::size_t row, Failing& failing) {
    const auto before = failing.numbers.size();
    const auto before_no_numbers = failing.no_numbers.size();
    predictor.visit(row, [&](const PredictedElement& one) {
      ++failing.all.elements;
      failing.all.conclusive += one.conclusive ? 1 : 0;
      const bool is_number = std::isfinite(one.got);
      if (!is_number && std::isfinite(one.predicted)) {
        failing.no_numbers.push_back(one);
      } else if (one.fails()) {
        ++failing.all.failing;
        failing.numbers.push_back(one);
      } else if (one.conclusive) {
        failing.all.largest_budget_ratio = std::max(failing.all.largest_budget_ratio, one.ratio());
      }
    });
    const std::span numbers(failing.numbers);
    scattered.add(row, numbers.subspan(before));
    kept += numbers.size() - before + failing.no_numbers.size() - before_no_numbers;
    return !is_too_much();
  });
  return is_too_much() ? std::nullopt : std::optional(std::move(result));
}

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
    if (const auto at = finding.sentence.find(FailingTensor::role); at != std::string::npos) {
      finding.sentence.replace(at, FailingTensor::role.size(), roles);
    }
    out.push_back(std::move(finding));
  }
}

void tell_no_numbers(const Suspect& suspect, const std::vector<PredictedElement>& elements, Damage& damage) {
  const auto& first = elements.front();
  tell(damage, fault_kind("damage/non-finite"),
       elements.size() == 1
           ? fmt::format("column {} of {} of {} is {}", first.column, position_words(suspect, first.row),
                         role_of(suspect, first.tensor), std::isnan(first.got) ? NAN : first.got)
           : fmt::format("{} elements are NaN or infinite, the first in column {} of {} of {}",
                         elements.size(), first.column, position_words(suspect, first.row),
                         role_of(suspect, first.tensor)),
       damaged_bits);
}

}  // namespace

std::optional<Damage> find_damage(const Suspect& suspect, const Computation& computation, unsigned threads) {
  const auto failing = failing_elements(suspect, computation, threads);
  if (!failing || (failing->numbers.empty() && failing->no_numbers.empty())) {
    return std::nullopt;
  }
  Damage damage;
  damage.rest = failing->all;
  damage.rest.failing = 0;
  damage.rest.conclusive -= failing->all.failing;
  if (!failing->no_numbers.empty()) {
    tell_no_numbers(suspect, failing->no_numbers, damage);
  }
  const Predictor predictor(suspect, computation);
  std::vector<std::pair<std::string, Finding>> by_role;
  for (std::size_t tensor = 0; tensor < suspect.tensors(); ++tensor) {
    std::vector<const PredictedElement*> of_tensor;
    for (const auto& one : failing->numbers) {
      if (one.tensor == tensor) {
        of_tensor.push_back(&one);
      }
    }
    if (of_tensor.empty()) {
      continue;
    }
    Damage here{.findings = {}, .rest = damage.rest};
    if (!explain({suspect, predictor, tensor, std::move(of_tensor)}, here)) {
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
