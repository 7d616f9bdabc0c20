// Faults of positions: rows that belong to other positions.

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/implementations/asked_through.hpp"
#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

std::optional<Planted> offset_positions(Draw& draw, Design& design) {
  if (!has_rows(design)) {
    return std::nullopt;
  }
  const auto by = static_cast<double>(draw.one_of({1, 1, -1, 2, -2, 17}));
  map_places(design, [by](double place) { return place + by; });
  Planted planted{"by " + number(by)};
  if (design.encoding->scheme() == "learned") {
    planted.names = {"position/offset", "damage/row-zero"};  // beyond its rows such a table gives zeros
  }
  return planted;
}

/// One row with the values of another is that, whichever map of positions put it there.
const std::vector<std::string_view> names_of_one_row{"position/rows",    "position/jump",  "position/clamped",
                                                     "position/wrapped", "position/block", "damage/row-copy"};

/// Whether the row of position 0 is zero by definition: of sines alone, and of positions over the length.
bool holds_zeros_at_zero(const Design& design) {
  return design.encoding->scheme() == "sine_only" || design.encoding->scheme() == "normalised";
}

std::optional<Planted> wrap(Draw& draw, Design& design) {
  const auto last = greatest_position(design);
  if (!has_rows(design) || last < 16) {
    return std::nullopt;
  }
  const auto modulus = static_cast<double>(draw.between(last / 2, last));
  map_places(design, [modulus](double place) { return std::fmod(place, modulus); });
  Planted planted{"modulo " + number(modulus), {last}};
  if (modulus == static_cast<double>(last)) {
    planted.names = names_of_one_row;
  }
  return planted;
}

std::optional<Planted> clamp(Draw& draw, Design& design) {
  const auto last = greatest_position(design);
  if (!has_rows(design) || last < 16) {
    return std::nullopt;
  }
  const auto most = static_cast<double>(draw.between(last / 2, last - 1));
  map_places(design, [most](double place) { return std::min(place, most); });
  Planted planted{"at " + number(most), {last}};
  if (most == static_cast<double>(last - 1)) {
    planted.names = names_of_one_row;
  }
  return planted;
}

std::optional<Planted> jump(Draw& draw, Design& design) {
  if (!has_rows(design) || design.length() < 8) {
    return std::nullopt;
  }
  const auto start = static_cast<double>(draw_position(draw, design));
  const auto by = static_cast<double>(draw.between(1, 6));
  map_places(design, [start, by](double place) { return place >= start ? place + by : place; });
  Planted planted{"by " + number(by) + " from position " + number(start) + " on",
                  {static_cast<std::int64_t>(start)}};
  if (start == static_cast<double>(greatest_position(design))) {
    planted.names = names_of_one_row;
  }
  return planted;
}

std::optional<Planted> one_position(Draw& draw, Design& design) {
  if (!has_rows(design) || design.length() < 8) {
    return std::nullopt;
  }
  const auto wrong = draw_position(draw, design);
  const auto other = draw.one_of({wrong - 1, wrong + 1, least_position(design)});
  const auto from = static_cast<double>(wrong);
  const auto to = static_cast<double>(other == wrong ? wrong + 1 : other);
  map_places(design, [from, to](double place) { return place == from ? to : place; });
  Planted planted{
      "position " + number(from) + " taken for " + number(to), {wrong}, {"position/rows", "damage/row-copy"}};
  if (wrong == greatest_position(design)) {
    planted.names = names_of_one_row;
  }
  if (to == 0 && holds_zeros_at_zero(design)) {
    planted.names.push_back("damage/row-zero");
  }
  return planted;
}

std::optional<Planted> block_off_by_one(Draw& draw, Design& design) {
  if (!has_rows(design) || design.length() < 16) {
    return std::nullopt;
  }
  const auto count = draw.spread_integer(2, design.length() / 8);
  const auto first = draw.between(least_position(design) + 1, greatest_position(design) - count);
  const auto low = static_cast<double>(first);
  const auto high = static_cast<double>(first + count);
  map_places(design, [low, high](double place) { return place >= low && place < high ? place + 1 : place; });
  return Planted{number(low) + " to " + number(high - 1), {first}};
}

