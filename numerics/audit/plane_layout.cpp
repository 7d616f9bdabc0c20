#include "numerics/audit/plane_layout.hpp"

#include <algorithm>

namespace vernier {
namespace {

Plane empty_plane(std::size_t pairs) {
  return {std::vector<std::optional<std::size_t>>(pairs), 0, std::nullopt};
}

std::optional<std::size_t> run_of(const Plane& plane) {
  for (std::size_t pair = 0; pair < plane.columns.size(); ++pair) {
    if (!plane.columns[pair] || *plane.columns[pair] != *plane.columns[0] + pair) {
      return std::nullopt;
    }
  }
  return plane.columns[0];
}

}  // namespace

std::vector<Layer> layers_of(const TrigTable& table) {
  const auto pairs = static_cast<std::size_t>(table.frequencies.pairs());
  std::vector<Layer> layers;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto [pair, component] = table.columns[c];
    if (component == Component::zero) {
      continue;
    }
    const auto plane_in = [&, which = static_cast<std::size_t>(component)](Layer& layer) -> Plane& {
      return layer[which];
    };
    const auto index = static_cast<std::size_t>(pair);
    auto free = std::ranges::find_if(layers, [&](Layer& layer) { return !plane_in(layer).columns[index]; });
    if (free == layers.end()) {
      free = layers.insert(layers.end(), {empty_plane(pairs), empty_plane(pairs)});
    }
    plane_in(*free).columns[index] = c;
    ++plane_in(*free).present;
  }
  for (auto& layer : layers) {
    for (auto& plane : layer) {
      plane.run = run_of(plane);
    }
  }
  return layers;
}

}  // namespace vernier
