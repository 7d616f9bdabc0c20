#include "props/laws/case_generator.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdlib>

namespace vernier {
namespace {

using FrequencyRule = SinusoidalSpec::FrequencyRule;

constexpr std::int64_t default_base = 10000;

/// Most dimensions are small, where exact laws are quick and pairs are few; some are as large as models have
/// them.
std::int64_t draw_dimension(Dice& dice, const LawDomain& domain, bool even) {
  const std::int64_t kind = dice.between(0, 11);
  const std::int64_t most = kind < 8 ? 16 : kind < 11 ? 64 : 256;
  const std::int64_t smallest =
      even ? std::max<std::int64_t>(domain.smallest_dimension, 2) : domain.smallest_dimension;
  const std::int64_t largest = std::max(smallest, std::min(most, domain.largest_dimension));
  const std::int64_t drawn = dice.between(smallest, largest);
  return even ? drawn - drawn % 2 : drawn;
}

/// The customary base, a whole number, or a decimal with two places: log-uniform from 2 up.
Rational draw_base(Dice& dice, std::int64_t largest) {
  if (dice.chance(40)) {
    return std::min(default_base, largest);
  }
  if (dice.chance(50)) {
    return std::max<std::int64_t>(2, dice.logarithmic(largest));
  }
  return Rational(std::max<std::int64_t>(200, dice.logarithmic(100 * largest)), 100);
}

/// Scales of at most 1, so that what holds of descending frequencies from 1 on holds of theirs. Without pi:
/// whole turns would give different positions one row.
RealPositions draw_real_positions(Dice& dice, const LawDomain& domain) {
  if (!domain.has_real_positions || dice.chance(60)) {
    return {};
  }
  const std::int64_t below = 1 + dice.logarithmic(1023);
  const Rational scale(dice.between(1, below), below);
  const std::int64_t parts = dice.between(1, 100);
  const Rational offset(dice.between(-100, 100), parts);
  return {.map = PositionMap(1, {scale, 0}, {offset, 0}), .frequency_scale = {}};
}

SinusoidalSpec draw_sinusoidal(Dice& dice, const LawDomain& domain) {
  SinusoidalSpec spec;
  spec.d_model = draw_dimension(dice, domain, false);
  spec.base = draw_base(dice, domain.largest_base);
  spec.layout = dice.chance(30) ? SinusoidalSpec::Layout::halves : SinusoidalSpec::Layout::interleaved;
  spec.order = dice.chance(30) ? SinusoidalSpec::Order::cos_sin : SinusoidalSpec::Order::sin_cos;
  const bool defined =
      spec.d_model >= 4 && (spec.d_model % 2 == 0 || spec.layout == SinusoidalSpec::Layout::halves);
  spec.frequency = defined && dice.chance(25) ? FrequencyRule::tensor2tensor : FrequencyRule::paper;
  spec.scale = dice.chance(75) ? Rational(1) : Rational(dice.between(1, 300), 10);
  spec.positions = draw_real_positions(dice, domain);
  return spec;
}

RopeSpec draw_rope(Dice& dice, LawDomain domain) {
  RopeSpec spec;
  spec.positions = draw_real_positions(dice, domain);
  domain.smallest_dimension =
      std::max<std::int64_t>(domain.smallest_dimension, domain.always_partial ? 4 : 2);
  spec.head_dim = draw_dimension(dice, domain, true);
  spec.rope_theta = draw_base(dice, domain.largest_base);
  spec.layout = dice.chance(50) ? RopeSpec::Layout::half : RopeSpec::Layout::interleaved;
  spec.direction = dice.chance(20) ? RopeSpec::Direction::clockwise : RopeSpec::Direction::counterclockwise;
  if (spec.head_dim >= 4 && (domain.always_partial || dice.chance(30))) {
    spec.partial_rotary_factor = Rational(2 * dice.between(1, spec.head_dim / 2 - 1), spec.head_dim);
  }
  return spec;
}

/// Log-uniform in magnitude below `cap`, of either sign where the domain has both. A fifth are powers of two,
/// where formats and masks have their edges, or next to one; a tenth are earlier variables times -2, -1, 1 or
/// 2, where symmetries are broken.
std::int64_t draw_position(Dice& dice, const LawDomain& domain, std::int64_t cap,
                           const std::vector<LawCase::Position>& earlier) {
  std::int64_t magnitude = dice.logarithmic(cap);
  const auto kind = dice.between(0, 9);
  if (kind == 0 && !earlier.empty()) {
    const std::int64_t factor = dice.between(1, 2) * (dice.chance(50) ? 1 : -1);
    return factor * earlier[static_cast<std::size_t>(dice.between(0, std::ssize(earlier) - 1))].value;
  }
  if (kind == 1 || kind == 2) {
    const auto bits = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(cap)));
    const std::int64_t off = kind == 1 ? 0 : dice.between(-1, 1);
    magnitude = (std::int64_t{1} << dice.between(0, bits - 1)) + off;
  }
  return domain.lowest_position < 0 && dice.chance(40) ? -magnitude : magnitude;
}