std::optional<Planted> staircase(Draw& draw, Design& design) {
  const auto last = greatest_position(design);
  if (!has_rows(design) || last < 16) {
    return std::nullopt;
  }
  const auto tread = static_cast<double>(draw.one_of({2, 4, 8}));
  const auto start = static_cast<double>(draw.chance(0.5) ? 0 : draw.between(last / 4, last * 3 / 4));
  map_places(design, [tread, start](double place) {
    return place < start ? place : start + std::floor((place - start) / tread) * tread;
  });
  return Planted{"of " + number(tread) + " positions from " + number(start) + " on",
                 {static_cast<std::int64_t>(start) + 1, last}};
}

std::optional<Planted> narrow_positions(Draw& draw, Design& design) {
  const auto last = greatest_position(design);
  if (!has_rows(design) || last < 300) {
    return std::nullopt;
  }
  const auto format = last > 2100 && draw.chance(0.5) ? Format::binary16 : Format::bfloat16;
  map_places(design, [format](double place) { return round_to(format, place); });
  return Planted{"in " + std::string(traits(format).name), {(last - 1) | 1}};
}

std::optional<Planted> interpolated(Draw& draw, Design& design) {
  if (!design.has_turns()) {
    return std::nullopt;
  }
  const double factor = draw.one_of({0.5, 2.0, 0.25, 1.01});
  if (design.rule) {
    return std::nullopt;
  }
  map_places(design, [factor](double place) { return place * factor; });
  return Planted{"times " + number(factor)};
}

std::optional<Planted> reversed_positions(Draw&, Design& design) {
  if (!has_rows(design)) {
    return std::nullopt;
  }
  const auto sum = static_cast<double>(least_position(design) + greatest_position(design));
  map_places(design, [sum](double place) { return sum - place; });
  return Planted{"the last position first"};
}

std::optional<Planted> out_of_range_wrapped(Draw& draw, Design& design) {
  const bool is_open = design.refusing.empty() && design.has_turns() && has_rows(design) &&
                       !design.encoding->has_tables_of_axes() && !design.encoding->sequence_length() &&
                       least_position(design) <= 0;
  if (!is_open || design.frequencies.size() < 8) {
    return std::nullopt;
  }
  switch (draw.between(0, 2)) {
    case 0:
      map_places(design, [](double place) { return place < 0 ? -place : place; });
      return Planted{"negative positions without their sign"};
    case 1:
      map_places(design, [](double place) { return place < 0 ? 0 : place; });
      return Planted{"negative positions at 0"};
    default:
      const auto size = static_cast<double>(std::max<std::int64_t>(greatest_position(design), 16) + 1);
      map_places(design, [size](double place) { return place >= size ? std::fmod(place, size) : place; });
      return Planted{"beyond the context modulo " + number(size)};
  }
}

}  // namespace

std::span<const Fault> position_faults() {
  static const std::array all{
      Fault{
          "positions/offset", "every position is off", Shows::values, offset_positions, {"position/offset"}},
      Fault{"positions/wrapped",
            "positions are taken modulo a length",
            Shows::values,
            wrap,
            {"position/wrapped", "position/jump", "position/block"}},
      Fault{"positions/clamped",
            "positions beyond one are taken for it",
            Shows::values,
            clamp,
            {"position/clamped"}},
      Fault{"positions/jump", "positions jump within the context", Shows::values, jump, {"position/jump"}},
      Fault{"positions/one", "one position has the row of another", Shows::values, one_position},
      Fault{"positions/block",
            "a block of positions is off by one",
            Shows::values,
            block_off_by_one,
            // Each row of the block is a copy of the next one.
            {"position/block", "position/rows", "damage/row-copy"}},
      Fault{"positions/staircase",
            "several positions share a row",
            Shows::values,
            staircase,
            {"position/staircase"}},
      Fault{"positions/narrow",
            "positions are rounded to 16 bits",
            Shows::values,
            narrow_positions,
            {"position/format"}},
      Fault{"positions/scaled",
            "positions are multiplied by a factor",
            Shows::values,
            interpolated,
            {"position/scaled", "frequency/factor", "frequency/scaling-parameter",
             "frequency/scaling-ignored", "frequency/scaling-twice"}},
      Fault{"positions/reversed",
            "the context is numbered from its end",
            Shows::values,
            reversed_positions,
            // To turn by s - p is to turn the other way by p - s.
            {"position/reversed", "direction/sign", "position/offset"}},
      Fault{"positions/out-of-range", "positions outside the context get the row of another",
            Shows::questions, out_of_range_wrapped},
  };
  return all;
}

}  // namespace vernier::rates
