#include "reports/measures/rates/ways.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/recipes/recipe_registry.hpp"

namespace vernier::rates {
namespace {

/// Whatever the encoding says of its frequencies and amplitude; nothing where it has none.
std::optional<std::pair<Frequencies, Amplitude>> waves_of(const Encoding& encoding) {
  for (const auto& table : encoding.all<TurnedTable>()) {
    return std::pair(table.sines.frequencies, table.sines.amplitude);
  }
  for (const auto& table : encoding.all<ExactTable>()) {
    if (table.sines) {
      return std::pair(table.sines->frequencies, table.sines->amplitude);
    }
  }
  return std::nullopt;
}

bool descends_from_one(const Frequencies& frequencies) {
  const auto* scaled = frequencies.scaled();
  const auto* progression = scaled != nullptr ? &scaled->unscaled : frequencies.geometric();
  return progression != nullptr && progression->offset == 0 && progression->step > 0;
}

/// exp(2i (-ln(base)/d)) with the logarithm, the quotient, the product and the exponential each rounded to
/// float32.
std::vector<double> by_rounded_logarithm(const RecipeFrequencies& wanted) {
  const auto step = static_cast<float>(approximately(wanted.step()));
  const float constant = -std::log(static_cast<float>(wanted.base())) * step;
  std::vector<double> result;
  for (int pair = 0; pair < wanted.pairs(); ++pair) {
    const float frequency = std::exp(static_cast<float>(pair) * constant);
    result.push_back(wanted.scaled(Format::binary32, pair, static_cast<double>(frequency)));
  }
  return result;
}

/// pow(base, -2i/d) in float32.
std::vector<double> by_negative_power(const RecipeFrequencies& wanted) {
  const auto base = static_cast<float>(wanted.base());
  std::vector<double> result;
  for (int pair = 0; pair < wanted.pairs(); ++pair) {
    const auto exponent = static_cast<float>(-pair * approximately(wanted.step()));
    result.push_back(wanted.scaled(Format::binary32, pair, static_cast<double>(std::pow(base, exponent))));
  }
  return result;
}

std::vector<double> listed(const Frequencies& frequencies, Format format) {
  std::vector<double> result;
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    result.push_back(round_to(format, frequencies.approximate(pair)));
  }
  return result;
}

/// The frequencies of a recipe whose phases are products with them.
std::vector<double> frequencies_of(const PhaseRule& rule, int pairs) {
  const double one = 1;
  std::vector<double> result;
  double phase = 0;
  for (int pair = 0; pair < pairs; ++pair) {
    rule.advance(pair, {&one, 1}, {&phase, 1});
    result.push_back(phase);
  }
  return result;
}

void by_recipe(Draw& draw, Design& design, const Frequencies& frequencies, const RecipeFrequencies& wanted) {
  // Of those that keep the default contract most; now and then one that keeps another.
  const bool is_wide = design.stored() == Format::binary64;
  // Contracts of special recipes are for plain tables of sines.
  const bool draws_others = design.encoding->has_plain_tables() && !design.encoding->has_tables_of_axes();
  const auto suits = [&](const Recipe& recipe) {
    const auto wanted_compute = is_wide ? Format::binary64 : Format::binary32;
    return (recipe.compute == wanted_compute || recipe.compute == Format::binary64) &&
           recipe.compute != Format::binary16 && recipe.compute != Format::bfloat16 &&
           (recipe.contract == "float32" || recipe.contract == "float64" || draws_others) &&
           (!recipe.narrowed || draw.chance(0.1));
  };
  std::vector<const Recipe*> usable;
  for (const auto& recipe : recipes()) {
    if (suits(recipe)) {
      usable.push_back(&recipe);
    }
  }
  const auto& recipe = *draw.any_of(usable);
  design.words.push_back(std::string(recipe.id));
  design.compute = recipe.compute;
  if (recipe.contract != "float64" && recipe.contract != "float32") {
    design.contract = recipe.contract;
  }
  std::shared_ptr<const PhaseRule> rule = recipe.prepare(wanted);
  design.frequencies = frequencies_of(*rule, frequencies.pairs());
  if (rule->is_recursive() || recipe.narrowed) {
    design.rule = std::move(rule);
    design.plain_product = false;
  }
}

}  // namespace

Turn libm_double(double phase) {
  return {std::cos(phase), std::sin(phase)};
}

Turn libm_float(double phase) {
  const auto x = static_cast<float>(phase);
  return {static_cast<double>(std::cos(x)), static_cast<double>(std::sin(x))};
}

namespace {

/// What is left of a phase after multiples of pi/2, and how many modulo 4.
std::pair<double, int> reduced(double phase) {
  // pi/2 as the sum of three doubles (Cody and Waite 1980).
  const double turns = std::nearbyint(phase * 0x1.45f306dc9c883p-1);
  double rest = std::fma(-turns, 0x1.921fb54442d18p+0, phase);
  rest = std::fma(-turns, 0x1.1a62633145c07p-54, rest);
  rest = std::fma(-turns, -0x1.f1976b7ed8fbcp-110, rest);
  return {rest, static_cast<int>(static_cast<std::int64_t>(turns) & 3)};
}

Turn quarter_turns(Turn turn, int quarters) {
  for (; quarters > 0; --quarters) {
    turn = {-turn.sine, turn.cosine};
  }
  return turn;
}

}  // namespace

Turn own_reduction(double phase) {
  const auto [rest, quarters] = reduced(phase);
  return quarter_turns({std::cos(rest), std::sin(rest)}, quarters);
}

