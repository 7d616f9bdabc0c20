// What the rows show of their positions, as a rule.

#include "numerics/diagnosis/stages/position_maps.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/decoding/axis_rules.hpp"
#include "numerics/diagnosis/computation/position_decoder.hpp"
#include "numerics/diagnosis/computation/real_place.hpp"
#include "numerics/diagnosis/stages/position_kinds.hpp"

namespace vernier {
namespace {

/// first_position would change nothing where positions are given.
OrderedJson offset_patch(const Clues& clues, double by) {
  const auto& encoding = clues.suspect.encoding();
  if (clues.suspect.positions().size() != 1 || !encoding.positions().is_plain()) {
    return nullptr;
  }
  auto patch = replacement("position_offset", json_number(by));
  return patched(encoding, patch) ? patch : OrderedJson(nullptr);
}

/// The rules of one axis.
AxisRules rules_of(const Clues& clues, std::size_t axis, const std::vector<std::vector<double>>& positions) {
  AxisRules result{axis};
  PositionDecoder decoder(clues.suspect, clues.base, axis);
  if (!decoder.can_tell()) {
    return result;
  }
  // A few rows say whether it is worth to read all.
  const auto is_silent = [&] {
    const auto wrong = decoder.a_wrong_row();
    return wrong && decoder.numbers(*wrong).empty();
  };
  if (is_silent() && (!decoder.leave_out_strangers() || !decoder.can_tell() || is_silent())) {
    return result;
  }
  decoder.read_all();
  const auto& grid = clues.suspect.grid();
  result.rules = learn_rows(decoder, grid, row_features(grid, clues.suspect.width(0), positions, axis));
  if (decoder.reads_one_component()) {
    for (auto& rule : result.rules) {
      rule.bits += variant_bits;  // of each number half as much is known
    }
  }
  return result;
}

/// The places with those of an axis in their place that the rule gives its rows.
void place(const Suspect& suspect, std::size_t axis, const RowRule& rule, const std::vector<double>& declared,
           Computation::Places& places) {
  const auto& map = suspect.encoding().positions_along(axis);
  for (std::size_t row = 0; row < rule.held.size(); ++row) {
    if (rule.held[row] != declared[row]) {
      places[axis][row] = real_place(map, rule.held[row]);
    }
  }
}

}  // namespace

void propose_map(const Clues& clues, const FaultKind& kind, std::string sentence, double bits, Proposals& out,
                 const std::function<double(double)>& map, const OrderedJson& patch) {
  propose_edit(
      clues, kind, std::move(sentence), bits, out,
      [&](Computation& computation) {
        auto places = std::make_shared<Computation::Places>(*computation.places);
        for (auto& axis : *places) {
          for (double& place : axis) {
            place = map(place);
          }
        }
        computation.places = std::move(places);
      },
      patch);
}

void propose_offset_by(const Clues& clues, const FaultKind& kind, std::int64_t by, double bits,
                       Proposals& out) {
  const auto shift = static_cast<double>(by);
  const auto patch = offset_patch(clues, shift);
  propose_map(
      clues, kind, fmt::format("positions are {} by {}", by > 0 ? "larger" : "smaller", std::abs(by)), bits,
      out, [shift](double p) { return p + shift; }, patch);
}

void propose_lines(const Clues& clues, const FaultKind& kind, std::string sentence, const OtherLine& other,
                   bool of_all, Proposals& out) {
  auto places = std::make_shared<Computation::Places>(*clues.base.places);
  bool is_other = false;
  for (std::size_t axis = 0; axis < places->size(); ++axis) {
    const auto& map = clues.suspect.encoding().positions_along(axis);
    if (map.is_plain() && !of_all) {
      continue;
    }
    const auto& declared = clues.suspect.positions()[axis];
    const CoordinateLine own{approximately(map.scale()), approximately(map.offset())};
    const auto line = other(own, map.approximate(std::ranges::max(declared)) + 1);
    const double change = line.scale - own.scale;
    const double shift = line.offset - own.offset;
    for (std::size_t row = 0; row < declared.size(); ++row) {
      (*places)[axis][row] +=
          (map.approximate(declared[row]) * change + shift) / approximately(map.quantum());
    }
    is_other = is_other || change != 0 || shift != 0;
  }
  if (is_other) {
    propose_edit(clues, kind, std::move(sentence), variant_bits, out, [&](Computation& computation) {
      computation.places = std::move(places);
      computation.allow_rounded_places();
    });
  }
}

void propose_position_maps(const Clues& clues, Proposals& out) {
  std::vector<std::vector<double>> positions;
  for (std::size_t axis = 0; axis < clues.suspect.positions().size(); ++axis) {
    const auto& map = clues.suspect.encoding().positions_along(axis);
    auto& of_axis = positions.emplace_back();
    for (const auto position : clues.suspect.positions()[axis]) {
      of_axis.push_back(real_number(map, static_cast<double>(position)));
    }
  }
  std::vector<AxisRules> axes;
  for (std::size_t axis = 0; axis < positions.size(); ++axis) {
    axes.push_back(rules_of(clues, axis, positions));
  }
  for (const auto& one : rules_of_axes(axes)) {
    if (one.is_of_all_turns && clues.recovery.is_coherent()) {
      continue;  // measured directions and frequencies say it, for whom it is the same
    }
    propose_edit(
        clues, kind_of(one.kind), one.words, one.bits, out,
        [&](Computation& computation) {
          auto places = std::make_shared<Computation::Places>(*computation.places);
          for (const auto& [axis, rule] : one.rules) {
            place(clues.suspect, axis, *rule, positions[axis], *places);
            if (std::ranges::any_of((*places)[axis], [](double x) { return x != std::rint(x); })) {
              computation.allow_rounded_places();
            }
          }
          computation.places = std::move(places);
        },
        one.offset ? offset_patch(clues, *one.offset) : OrderedJson(nullptr));
  }
}

}  // namespace vernier