/// Numbers of the format in (-4, 4), one in twenty shrunk by 2^-20 into the small end of 16-bit formats.
std::vector<double> draw_vector(Dice& dice, std::int64_t size, Format stored) {
  const int precision = traits(stored).precision;
  const std::int64_t most = (std::int64_t{1} << precision) - 1;
  std::vector<double> values;
  for (std::int64_t i = 0; i < size; ++i) {
    const double value = std::ldexp(static_cast<double>(dice.between(-most, most)), 2 - precision);
    values.push_back(dice.chance(5) ? round_to(stored, value * 0x1p-20) : value);
  }
  return values;
}

/// The target, what lies halfway to it, ever closer to the value, then a few steps more: rounding makes
/// neighbours alike in groups of 2 or 4, so one step alone may lead nowhere.
std::vector<std::int64_t> towards(std::int64_t value, std::int64_t target) {
  std::vector<std::int64_t> result;
  for (std::int64_t gap = value - target; gap != 0; gap /= 2) {
    result.push_back(value - gap);
  }
  for (const std::int64_t step : {4, 3}) {
    if (std::abs(value - target) > step) {
      result.push_back(value > target ? value - step : value + step);
    }
  }
  return result;
}

/// 0, then 1, then without its fraction, then with 8 bits: every step stays a number of the format.
std::vector<double> simpler_elements(double value) {
  if (value == 0) {
    return {};
  }
  if (value == 1) {
    return {0};
  }
  std::vector<double> result{0, 1, std::trunc(value), round_to(Format::bfloat16, value)};
  std::erase(result, value);
  return result;
}

/// The simpler cases of one case, each changed in one respect.
class Simplifier {
 public:
  Simplifier(const LawDomain& domain, const LawCase& instance) : domain_(domain), instance_(instance) {}

  std::vector<LawCase> simpler() {
    if (const auto* sinusoidal = std::get_if<SinusoidalSpec>(&instance_.spec)) {
      if (!domain_.sinusoidal) {
        simplify(*sinusoidal);
      }
    } else if (!domain_.rope) {
      simplify(std::get<RopeSpec>(instance_.spec));
    }
    simplify_positions();
    simplify_vectors();
    return std::move(result_);
  }

 private:
  void add(LawCase changed) { result_.push_back(std::move(changed)); }

  void with(const SinusoidalSpec& spec) {
    LawCase changed = instance_;
    changed.spec = spec;
    add(std::move(changed));
  }

  /// Vectors are cut or, never needed when shrinking, filled to the head's dimension.
  void with(const RopeSpec& spec) {
    LawCase changed = instance_;
    changed.spec = spec;
    for (auto& [name, values] : changed.vectors) {
      values.resize(static_cast<std::size_t>(spec.head_dim));
    }
    add(std::move(changed));
  }

  template <class Spec, class Value>
  void with_default(const Spec& spec, Value Spec::*member, const Value& simplest) {
    if (spec.*member != simplest) {
      Spec changed = spec;
      changed.*member = simplest;
      with(changed);
    }
  }

  /// Base 2, then the customary one, then the whole part, then smaller ones.
  template <class Spec>
  void simplify_base(const Spec& spec, Rational Spec::*base) {
    const Rational& value = spec.*base;
    std::vector<Rational> candidates{2, default_base};
    const auto whole = static_cast<std::int64_t>(approximately(value));
    for (const auto smaller : towards(whole, 2)) {
      candidates.push_back(smaller);
    }
    candidates.push_back(whole);
    for (const auto& candidate : candidates) {
      if (candidate < value && candidate >= 2 && candidate <= domain_.largest_base) {
        Spec changed = spec;
        changed.*base = candidate;
        with(changed);
      }
    }
  }

  void simplify(const SinusoidalSpec& spec) {
    for (const auto dimension : towards(spec.d_model, domain_.smallest_dimension)) {
      SinusoidalSpec changed = spec;
      changed.d_model = dimension;
      if (spec.frequency == FrequencyRule::paper || (dimension >= 4 && dimension % 2 == 0)) {
        with(changed);
      }
    }
    with_default(spec, &SinusoidalSpec::frequency, FrequencyRule::paper);
    if (spec.frequency == FrequencyRule::paper || spec.d_model % 2 == 0) {
      with_default(spec, &SinusoidalSpec::layout, SinusoidalSpec::Layout::interleaved);
    }
    with_default(spec, &SinusoidalSpec::order, SinusoidalSpec::Order::sin_cos);
    with_default(spec, &SinusoidalSpec::scale, Rational(1));
    with_default(spec, &SinusoidalSpec::positions, RealPositions{});
    simplify_base(spec, &SinusoidalSpec::base);
  }