Turn reduced_to_float(double phase) {
  const auto [rest, quarters] = reduced(phase);
  return quarter_turns(libm_float(rest), quarters);
}

namespace {

Trigonometry rounded_to_float(Turn (*function)(double)) {
  return [function](double phase) -> Turn {
    const auto turn = function(phase);
    return {round_to(Format::binary32, turn.cosine), round_to(Format::binary32, turn.sine)};
  };
}

}  // namespace

void choose_turns(Draw& draw, Design& design) {
  const auto waves = waves_of(*design.encoding);
  if (!waves) {
    design.compute = design.stored() == Format::binary64 ? Format::binary64 : Format::binary32;
    return;
  }
  const auto& [frequencies, amplitude] = *waves;
  const bool is_wide = design.stored() == Format::binary64;
  if (descends_from_one(frequencies)) {
    const RecipeFrequencies wanted(frequencies, "a drawn implementation");
    const double share = draw.share();
    design.compute = is_wide ? Format::binary64 : Format::binary32;
    if (!is_wide && share < 0.1) {
      design.words.emplace_back("exp(2i (-logf(b)/d))");
      design.frequencies = by_rounded_logarithm(wanted);
    } else if (!is_wide && share < 0.2) {
      design.words.emplace_back("powf(b, -2i/d)");
      design.frequencies = by_negative_power(wanted);
    } else {
      by_recipe(draw, design, frequencies, wanted);
    }
  } else {
    design.compute = is_wide || draw.chance(0.3) ? Format::binary64 : Format::binary32;
    std::string words = "listed in ";
    words += traits(design.compute).name;
    design.words.push_back(std::move(words));
    design.frequencies = listed(frequencies, design.compute);
  }
  design.amplitude = round_to(design.compute, approximately(amplitude));
  if (design.compute == Format::binary64) {
    const bool own = draw.chance(0.3);
    design.words.emplace_back(own ? "own reduction in double" : "libm double");
    design.trigonometry = own ? own_reduction : libm_double;
    return;
  }
  design.rounds_phase = !design.plain_product || draw.chance(0.75);
  if (!design.rounds_phase) {
    design.words.emplace_back("product unrounded");
  }
  switch (draw.between(0, 3)) {
    case 0:
      design.words.emplace_back("libm double");
      design.trigonometry = rounded_to_float(libm_double);
      break;
    case 1:
      design.words.emplace_back("reduced in double, libm float");
      design.trigonometry = reduced_to_float;
      break;
    default:
      design.words.emplace_back(design.rounds_phase ? "libm float" : "libm double");
      design.trigonometry = design.rounds_phase ? Trigonometry(libm_float) : rounded_to_float(libm_double);
  }
}

void choose_rotation(Draw& draw, Design& design) {
  // The product is of the tensor's type, or wider; the table is of the type that the product is of.
  const auto arithmetic = draw.chance(0.5) ? design.stored() : design.compute;
  const bool fused = draw.chance(0.3);
  if (design.encoding->scheme() == "rope" || design.encoding->scheme() == "xpos") {
    std::string words = "rotates in ";
    words += traits(arithmetic).name;
    words += fused ? ", fused" : "";
    design.words.push_back(std::move(words));
    rotate_in(design, arithmetic, fused);
  }
  for (const auto& table : design.encoding->scaled_tables()) {
    grow_by(design, *table.scale);
    return;
  }
}

void grow_by(Design& design, const PositionScale& scale) {
  std::vector<double> ratios;
  for (const auto& ratio : scale.ratios) {
    ratios.push_back(round_to(design.compute, approximately(ratio)));
  }
  design.growing = [ratios = std::move(ratios), centre = static_cast<double>(scale.centre),
                    base = approximately(scale.base),
                    format = design.compute](double place, std::size_t pair, bool of_keys) {
    const double exponent = round_to(format, (place - centre) / base);
    return round_to(format, std::pow(ratios[pair], of_keys ? -exponent : exponent));
  };
}

bool descends_from_one(const Design& design) {
  const auto waves = waves_of(*design.encoding);
  return waves && descends_from_one(waves->first);
}

void compute_in_float32(Design& design) {
  const auto waves = waves_of(*design.encoding);
  const auto recipe = std::ranges::find(recipes(), "float32-pow", &Recipe::id);
  const auto rule = recipe->prepare(RecipeFrequencies(waves->first, recipe->id));
  design.compute = Format::binary32;
  design.frequencies = frequencies_of(*rule, waves->first.pairs());
  design.amplitude = round_to(design.compute, approximately(waves->second));
  design.trigonometry = rounded_to_float(libm_double);
}

void rotate_in(Design& design, Format arithmetic, bool fused) {
  const auto rotation = design.encoding->all<HeadRotation>().front();
  design.rotary_dim = rotation.rotated.size();
  design.direction = rotation.direction();
  design.pairs.assign(rotation.pairs.begin(), rotation.pairs.end());
  design.mixing = [arithmetic, fused](double x0, double x1, Turn turn) {
    const double c = round_to(arithmetic, turn.cosine);
    const double s = round_to(arithmetic, turn.sine);
    const auto sum = [&](double a, double b, double d, double e) {
      if (fused && arithmetic != Format::binary64) {
        return round_to(arithmetic, a * b + multiply(arithmetic, d, e));
      }
      return fused ? std::fma(a, b, d * e)
                   : add(arithmetic, multiply(arithmetic, a, b), multiply(arithmetic, d, e));
    };
    return std::pair(sum(x0, c, -x1, s), sum(x0, s, x1, c));
  };
}

}  // namespace vernier::rates
