#include <algorithm>

#include "props/properties/property.hpp"
#include "props/properties/property_tally.hpp"

namespace vernier {

void PropertyTally::merge(const PropertyTally& other) {
  if (failing_ == 0) {
    counterexample_ = other.counterexample_;
  }
  judged_ += other.judged_;
  undecided_ += other.undecided_;
  failing_ += other.failing_;
  greatest_budget_ratio_ = std::max(greatest_budget_ratio_, other.greatest_budget_ratio_);
}

std::span<const Property> properties() {
  static const auto all = make_all(property_makers);
  return all;
}

const Property* property_named(std::string_view id) {
  const auto all = properties();
  const auto found = std::ranges::find(all, id, &Property::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace vernier
