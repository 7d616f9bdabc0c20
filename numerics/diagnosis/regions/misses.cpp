#include "numerics/diagnosis/regions/misses.hpp"

#include <algorithm>

namespace vernier {

Misses::Misses(const Suspect& suspect, const Computation& of)
    : computation_(of),
      of_pair_(of.tones.size()),
      elements_(suspect.rows() * suspect.width()),
      fails_(elements_.size()) {
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
      const auto element = row * columns_.size() + column(one);
      elements_[element] = one;
      fails_[element] = one.fails();
    });
  }
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    if (columns_[column].pair >= 0) {
      of_pair_[static_cast<std::size_t>(columns_[column].pair)].push_back(column);
    }
  }
}

bool Misses::fails_in_pair(std::size_t row, std::size_t pair) const {
  return std::ranges::any_of(of_pair_[pair], [&](std::size_t column) { return fails(row, column); });
}

}  // namespace vernier
