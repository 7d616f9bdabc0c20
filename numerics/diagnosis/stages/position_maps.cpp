// What the rows show of their positions, as a rule.

#include "numerics/diagnosis/stages/position_maps.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/decoding/row_rules.hpp"
#include "numerics/diagnosis/computation/position_decoder.hpp"
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

/// Of so many rules of each axis the combinations are tried.
constexpr std::size_t most_combined = 3;

const FaultKind& kind_of(RowRule::Kind kind) {
  switch (kind) {
    case RowRule::Kind::offset:
      return position_offset;
    case RowRule::Kind::factor:
      return position_scaled;
    case RowRule::Kind::constant:
      return position_constant;
    case RowRule::Kind::reversed:
      return position_reversed;
    case RowRule::Kind::wrapped:
      return position_wrapped;
    case RowRule::Kind::clamped:
      return position_clamped;
    case RowRule::Kind::magnitude:
      return position_magnitude;
    case RowRule::Kind::staircase:
      return position_staircase;
    case RowRule::Kind::jump:
      return position_jump;
    case RowRule::Kind::block:
      return position_block;
    case RowRule::Kind::single_rows:
      return position_rows;
    case RowRule::Kind::other_axis:
      return position_axis;
    case RowRule::Kind::row_index:
      return position_row;
    case RowRule::Kind::leading_index:
      return position_dimension;
    case RowRule::Kind::other_rows:
      return position_other_row;
  }
  return position_offset;
}

/// The rules of one axis, and the places that they give its rows.
struct AxisRules {
  std::size_t axis = 0;
  std::vector<RowRule> rules = {};
  std::vector<std::vector<double>> places = {};  ///< a rule, a row
};

AxisRules rules_of(const Clues& clues, std::size_t axis) {
  AxisRules result{.axis = axis};
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
  std::vector<std::vector<double>> positions;
  for (std::size_t a = 0; a < clues.suspect.positions().size(); ++a) {
    const auto& map = clues.suspect.encoding().positions_along(a);
    const double unit = approximately(map.unit());
    auto& of_axis = positions.emplace_back();
    for (const auto place : clues.suspect.positions()[a]) {
      of_axis.push_back(static_cast<double>(map.number(place)) * unit);
    }
  }
  result.rules = learn_rows(decoder, clues.suspect.grid(),
                            row_features(clues.suspect.grid(), clues.suspect.width(0), positions, axis));
  for (const auto& rule : result.rules) {
    auto& places = result.places.emplace_back();
    for (std::size_t row = 0; row < rule.held.size(); ++row) {
      places.push_back(rule.held[row] == positions[axis][row] ? (*clues.base.places)[axis][row]
                                                              : decoder.place(rule.held[row]));
    }
  }
  return result;
}

/// One of the rules of each axis that has some.
struct RuleChoice {
  std::vector<std::size_t> rules;
  double bits = 0;
};

std::vector<RuleChoice> choices_of(const std::vector<AxisRules>& axes) {
  std::vector<RuleChoice> result{{}};
  for (const auto& axis : axes) {
    std::vector<RuleChoice> longer;
    for (const auto& choice : result) {
      const auto most = axes.size() == 1 ? axis.rules.size() : std::min(most_combined, axis.rules.size());
      for (std::size_t i = 0; i < most; ++i) {
        longer.push_back(choice);
        longer.back().rules.push_back(i);
      }
    }
    result = std::move(longer);
  }
  return result;
}

void propose_choice(const Clues& clues, const std::vector<AxisRules>& axes, const RuleChoice& choice,
                    Proposals& out) {
  std::string sentence;
  double bits = 0;
  bool are_alike = true;
  const auto rule_of = [&](std::size_t i) -> const RowRule& { return axes[i].rules[choice.rules[i]]; };
  const auto count = clues.suspect.positions().size();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    are_alike = are_alike && rule_of(i).words == rule_of(0).words;
    bits += rule_of(i).bits;
    sentence += fmt::format("{}along axis {}, {}", i == 0 ? "" : "; ", axes[i].axis, rule_of(i).words);
  }
  if (are_alike) {
    bits = rule_of(0).bits;
    if (axes.size() == count) {
      sentence = rule_of(0).words;
    } else {
      bits += std::log2(static_cast<double>(count)) + 1;
    }
  }
  const auto& first = rule_of(0);
  if (axes.size() == count && are_alike && first.is_whole &&
      (first.words == "positions are negated" || first.words.starts_with("positions are multiplied by "))) {
    return;  // of directions and frequencies as well, where it is told
  }
  OrderedJson patch = nullptr;
  if (first.offset && axes.size() == 1 && count == 1) {
    patch = offset_patch(clues, *first.offset);
  }
  const auto& kind =
      are_alike || std::ranges::all_of(
                       axes,
                       [&](const AxisRules& one) {
                         return one.rules[choice.rules[static_cast<std::size_t>(&one - axes.data())]].kind ==
                                first.kind;
                       })
          ? kind_of(first.kind)
          : position_scaled;
  propose_edit(
      clues, kind, std::move(sentence), bits, out,
      [&](Computation& computation) {
        auto places = std::make_shared<Computation::Places>(*computation.places);
        bool are_whole = true;
        for (std::size_t i = 0; i < axes.size(); ++i) {
          (*places)[axes[i].axis] = axes[i].places[choice.rules[i]];
          are_whole = are_whole && std::ranges::all_of((*places)[axes[i].axis], [](double place) {
                        return place == std::rint(place);
                      });
        }
        computation.places = std::move(places);
        if (!are_whole) {
          computation.allow_rounded_places();
        }
      },
      patch);
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
  std::vector<AxisRules> axes;
  for (std::size_t axis = 0; axis < clues.suspect.positions().size(); ++axis) {
    auto rules = rules_of(clues, axis);
    if (!rules.rules.empty()) {
      axes.push_back(std::move(rules));
    }
  }
  if (axes.empty()) {
    return;
  }
  for (const auto& choice : choices_of(axes)) {
    propose_choice(clues, axes, choice, out);
  }
}

}  // namespace vernier
