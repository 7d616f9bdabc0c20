#include "numerics/arithmetic/table_space.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "numerics/arithmetic/rounding.hpp"
#include "numerics/program/sleef.hpp"
#include "numerics/recipes/recipe.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// Whether a phase of this format is a number of float32.
constexpr bool is_narrow(PhaseFormat phase) {
  return phase != PhaseFormat::float64;
}

/// The sine of a float32 phase, correctly rounded: that of float64 is, but next to the middle of two numbers.
template <class Narrow, class Wide>
double rounded_sine(Component component, double phase, Wide value) {
  constexpr Wide doubt = std::is_same_v<Wide, double> ? Wide(0x1p-51) : Wide(0x1p-62L);
  const auto low = static_cast<Narrow>(value * (1 - doubt));
  const auto high = static_cast<Narrow>(value * (1 + doubt));
  if (low == high || !std::isfinite(value)) {
    return static_cast<double>(static_cast<Narrow>(value));
  }
  constexpr auto format = std::is_same_v<Narrow, float> ? Format::binary32 : Format::binary64;
  return rounded_component(component, format, phase)
      .value_or(static_cast<double>(static_cast<Narrow>(value)));
}

template <class Number>
Number component_of(Component component, Number phase) {
  return component == Component::sine ? std::sin(phase) : std::cos(phase);
}

/// What it computes in, how many neighbours at a time, and how, where that is one.
struct SineForm {
  Format format;
  std::size_t lanes;
  double (*value)(Component component, double phase) = nullptr;
};
constexpr std::array<SineForm, 8> sine_forms{
    {{Format::binary32, 1,
      [](Component of, double phase) { return rounded_sine<float>(of, phase, component_of(of, phase)); }},
     {Format::binary32, 1,
      [](Component of, double phase) {
        return static_cast<double>(component_of(of, static_cast<float>(phase)));
      }},
     {Format::binary64, 1, [](Component of, double phase) { return component_of(of, phase); }},
     {Format::binary64, 1,
      [](Component of, double phase) {
        return rounded_sine<double>(of, phase, component_of(of, static_cast<long double>(phase)));
      }},
     {Format::binary32, 8},
     {Format::binary32, 16},
     {Format::binary64, 4},
     {Format::binary64, 8}}};

constexpr const SineForm& form_of(SineFunction function) {
  return sine_forms[static_cast<std::size_t>(function)];
}
constexpr bool is_float32(SineFunction function) {
  return form_of(function).format == Format::binary32;
}

/// Vectors of these many pairs of a row, in the order of memory, fill whole vectors only.
std::vector<SineFunction> functions_of(PhaseFormat phase, bool is_stored_in_float64, std::size_t pairs) {
  std::vector<SineFunction> result;
  for (std::size_t i = 0; i < sine_forms.size(); ++i) {
    const auto function = static_cast<SineFunction>(i);
    const auto& form = sine_forms[i];
    const bool is_asked =
        is_float32(function) ? is_narrow(phase) : is_stored_in_float64 || function == SineFunction::float64;
    if (is_asked &&
        (form.lanes == 1 || (pairs % form.lanes == 0 && has_sleef_lanes(form.format, form.lanes)))) {
      result.push_back(function);
    }
  }
  return result;
}

}  // namespace

std::vector<StoreMode> store_modes(Format computed, Format stored) {
  using enum StoreMode;
  const bool is_wide = computed == Format::binary64;
  switch (stored) {
    case Format::binary64:
      return is_wide ? std::vector{nearest, float32_nearest, by_bfloat16, by_float16}
                     : std::vector{nearest, by_bfloat16, by_float16};
    case Format::binary32:
      return is_wide ? std::vector{nearest, cut, by_bfloat16, by_float16, flushed}
                     : std::vector{nearest, by_bfloat16, by_float16, flushed};
    default:
      break;
  }
  std::vector<StoreMode> result{nearest, cut, half_up, flushed,
                                stored == Format::bfloat16 ? by_float16 : by_bfloat16};
  if (is_wide) {
    result.insert(result.end(), {float32_nearest, float32_cut, float32_half_up});
  }
  return result;
}

TableSpace::TableSpace(const Frequencies& frequencies, const TableQuestion& question)
    : question_(question),
      pairs_(static_cast<std::size_t>(frequencies.pairs())),
      classes_(frequency_classes(frequencies)) {
  iterated_.resize(classes_.size());
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    narrow_.push_back(mapped(classes_[i].values, to_tf32));
    add_leaves(i);
  }
  leaves_ = left_.size();
}

void TableSpace::keep_pinned(const ArithmeticWays& pinned) {
  const auto parts = [&](const ArithmeticWays& one) { return !takes(one, pinned); };
  for (auto& one : classes_) {
    std::erase_if(one.formulas, parts);
  }
  std::erase_if(left_, [&](const TableLeaf& leaf) {
    return classes_[leaf.frequencies].formulas.empty() || parts(leaf.ways);
  });
}

void TableSpace::add_leaves(std::size_t frequencies) {
  using enum PhaseFormat;
  if (classes_[frequencies].is_iterated) {
    add(frequencies, 0, iterated);
    return;
  }
  add(frequencies, 0, float64);
  add(frequencies, 0, rounded_float64);
  if (classes_[frequencies].is_float32()) {
    std::size_t position = 0;
    for (; !is_tf32(position); ++position) {
      for (const auto phase : {float32, bfloat16, float16}) {
        add(frequencies, position, phase);
      }
    }
    add(frequencies, position, float32);
  }
}

