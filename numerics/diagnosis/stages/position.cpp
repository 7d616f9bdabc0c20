// The numbers that frequencies are multiplied by.

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"
#include "numerics/diagnosis/stages/position_kinds.hpp"
#include "numerics/diagnosis/stages/position_maps.hpp"

namespace vernier {
namespace {

/// What the spec does to positions, left out: of x = s p + o, with x = q m at the place m, the scale s, the
/// offset o, or both.
void propose_left_out(const Clues& clues, Proposals& out) {
  const auto& map = clues.suspect.encoding().positions();
  const bool has_scale = !map.scale().is_one();
  const bool has_offset = map.offset().factor != 0;
  if (clues.base.places->size() > 1) {
    return;  // each axis may have its own
  }
  const double s = approximately(map.scale());
  const double o = approximately(map.offset());
  const double q = approximately(map.quantum());
  if (has_scale) {
    propose_map(
        clues, fault_kind("position/scaled"),
        "position_scale is left out: positions are not multiplied by " + to_string(map.scale()), variant_bits,
        out, [=](double m) { return ((m * q - o) / s + o) / q; }, replacement("position_scale", 1));
  }
  if (has_offset) {
    propose_map(
        clues, fault_kind("position/offset"),
        "position_offset is left out: nothing is added to positions, not " + to_string(map.offset()),
        variant_bits, out, [=](double m) { return m - o / q; }, replacement("position_offset", 0));
  }
}

/// Coordinates along the axes of a grid that begin elsewhere, or run over another range.
void propose_coordinates(const Clues& clues, Proposals& out) {
  const auto axes = clues.base.places->size();
  if (axes == 1) {
    return;  // no grid
  }
  const auto& encoding = clues.suspect.encoding();
  bool are_plain = true;
  bool are_angles = false;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    are_plain = are_plain && encoding.positions_along(axis).is_plain();
    are_angles = are_angles || encoding.positions_along(axis).scale().power_of_pi != 0;
  }
  for (const double by : {0.5, -0.5, 1.0, -1.0}) {
    if (by == std::rint(by) && clues.suspect.places_are_positions()) {
      continue;  // a shift of places
    }
    propose_lines(
        clues, fault_kind("position/offset"),
        fmt::format("positions are {} by {}", by > 0 ? "larger" : "smaller", std::fabs(by)),
        [by](const CoordinateLine& own, double) {
          return CoordinateLine{own.scale, own.offset + by * own.scale};
        },
        true, out);
  }
  if (are_plain || are_angles) {
    return;
  }
  propose_lines(
      clues, fault_kind("position/scaled"), "coordinates run from 0 to 1, not from -1 to 1",
      [](const CoordinateLine& own, double) {
        return CoordinateLine{own.scale / 2, (own.offset + 1) / 2};
      },
      false, out);
  propose_lines(
      clues, fault_kind("position/scaled"), "coordinates run from -1 to 1, not from 0 to 1",
      [](const CoordinateLine& own, double) {
        return CoordinateLine{own.scale * 2, own.offset * 2 - 1};
      },
      false, out);
}

void propose_offset(const Clues& clues, const FaultKind& kind, Proposals& out) {
  propose_left_out(clues, out);
  propose_coordinates(clues, out);
  propose_position_maps(clues, out);
  if (!clues.suspect.places_are_positions()) {
    return;  // a shift of places is none of positions
  }
  propose_offset_by(clues, kind, 1, variant_bits, out);
  propose_offset_by(clues, kind, -1, variant_bits, out);
  const auto [least, greatest] = std::ranges::minmax(clues.suspect.positions().front());
  propose_map(clues, fault_kind("position/reversed"),
              fmt::format("positions are counted down: p stands for {} - p", least + greatest), listed_bits,
              out, [sum = static_cast<double>(least + greatest)](double p) { return sum - p; });
}

}  // namespace

void propose_scaled_places(const Clues& clues, std::vector<ScaledPlaces>& out) {
  constexpr int most_digits = 4;
  constexpr double greatest = 1024;
  if (clues.suspect.has_offset()) {
    return;  // not the positions alone would be multiplied
  }
  const auto propose = [&](double factor, const std::string& words, double bits) {
    const bool is_new =
        factor < greatest && factor > 1 / greatest && std::ranges::none_of(out, [&](const ScaledPlaces& one) {
          return std::fabs(one.factor / factor - 1) < 1e-9;
        });
    if (is_new) {
      Proposals proposals;
      propose_map(clues, fault_kind("position/scaled"), "positions are multiplied by " + words, bits,
                  proposals, [factor](double p) { return p * factor; });
      out.push_back({std::move(proposals.front()), factor});
    }
  };
  // The fastest pair and one in the middle: a scaling leaves the fast ones alone, or divides all alike.
  const auto measured = measured_pairs(clues);
  for (const auto i : {std::size_t{0}, measured.size() / 2}) {
    if (i >= measured.size() || measured[i].agrees()) {
      continue;
    }
    const double ratio = measured[i].frequency / measured[i].declared;
    if (const auto decimal = shortest_decimal(ratio, measured[i].uncertainty, most_digits)) {
      propose(*decimal, number_words(*decimal), 2 + number_bits(*decimal));
    }
    if (const auto inverse = shortest_decimal(1 / ratio, measured[i].uncertainty, most_digits)) {
      propose(1 / *inverse, "1/" + number_words(*inverse), 3 + number_bits(*inverse));
    }
  }
}

StageEdits position_edits() {
  return {{"position/offset", propose_offset}};
}

}  // namespace vernier
