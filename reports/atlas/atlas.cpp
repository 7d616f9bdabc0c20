#include "reports/atlas/atlas.hpp"

#include <algorithm>

#include "numerics/errors/conclusive.hpp"
#include "reports/html/assets.hpp"

namespace vernier {

const UsableContext* AtlasRotation::of(std::string_view recipe, Format stored) const {
  const auto found = std::ranges::find_if(
      kinds, [&](const UsableContext& one) { return one.recipe == recipe && one.stored == stored; });
  return found == kinds.end() ? nullptr : &*found;
}

bool is_beyond_judgement(const UsableContext& one) {
  return one.greatest.not_finite || proves_nothing(one.greatest.error, 1);
}

std::size_t Atlas::undecided() const {
  std::size_t count = 0;
  for (const auto& rotation : rotations) {
    count += static_cast<std::size_t>(
        std::ranges::count_if(rotation.kinds, [](const UsableContext& one) { return !one.is_decided(); }));
  }
  return count;
}

const Atlas& built_in_atlas() {
  static const auto atlas = read_atlas(asset("atlas.json"), "atlas.json");
  return atlas;
}

}  // namespace vernier
