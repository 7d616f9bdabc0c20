#include "reference/schemes/rotary_layout.hpp"

#include <array>

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> rotary_layout_names{"half", "interleaved"};

}  // namespace

RopeSpec::Layout read_layout(ObjectReader& reader, RopeSpec::Layout fallback) {
  return static_cast<RopeSpec::Layout>(reader.choice(
      "layout", {rotary_layout_names[0], rotary_layout_names[1]}, static_cast<std::size_t>(fallback)));
}

std::string_view name_of(RopeSpec::Layout layout) {
  return rotary_layout_names[static_cast<std::size_t>(layout)];
}

}  // namespace vernier
