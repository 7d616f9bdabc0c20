// Faults of what grows with the position: xPos.

#include <array>

#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

std::optional<Planted> centre(Draw& draw, Design& design) {
  if (!design.growing) {
    return std::nullopt;
  }
  const std::int64_t half = (design.length() + 1) / 2;
  const bool is_zero = draw.chance(0.4);
  const double by = is_zero ? static_cast<double>(half) : draw.one_of({1.0, -1.0});
  design.growing = [honest = design.growing, by](double place, std::size_t pair, bool of_keys) {
    return honest(place + by, pair, of_keys);
  };
  return Planted{is_zero ? "position 0" : "off by " + number(-by)};
}

std::optional<Planted> other_base(Draw& draw, Design& design) {
  if (!design.growing) {
    return std::nullopt;
  }
  auto spec = OrderedJson::parse(design.spec);
  const double factor = draw.one_of({2.0, 0.5});
  const auto centre_place = design.encoding->scaled_tables().front().scale->centre;
  design.growing = [honest = design.growing, factor, centre = static_cast<double>(centre_place)](
                       double place, std::size_t pair, bool of_keys) {
    return honest(centre + (place - centre) / factor, pair, of_keys);
  };
  return Planted{number(spec["scale_base"].get<double>() * factor) + " for " + spec["scale_base"].dump(),
                 {greatest_position(design)}};
}

std::optional<Planted> keys_alike(Draw& draw, Design& design) {
  if (!design.growing) {
    return std::nullopt;
  }
  const bool exchanged = draw.chance(0.5);
  design.growing = [honest = design.growing, exchanged](double place, std::size_t pair, bool of_keys) {
    return honest(place, pair, exchanged && !of_keys);
  };
  return Planted{
      exchanged ? "queries shrink and keys grow the wrong way round" : "keys are scaled as queries",
      {greatest_position(design)}};
}

std::optional<Planted> missing(Draw&, Design& design) {
  if (!design.growing) {
    return std::nullopt;
  }
  design.growing = [](double, std::size_t, bool) { return 1.0; };
  return Planted{"left out", {greatest_position(design)}};
}

}  // namespace

std::span<const Fault> growth_faults() {
  static const std::array all{
      Fault{"growth/centre",
            "xPos has another centre",
            Shows::values,
            centre,
            {"amplitude/growth-centre"},
            "xpos"},
      Fault{"growth/base",
            "xPos has another scale base",
            Shows::values,
            other_base,
            {"amplitude/growth-base"},
            "xpos"},
      Fault{"growth/keys",
            "xPos scales keys and queries otherwise",
            Shows::values,
            keys_alike,
            {"amplitude/growth-keys"},
            "xpos"},
      Fault{"growth/missing",
            "xPos does not scale",
            Shows::values,
            missing,
            {"amplitude/growth-missing"},
            "xpos"},
  };
  return all;
}

}  // namespace vernier::rates
