// Faults of multiplying vectors by sines and cosines.

#include <array>
#include <cmath>

#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

bool is_asked_for_vectors(const Design& design) {
  return design.rotates() && !design.encoding->has_tables_of_axes();
}

std::optional<Planted> aliased(Draw& draw, Design& design) {
  if (!is_asked_for_vectors(design)) {
    return std::nullopt;
  }
  const bool second = draw.chance(0.5);
  design.mixing = [honest = design.mixing, second](double x0, double x1, Turn turn) {
    auto [y0, y1] = honest(x0, x1, turn);
    if (second) {
      y0 = honest(x0, y1, turn).first;
    } else {
      y1 = honest(y0, x1, turn).second;
    }
    return std::pair(y0, y1);
  };
  return Planted{second ? "the first is computed from the new second"
                        : "the second is computed from the new first"};
}

std::optional<Planted> rotated_twice(Draw&, Design& design) {
  if (!is_asked_for_vectors(design)) {
    return std::nullopt;
  }
  design.mixing = [honest = design.mixing](double x0, double x1, Turn turn) {
    const auto [y0, y1] = honest(x0, x1, turn);
    return honest(y0, y1, turn);
  };
  Planted planted{"by the same angle again", {}, {"frequency/factor", "position/scaled"}};
  if (design.amplitude != 1) {
    planted.names.insert(planted.names.end(), {"amplitude/twice", "amplitude/factor"});
  }
  const auto spec = OrderedJson::parse(design.spec);
  if (spec.contains("rope_scaling") && spec["rope_scaling"]["rope_type"] == "linear") {
    // Twice the frequencies are those of half the factor.
    planted.names.insert(planted.names.end(), {"frequency/scaling-parameter", "frequency/scaling-ignored"});
  }
  return planted;
}

std::optional<Planted> sheared(Draw& draw, Design& design) {
  if (!is_asked_for_vectors(design)) {
    return std::nullopt;
  }
  const bool reflects = draw.chance(0.5);
  design.mixing = [honest = design.mixing, reflects](double x0, double x1, Turn turn) {
    return reflects ? honest(x0, -x1, turn) : std::pair(honest(x0, x1, turn).first, x1 * turn.cosine);
  };
  return Planted{reflects ? "a reflection" : "the second forgets the first"};
}

std::optional<Planted> input_narrow(Draw& draw, Design& design) {
  if (!is_asked_for_vectors(design) || traits(design.stored()).precision < 24) {
    return std::nullopt;
  }
  const auto format = draw.chance(0.5) ? Format::bfloat16 : Format::binary16;
  design.reading.push_back([format](double x) { return round_to(format, x); });
  return Planted{"in " + std::string(traits(format).name)};
}

std::optional<Planted> input_clipped(Draw& draw, Design& design) {
  if (!is_asked_for_vectors(design)) {
    return std::nullopt;
  }
  const double most = draw.one_of({64.0, 16.0, 240.0, 448.0});
  design.reading.push_back([most](double x) { return std::clamp(x, -most, most); });
  return Planted{"at " + number(most)};
}

/// Products in float16: beyond 65504 they are infinite. Of bfloat16 and wider inputs of honest size.
std::optional<Planted> overflow_inside(Draw&, Design& design) {
  if (!is_asked_for_vectors(design) || design.stored() == Format::binary16) {
    return std::nullopt;
  }
  design.mixing = [honest = design.mixing](double x0, double x1, Turn turn) {
    const auto [y0, y1] = honest(x0, x1, turn);
    const auto through = [](double y) {
      return std::isfinite(round_to(Format::binary16, y)) ? y : round_to(Format::binary16, y);
    };
    return std::pair(through(y0), through(y1));
  };
  return Planted{"beyond 65504"};
}

std::optional<Planted> flushed(Draw&, Design& design) {
  if (!is_asked_for_vectors(design) || design.stored() == Format::binary16) {
    return std::nullopt;
  }
  design.reading.push_back([](double x) { return std::fabs(x) < 0x1p-14 ? 0.0 : x; });
  return Planted{"inputs below 2^-14 are taken for zero"};
}

}  // namespace

std::span<const Fault> rotation_faults() {
  static const std::array all{
      Fault{"rotation/aliased",
            "a pair is overwritten while it is read",
            Shows::values,
            aliased,
            {"rotation/aliased"},
            "rope"},
      Fault{"rotation/twice",
            "vectors are rotated twice",
            Shows::values,
            rotated_twice,
            {"frequency/factor", "position/scaled"},
            "rope"},
      Fault{"rotation/sheared",
            "what is done to a pair is no rotation",
            Shows::values,
            sheared,
            {"mapping/parts"},
            "rope"},
      Fault{"rotation/input-narrow",
            "vectors are read in 16 bits",
            Shows::values,
            input_narrow,
            {"rotation/input-format"},
            "rope"},
      Fault{"rotation/clipped", "large inputs are clipped", Shows::questions, input_clipped},
      Fault{"rotation/overflow", "products overflow float16 inside", Shows::questions, overflow_inside},
      Fault{"rotation/flushed", "small inputs are taken for zero", Shows::questions, flushed},
  };
  return all;
}

}  // namespace vernier::rates