void TableSpace::add(std::size_t frequencies, std::size_t position, PhaseFormat phase) {
  auto ways = no_arithmetic;
  at(ways, ArithmeticStage::position) = index_of(position);
  at(ways, ArithmeticStage::phase) = index_of(phase);
  const auto add_leaf = [&] {
    left_.push_back({frequencies, ways, left_.size()});
    computations_ += classes_[frequencies].formulas.size();
  };
  const bool is_wide = std::ranges::find(question_.formats, Format::binary64) != question_.formats.end();
  for (const auto function : functions_of(phase, is_wide, pairs_)) {
    for (const auto format : question_.formats) {
      if (function == SineFunction::exact_float64 && format != Format::binary64) {
        continue;
      }
      const auto computed = form_of(function).format;
      at(ways, ArithmeticStage::sine) = index_of(function);
      at(ways, ArithmeticStage::format) = index_of(format);
      for (const auto mode : store_modes(computed, format)) {
        at(ways, ArithmeticStage::table) = index_of(mode);
        at(ways, ArithmeticStage::amplitude) =
            question_.amplitude == 1 ? not_there : index_of(AmplitudePlace::before_store);
        add_leaf();
        if (question_.amplitude != 1 && format != computed) {
          at(ways, ArithmeticStage::amplitude) = index_of(AmplitudePlace::after_store);
          add_leaf();
        }
      }
    }
  }
}

void TableSpace::go_to(std::int64_t position) {
  const auto wide = static_cast<double>(position);
  rounded_ = mapped(positions_, [&](const program::Use& by) {
    return by.way->formula(program::Bits({Format::binary64}), {.row = position}, by);
  });
  rounded_.push_back(to_tf32(wide));
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const auto& of = classes_[i];
    if (!of.is_iterated) {
      continue;
    }
    auto& phases = iterated_[i];
    phases.resize(pairs_);
    double phase = round_to(Format::binary32, wide);
    for (std::size_t pair = 0; pair < pairs_; ++pair) {
      phases[pair] = of.divisors.empty() ? phase : round_to(Format::binary32, phase / of.divisors[pair]);
      phase = multiply(Format::binary32, phase, of.values.front());
    }
  }
}

double TableSpace::phase(const TableLeaf& leaf, std::size_t pair) const {
  const auto format = way_at<PhaseFormat>(leaf.ways, ArithmeticStage::phase);
  if (format == PhaseFormat::iterated) {
    return iterated_[leaf.frequencies][pair];
  }
  const auto by = way_at<std::size_t>(leaf.ways, ArithmeticStage::position);
  const double position = rounded_[by];
  const double frequency =
      is_tf32(by) ? narrow_[leaf.frequencies][pair] : classes_[leaf.frequencies].values[pair];
  const auto product = [&] {
    return round_to(Format::binary32, round_to(Format::binary32, position) * frequency);
  };
  switch (format) {
    case PhaseFormat::float64:
      return position * frequency;
    case PhaseFormat::rounded_float64:
      return round_to(Format::binary32, position * frequency);
    case PhaseFormat::bfloat16:
      return round_to(Format::bfloat16, product());
    case PhaseFormat::float16:
      return round_to(Format::binary16, product());
    default:
      return product();
  }
}

StoredSine TableSpace::sine(const TableLeaf& leaf, std::size_t pair, double phase) const {
  const auto& form = form_of(way_at<SineFunction>(leaf.ways, ArithmeticStage::sine));
  const auto of = [&](Component component) {
    if (form.lanes == 1) {
      return form.value(component, phase);
    }
    std::array<double, 16> vector{};
    for (std::size_t lane = 0; lane < form.lanes; ++lane) {
      vector[lane] = this->phase(leaf, pair - pair % form.lanes + lane);
    }
    sleef_lanes(form.format, component, std::span(vector).first(form.lanes));
    return vector[pair % form.lanes];
  };
  return {question_.has_sines ? of(Component::sine) : 0, question_.has_cosines ? of(Component::cosine) : 0};
}

StoredSine TableSpace::stored(const TableLeaf& leaf, const StoredSine& value) const {
  const auto mode = way_at<StoreMode>(leaf.ways, ArithmeticStage::table);
  const auto format = leaf.format();
  const auto one = [&](double number) {
    if (question_.amplitude == 1) {
      return stored_as(mode, format, number);
    }
    if (at(leaf.ways, ArithmeticStage::amplitude) == index_of(AmplitudePlace::after_store)) {
      return multiply(format, stored_as(mode, format, number), round_to(format, question_.amplitude));
    }
    const auto computed = form_of(way_at<SineFunction>(leaf.ways, ArithmeticStage::sine)).format;
    return stored_as(mode, format, multiply(computed, number, round_to(computed, question_.amplitude)));
  };
  return {one(value.sine), one(value.cosine)};
}

std::vector<ArithmeticWays> TableSpace::computations_of(const TableLeaf& leaf) const {
  return mapped(classes_[leaf.frequencies].formulas,
                [&](const ArithmeticWays& formula) { return joined_ways(formula, leaf.ways); });
}

}  // namespace vernier
