#include "numerics/diagnosis/stages/position.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include <fmt/core.h>

#include "numerics/computation/position_decoder.hpp"
#include "numerics/decoding/axis_rules.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {

const FaultKind& kind_of(RowRule::Kind kind) {
  // In the order of RowRule::Kind.
  static constexpr std::array<std::string_view, 15> ids{
      "position/offset",  "position/scaled",    "position/constant",  "position/reversed",
      "position/wrapped", "position/clamped",   "position/magnitude", "position/staircase",
      "position/jump",    "position/block",     "position/rows",      "position/axis",
      "position/row",     "position/dimension", "position/other-row"};
  return fault_kind(ids.at(static_cast<std::size_t>(kind)));
}

namespace {

/// Every place mapped.
ComputationEdit mapped(const std::function<double(double)>& map) {
  return [=](Computation& computation) {
    auto places = std::make_shared<Computation::Places>(*computation.places);
    for (auto& axis : *places) {
      std::ranges::transform(axis, axis.begin(), map);
    }
    computation.places = std::move(places);
  };
}

/// "positions are larger by 1"
std::string shift_words(double by) {
  return fmt::format("positions are {} by {}", by > 0 ? "larger" : "smaller", std::fabs(by));
}

/// first_position would change nothing where positions are given.
OrderedJson offset_patch(const Clues& clues, double by) {
  const auto& encoding = clues.suspect.encoding();
  if (clues.suspect.positions().size() != 1 || !encoding.positions().is_plain()) {
    return nullptr;
  }
  auto patch = replacement("position_offset", json_number(by));
  return patched(encoding, patch) ? patch : OrderedJson(nullptr);
}

/// What the spec does to positions, left out: of x = s p + o, with x = q m at the place m, the scale s, the
/// offset o, or both.
void propose_map_left_out(const KindEdits& edits) {
  const auto& map = edits.suspect.encoding().positions();
  const double s = approximately(map.scale());
  const double o = approximately(map.offset());
  const double q = approximately(map.quantum());
  if (!map.scale().is_one()) {
    edits.of("position/scaled")
        .add("position_scale is left out: positions are not multiplied by " + to_string(map.scale()),
             variant_bits, mapped([=](double m) { return ((m * q - o) / s + o) / q; }),
             replacement("position_scale", 1));
  }
  if (map.offset().factor != 0) {
    edits.add("position_offset is left out: nothing is added to positions, not " + to_string(map.offset()),
              variant_bits, mapped([=](double m) { return m - o / q; }), replacement("position_offset", 0));
  }
}

void propose_offset(const KindEdits& edits) {
  if (edits.base.places->size() == 1) {
    propose_map_left_out(edits);  // of a grid each axis may have its own
  }
  propose_position_maps(edits, edits.out);
  if (!edits.suspect.places_are_positions()) {
    return;  // a shift of places is none of positions
  }
  for (const double by : {1.0, -1.0}) {
    edits.add(shift_words(by), variant_bits, mapped([=](double p) { return p + by; }),
              offset_patch(edits, by));
  }
  const auto [least, greatest] = std::ranges::minmax(edits.suspect.positions().front());
  const auto sum = least + greatest;
  edits.of("position/reversed")
      .add(fmt::format("positions are counted down: p stands for {} - p", sum), listed_bits,
           mapped([=](double p) { return static_cast<double>(sum) - p; }));
}

/// The rules of one axis.
AxisRules rules_of(const Clues& clues, std::size_t axis, const std::vector<std::vector<double>>& positions) {
  AxisRules result{axis};
  PositionDecoder decoder(clues.suspect, clues.base, axis, clues.unread);
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

/// The declared places, of rows that stand so many numbers further along the grid; nothing unless the rows
/// are numbered from the first row of zeros on.
std::optional<Computation::Places> places_behind(const Suspect& suspect, std::int64_t prefix) {
  const auto& encoding = suspect.encoding();
  const auto& axes = *encoding.axes();
  const auto rows = static_cast<std::int64_t>(suspect.rows());
  const auto range = encoding.default_positions(rows);
  Computation::Places result(axes.count);
  try {
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto own = axes.of_position(range.at(row));
      const auto held = axes.of_position(range.at(row) + prefix).value();
      const auto index = static_cast<std::size_t>(row);
      if (suspect.is_zero_row(0, index) == own.has_value()) {
        return std::nullopt;
      }
      for (std::size_t axis = 0; axis < axes.count; ++axis) {
        const auto& map = encoding.positions_along(axis);
        if (own && suspect.positions()[axis][index] != map.place((*own)[axis])) {
          return std::nullopt;
        }
        result[axis].push_back(static_cast<double>(map.place(held[axis])));
      }
    }
  } catch (const InputError&) {
    return std::nullopt;  // beyond the grid
  }
  return result;
}

/// Rows of zeros before those of a grid that are missing.
void propose_zero_prefix(const KindEdits& edits) {
  const bool is_table = edits.suspect.vectors() == nullptr && edits.suspect.encoding().axes() != nullptr;
  const auto prefix = is_table ? edits.spec().value("zero_prefix", std::int64_t{0}) : 0;
  if (prefix == 0) {
    return;
  }
  if (auto places = places_behind(edits.suspect, prefix)) {
    edits.add(
        fmt::format("{} of zeros before the first position {} missing",
                    prefix == 1 ? "the row" : fmt::format("the {} rows", prefix), prefix == 1 ? "is" : "are"),
        flag_bits,
        setting(&Computation::places, std::make_shared<const Computation::Places>(*std::move(places)),
                &Computation::fills_padding, true),
        replacement("zero_prefix", 0));
  }
}

/// "rows are left unrotated" for vectors whose rows "hold position 0": they come out as they went in.
std::string not_rotated_words(const std::string& words) {
  const auto holds = words.find(" hold");
  return holds == std::string::npos || !words.ends_with(" position 0")
             ? std::string()
             : words.substr(0, holds) +
                   (words[holds + 5] == 's' ? " is left unrotated" : " are left unrotated");
}

}  // namespace

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
    const bool may_be_unturned = clues.suspect.vectors() != nullptr && positions.size() == 1 &&
                                 one.kind == RowRule::Kind::constant && clues.base.amplitude == 1 &&
                                 clues.base.growth.empty();
    const auto unturned = may_be_unturned ? not_rotated_words(one.words) : std::string();
    if (unturned == "every row is left unrotated") {
      continue;  // told of the vectors as a whole
    }
    const auto& kind = unturned.empty() ? kind_of(one.kind) : fault_kind("rotation/not-rotated");
    KindEdits{clues, kind, out}.add(
        unturned.empty() ? one.words : unturned, one.bits,
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

void propose_frequent_places(const Clues& clues, Proposals& out) {
  PositionDecoder decoder(clues.suspect, clues.base, 0, clues.unread);
  if (clues.suspect.positions().size() > 1 || !clues.suspect.places_are_positions() || !decoder.can_tell()) {
    return;
  }
  decoder.read_all();
  FrequentNumbers shifts;
  FrequentNumbers constants;
  for (std::size_t row = 0; const double own : decoder.declared()) {
    const auto numbers = decoder.numbers(row++);
    if (const double held = numbers.size() == 1 ? simple_numbers(numbers.front()).front().value : own;
        held != own) {
      shifts.add(held - own);
      constants.add(held);
    }
  }
  for (const double by : shifts.most_frequent()) {
    KindEdits{clues, fault_kind("position/offset"), out}.add(shift_words(by), variant_bits + number_bits(by),
                                                             mapped([=](double p) { return p + by; }));
  }
  for (const double one : constants.most_frequent()) {
    KindEdits{clues, fault_kind("position/constant"), out}.add(
        fmt::format("every row holds position {}", number_words(one)), variant_bits + number_bits(one),
        mapped([=](double) { return one; }));
  }
}

StageEdits position_edits() {
  return {{"position/offset", propose_offset}};
}

StageEdits grid_position_edits() {
  return {{"mapping/zero-prefix", propose_zero_prefix}};
}

}  // namespace vernier