  void simplify(const RopeSpec& spec) {
    const std::int64_t smallest = domain_.always_partial ? 4 : 2;
    for (const auto half : towards(spec.head_dim / 2, std::max(smallest, domain_.smallest_dimension) / 2)) {
      const std::int64_t rotating =
          std::min<std::int64_t>(spec.rotary_dim(), 2 * half - (domain_.always_partial ? 2 : 0));
      RopeSpec changed = spec;
      changed.head_dim = 2 * half;
      changed.partial_rotary_factor =
          spec.partial_rotary_factor == 1 ? Rational(1) : Rational(rotating, 2 * half);
      with(changed);
    }
    if (!domain_.always_partial) {
      with_default(spec, &RopeSpec::partial_rotary_factor, Rational(1));
    }
    with_default(spec, &RopeSpec::layout, RopeSpec::Layout::half);
    with_default(spec, &RopeSpec::direction, RopeSpec::Direction::counterclockwise);
    with_default(spec, &RopeSpec::positions, RealPositions{});
    simplify_base(spec, &RopeSpec::rope_theta);
  }

  void simplify_positions() {
    for (std::size_t i = 0; i < instance_.positions.size(); ++i) {
      const std::int64_t value = instance_.positions[i].value;
      auto candidates = towards(value, 0);
      if (value < 0) {
        candidates.insert(candidates.begin(), -value);
      }
      for (const auto candidate : candidates) {
        LawCase changed = instance_;
        changed.positions[i].value = candidate;
        add(std::move(changed));
      }
    }
  }

  /// Half of the elements that are not zero made zero, as long as there are many.
  void simplify_half(std::size_t vector) {
    constexpr std::size_t many = 8;
    std::vector<std::size_t> nonzero;
    const auto& values = instance_.vectors[vector].values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) {
        nonzero.push_back(i);
      }
    }
    if (nonzero.size() <= many) {
      return;
    }
    const std::size_t half = nonzero.size() / 2;
    for (const auto& part : {std::span(nonzero).first(half), std::span(nonzero).subspan(half)}) {
      LawCase changed = instance_;
      for (const auto i : part) {
        changed.vectors[vector].values[i] = 0;
      }
      add(std::move(changed));
    }
  }

  void simplify_vectors() {
    for (std::size_t v = 0; v < instance_.vectors.size(); ++v) {
      simplify_half(v);
      for (std::size_t i = 0; i < instance_.vectors[v].values.size(); ++i) {
        for (const double candidate : simpler_elements(instance_.vectors[v].values[i])) {
          LawCase changed = instance_;
          changed.vectors[v].values[i] = candidate;
          add(std::move(changed));
        }
      }
    }
  }

  const LawDomain& domain_;
  const LawCase& instance_;
  std::vector<LawCase> result_;
};

bool rows_lie_in(const LawDomain& domain, const Law& law, const LawCase& instance) {
  return std::ranges::all_of(law.rows(instance),
                             [&](std::int64_t position) { return domain.holds(position); });
}

LawCase draw_case(Dice& dice, const Law& law, const LawDomain& domain, Format stored) {
  assert(domain.lowest_position <= 0 && domain.highest_position >= 1);
  LawCase result;
  if (law.about_rotations()) {
    result.spec = domain.rope ? *domain.rope : draw_rope(dice, domain);
  } else {
    result.spec = domain.sinusoidal ? *domain.sinusoidal : draw_sinusoidal(dice, domain);
  }
  for (const auto name : law.vectors) {
    result.vectors.push_back({name, draw_vector(dice, result.dimension(), stored)});
  }
  // Most cases range over the whole domain, the others over a part of it, so that all positions of a case are
  // often small together.
  const std::int64_t highest = std::max(domain.highest_position, -domain.lowest_position);
  std::int64_t cap = dice.chance(70) ? highest : std::max<std::int64_t>(1, dice.logarithmic(highest));
  do {
    result.positions.clear();
    for (const auto name : law.positions) {
      result.positions.push_back({name, draw_position(dice, domain, cap, result.positions)});
    }
    cap = std::max<std::int64_t>(1, cap - cap / 8);
  } while (!rows_lie_in(domain, law, result));
  return result;
}

}  // namespace

Generator<LawCase> case_generator(const Law& law, const LawDomain& domain, Format stored) {
  return {[&law, domain, stored](Dice& dice) { return draw_case(dice, law, domain, stored); },
          [&law, domain](const LawCase& instance) {
            auto candidates = Simplifier(domain, instance).simpler();
            std::erase_if(candidates,
                          [&](const LawCase& candidate) { return !rows_lie_in(domain, law, candidate); });
            return candidates;
          }};
}

}  // namespace vernier
