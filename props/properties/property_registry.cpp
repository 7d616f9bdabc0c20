#include <algorithm>
#include <array>

#include "props/properties/property.hpp"

namespace vernier {

void PropertyTally::merge(const PropertyTally& other) {
  if (failing_ == 0) {
    counterexample_ = other.counterexample_;
  }
  judged_ += other.judged_;
  undecided_ += other.undecided_;
  failing_ += other.failing_;
  greatest_used_ = std::max(greatest_used_, other.greatest_used_);
}

std::span<const Property> properties() {
  static const std::array all{
      same_bucket_property(),         bucket_order_property(), bucket_saturation_property(),
      bucket_antisymmetry_property(), bucket_sides_property(), bias_offset_property(),
      bias_line_property(),           bias_decay_property(),   bias_zero_property(),
      bias_ratio_property(),          unit_norm_property(),    turn_offset_property(),
      turn_position_property(),       turn_keys_property(),
  };
  return all;
}

const Property* property_named(std::string_view id) {
  const auto all = properties();
  const auto found = std::ranges::find(all, id, &Property::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace vernier
