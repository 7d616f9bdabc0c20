#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "numerics/diagnosis/description_length.hpp"
#include "numerics/diagnosis/spec_changes.hpp"
#include "numerics/diagnosis/spec_patch.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

/// Numbers that positions become, s p + o.
struct PositionLine {
  Rational scale;
  Rational offset;
  int power_of_pi = 0;
};

struct LineChange {
  std::string_view kind;
  std::string_view words;
  void (*edit)(PositionLine& line);
};
constexpr std::array line_changes{
    LineChange{"position/offset", "positions are larger by 1/2",
               [](PositionLine& line) { line.offset += line.scale / 2; }},
    LineChange{"position/offset", "positions are smaller by 1/2",
               [](PositionLine& line) { line.offset -= line.scale / 2; }},
    LineChange{"position/offset", "positions are larger by 1",
               [](PositionLine& line) { line.offset += line.scale; }},
    LineChange{"position/offset", "positions are smaller by 1",
               [](PositionLine& line) { line.offset -= line.scale; }},
    LineChange{"position/scaled", "coordinates run from 0 to 1, not from -1 to 1",
               [](PositionLine& line) {
                 line.scale /= 2;
                 line.offset = (line.offset + 1) / 2;
               }},
    LineChange{"position/scaled", "coordinates run from -1 to 1, not from 0 to 1",
               [](PositionLine& line) {
                 line.scale *= 2;
                 line.offset = line.offset * 2 - 1;
               }},
    LineChange{"position/scaled", "positions are taken as they are given", [](PositionLine& line) {
                 line = {1, 0, 0};
               }}};

/// The spec with other lines of positions, said of each axis where it lists axes or has several.
OrderedJson with_lines(const Encoding& declared, void (*edit)(PositionLine& line)) {
  auto spec = declared.spec();
  const auto axes = axis_count(declared);
  if (axes > 1 && !spec.contains("axes")) {
    spec["axes"] = std::vector<OrderedJson>(axes, OrderedJson::object());
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto& map = declared.positions_along(axis);
    PositionLine line{map.scale().factor, map.offset().factor, map.scale().power_of_pi};
    edit(line);
    auto& said = spec.contains("axes") ? spec["axes"].at(axis) : spec;
    said["position_scale"] = exact_json_number(Constant{line.scale, line.power_of_pi});
    said["position_offset"] =
        line.offset == 0 ? OrderedJson(0) : exact_json_number(Constant{line.offset, line.power_of_pi});
  }
  for (const auto* key : {"position_scale", "position_offset"}) {
    if (axes > 1) {
      spec.erase(key);
    }
  }
  return OrderedJson::diff(declared.spec(), spec);
}

}  // namespace

std::vector<SpecChange> position_changes(const Encoding& declared) {
  std::vector<SpecChange> changes;
  for (const auto& [kind, words, edit] : line_changes) {
    auto patch = with_lines(declared, edit);
    if (std::shared_ptr<const Encoding> other = patched(declared, patch);
        other != nullptr && other->spec() != declared.spec()) {
      changes.push_back(
          {{&fault_kind(kind), std::string(words), std::move(patch)}, variant_bits, std::move(other), true});
    }
  }
  return changes;
}

}  // namespace vernier
