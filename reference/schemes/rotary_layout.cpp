#include "reference/schemes/rotary_layout.hpp"

#include <array>

#include "reference/keys/key_visitor.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> names{"half", "interleaved"};

}  // namespace

void visit_layout(KeyVisitor& visit, RopeSpec::Layout& layout) {
  visit.defaulted({"layout", "the dimensions of pair i of r/2: i and i + r/2, or 2i and 2i + 1"}, layout,
                  one_of(names));
}

std::string_view name_of(RopeSpec::Layout layout) {
  return names[static_cast<std::size_t>(layout)];
}

}  // namespace vernier
