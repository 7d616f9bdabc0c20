#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <iterator>
#include <span>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/computation/row_sums.hpp"
#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/damage/failing_tensor.hpp"

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

/// One of a suspect's tensors.
class TensorOfSuspect final : public PredictedTensor {
 public:
  TensorOfSuspect(const Suspect& suspect, const Predictor& predictor, std::size_t index)
      : suspect_(suspect), predictor_(predictor), index_(index) {}

  std::size_t rows() const override { return suspect_.rows(); }
  std::size_t width() const override { return suspect_.width(index_); }
  Format stored() const override { return suspect_.stored(index_); }
  double at(std::size_t row, std::size_t column) const override {
    const auto& tensor = is_rotated() ? suspect_.vectors()->rotated : *suspect_.tables()[index_].tensor;
    return tensor.number(row * width() + column);
  }
  void visit(std::size_t row, const Predictor::Visit& visit) const override {
    predictor_.visit(row, [&](const PredictedElement& one) {
      if (one.tensor == index_) {
        visit(one);
      }
    });
  }
  std::string row_words(std::size_t row) const override {
    const bool has_copies = is_rotated() && !suspect_.vectors()->leading.empty();
    return fmt::format("row {}{} (position {})", row, has_copies ? " of all copies" : "",
                       suspect_.encoding().positions().text(suspect_.positions().front()[row]));
  }
  bool is_padding(std::size_t row) const override { return suspect_.is_zero_row(index_, row); }
  bool is_rotated() const override { return suspect_.vectors() != nullptr; }

 private:
  const Suspect& suspect_;
  const Predictor& predictor_;
  std::size_t index_;
};

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
  const Predictor predictor(suspect, computation);
  if (const auto& elements = failing->no_numbers; !elements.empty()) {
    const auto tensor = elements.front().tensor;
    tell_no_numbers(TensorOfSuspect(suspect, predictor, tensor), elements.front(), elements.size(),
                    role_of(suspect, tensor), damage);
  }
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
    const TensorOfSuspect predicted(suspect, predictor, tensor);
    if (!explain({predicted, std::move(of_tensor)}, here)) {
      return std::nullopt;
    }
    damage.bits += here.bits;
    for (auto& finding : here.findings) {
      by_role.emplace_back(role_of(suspect, tensor), std::move(finding));
    }
  }
  std::ranges::move(told_once(by_role), std::back_inserter(damage.findings));
  return damage;
}

}  // namespace vernier
