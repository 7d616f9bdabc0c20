#include "numerics/diagnosis/regions/misses.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace vernier {

Misses::Misses(const Suspect& suspect, const Computation& of)
    : computation_(of), of_pair_(of.tones.size()), fails_(suspect.rows() * suspect.width()) {
  std::vector<PredictedElement> elements(fails_.size());
  for (std::size_t tensor = 0; tensor < suspect.tensors(); ++tensor) {
    first_columns_.push_back(columns_.size());
    columns_.resize(columns_.size() + suspect.width(tensor), {tensor});
    for (std::size_t c = 0; suspect.vectors() == nullptr && c < of.cells[tensor].size(); ++c) {
      columns_[first_columns_[tensor] + c].is_second = of.cells[tensor][c].component == Component::sine;
    }
  }
  for (const auto& d : of.rotated) {
    columns_[d.out].is_second = component_of(d) == 1;
  }
  const Predictor predictor(suspect, of);
  for (std::size_t row = 0; row < suspect.rows(); ++row) {
    predictor.visit(row, [&](const PredictedElement& one) {
      columns_[column(one)].pair = one.pair;
      elements[element(row, column(one))] = one;
      fails_[element(row, column(one))] = one.fails();
    });
  }
  elements_ = std::make_shared<const std::vector<PredictedElement>>(std::move(elements));
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    if (columns_[column].pair >= 0) {
      of_pair_[static_cast<std::size_t>(columns_[column].pair)].push_back(column);
    }
  }
}

Misses Misses::within(const std::vector<bool>& elements) const {
  auto result = *this;
  std::transform(fails_.begin(), fails_.end(), elements.begin(), result.fails_.begin(), std::logical_and());
  return result;
}

bool Misses::fails_in_row(std::size_t row) const {
  const auto first = fails_.begin() + static_cast<std::ptrdiff_t>(element(row, 0));
  return std::find(first, first + std::ssize(columns_), true) != first + std::ssize(columns_);
}

bool Misses::leaves_out(std::size_t row, std::size_t pair) const {
  return std::ranges::any_of(
      of_pair_[pair], [&](std::size_t column) { return at(row, column).fails() && !fails(row, column); });
}

bool Misses::fails_in_pair(std::size_t row, std::size_t pair) const {
  return std::ranges::any_of(of_pair_[pair], [&](std::size_t column) { return fails(row, column); });
}

}  // namespace vernier
