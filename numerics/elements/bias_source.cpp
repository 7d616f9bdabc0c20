#include "numerics/elements/bias_source.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/elements/placed_elements.hpp"

namespace vernier {

Shape BiasSource::shape() const {
  return shape_of(table_, keys_.size(), queries_);
}

bool BiasSource::bind(const Contract& contract, Format stored) {
  if (!contract.judges(table_)) {
    return false;
  }
  contract_ = &contract;
  stored_ = stored;
  known_.clear();
  slope_.reset();
  if (table_.sines) {
    of_sines_ = contract.bind(*table_.sines, stored);
  }
  return true;
}

void BiasSource::go_to(std::size_t row) {
  const auto queries = is_slopes() ? 1 : std::max<std::size_t>(queries_, 1);
  if (row / queries != head_) {
    known_.clear();
    slope_.reset();
  }
  head_ = row / queries;
  query_ = row % queries;
}

std::string BiasSource::name(std::size_t column) const {
  return is_slopes()
             ? fmt::format("{} {}", table_.role == "slopes" ? "slope of head" : "frequency of pair", head_)
             : fmt::format("bias of head {} for a key at {} and the query at {}", head_, keys_[column],
                           keys_[keys_.size() - std::max<std::size_t>(queries_, 1) + query_]);
}

const BiasSource::Known& BiasSource::known(std::size_t column) const {
  const auto by = multiplier(column);
  const auto [found, is_new] = known_.try_emplace(by);
  if (is_new && table_.sines) {
    const auto pair = static_cast<int>(head_);
    found->second = {tight_enclosure([&] { return table_.sines->frequencies.at(pair); }),
                     of_sines_ ? Contract::of_frequency(*of_sines_, pair) : BiasBudget()};
  } else if (is_new && table_.curves.empty()) {
    const auto& slope = table_.slopes[head_];
    if (!slope_) {
      slope_ = {tight_enclosure([&] { return slope.enclosure(); }),
                contract_ == nullptr ? BiasBudget() : contract_->bind(slope, stored_)};
    }
    found->second = {slope_->truth * Enclosure{{static_cast<double>(by), 0}, 0}, slope_->budget};
  } else if (is_new) {
    const auto number = table_.curves[head_](by);
    found->second = {tight_enclosure(number.value),
                     contract_ == nullptr ? BiasBudget() : contract_->bind(number, stored_)};
  }
  return found->second;
}

AllowedElement BiasSource::allowed(std::size_t column, std::optional<double> got) const {
  const auto& [truth, budget] = known(column);
  return {.truth = truth,
          .budget = budget.by_cause(got, truth),
          .size = std::fabs(truth.approximately()),
          .storage_counts = false};
}

}  // namespace vernier
