#include "numerics/recipes/recipe.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "numerics/recipes/single_sines/single_sines.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

double as_double_or_float(Format compute, double phase, double (*wide)(double), float (*narrow)(float)) {
  return compute == Format::binary64
             ? wide(phase)
             : round_to(compute, static_cast<double>(narrow(static_cast<float>(phase))));
}

/// Rows whose phases are computed together, pair after pair: enough for vector instructions, and few enough
/// to stay in the first cache.
constexpr std::size_t recipe_rows_at_once = 16;

/// The C library's sine and cosine of each phase in binary64: the compiler makes one call of the two,
/// sincos(), which gives the same bits (a test holds it to that) for little more than the price of one.
void double_sines_cosines(std::span<const double> phases, std::span<double> sine, std::span<double> cosine) {
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const double phase = phases[i];
    sine[i] = std::sin(phase);
    cosine[i] = std::cos(phase);
  }
}

}  // namespace

std::optional<Format> Recipe::narrowed() const {
  for (const auto& by : program.ways) {
    const auto format = by.in ? by.in->format : by.to ? by.to->range : compute();
    if (format != compute()) {
      return format;
    }
  }
  return std::nullopt;
}

PhaseRule Recipe::prepare(const Frequencies& frequencies) const {
  return phase_rule(program, program::Declared(frequencies, id));
}

PhaseRule Recipe::prepare(const TrigTable& table) const {
  const auto& frequencies = table.frequencies;
  if (table.positions.is_plain() && frequencies.scale().is_one()) {
    return prepare(frequencies);
  }
  auto result = prepare(Frequencies(frequencies.family(), Constant{}, Constant{}));
  result.scale_positions(table.positions, frequencies.scale());
  return result;
}

double recipe_sine(Format compute, double phase) {
  return as_double_or_float(compute, phase, std::sin, std::sin);
}
double recipe_cosine(Format compute, double phase) {
  return as_double_or_float(compute, phase, std::cos, std::cos);
}

std::optional<double> rounded_component(Component component, Format compute, double phase) {
  if (!std::isfinite(phase)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (phase == 0) {  // whose sign the sine keeps
    return component == Component::sine ? phase : 1;
  }
  const auto computed = compute == Format::binary64 ? Format::binary64 : Format::binary32;
  const auto value = correctly_rounded(computed, [&] {
    const Interval exact = enclose(phase);
    return component == Component::sine ? Interval(sin(exact)) : Interval(cos(exact));
  });
  return value ? std::optional(round_to(compute, *value)) : std::nullopt;
}

/// What rows() works on at once: positions that the recipe tells apart, their phases, and the components of
/// one of them.
struct RecipeTable::Lanes {
  /// Where the sines of a row go, or its cosines.
  struct Places {
    struct Place {
      std::size_t index;  ///< of the component, in the order of the pairs
      std::size_t column;
    };
    std::vector<Place> all;
    bool side_by_side = true;  ///< each component in one column, in their order

    void add(std::size_t index, const std::vector<std::size_t>& columns) {
      for (const auto column : columns) {
        all.push_back({index, column});
        side_by_side = side_by_side && index + 1 == all.size() && column == all.front().column + index;
      }
    }
    void put(std::span<const double> values, double* row) const {
      if (side_by_side && !all.empty()) {
        std::copy_n(values.begin(), all.size(), row + all.front().column);
        return;
      }
      for (const auto& [index, column] : all) {
        row[column] = values[index];
      }
    }
  };

  explicit Lanes(const std::vector<PairColumns>& pairs) {
    for (const auto& [sine_columns, cosine_columns] : pairs) {
      sines.add(used_pairs, sine_columns);
      cosines.add(used_pairs, cosine_columns);
      used_pairs += sine_columns.empty() && cosine_columns.empty() ? 0 : 1;
    }
    phases.resize(recipe_rows_at_once * used_pairs);
    sine.resize(used_pairs);
    cosine.resize(used_pairs);
  }

  Places sines;
  Places cosines;
  std::size_t used_pairs = 0;                              ///< those that a column holds
  std::size_t count = 0;                                   ///< of positions
  std::array<std::size_t, recipe_rows_at_once> first_row;  ///< of the rows that share the position
  std::array<double, recipe_rows_at_once> positions;
  std::vector<double> phases;  ///< position after position, those of the used pairs
  std::vector<double> sine;
  std::vector<double> cosine;
};

RecipeTable::RecipeTable(const Recipe& recipe, const TrigTable& table, Format stored)
    : RecipeTable(recipe, recipe.prepare(table), table, stored) {}

RecipeTable::RecipeTable(const Recipe& recipe, PhaseRule phases, const TrigTable& table, Format stored)
    : compute_(recipe.compute()),
      stored_(stored),
      amplitude_(round_to(compute_, approximately(table.amplitude))),
      phases_(std::move(phases)),
      zero_position_(table.zero_position),
      columns_(table.columns.size()) {
  for (std::size_t c = 0; c < columns_; ++c) {
    const auto& [pair, component] = table.columns[c];
    pairs_.resize(std::max(pairs_.size(), static_cast<std::size_t>(pair) + 1));
    auto& columns = pairs_[static_cast<std::size_t>(pair)];
    (component == Component::zero   ? zero_columns_
     : component == Component::sine ? columns.sine
                                    : columns.cosine)
        .push_back(c);
  }
}

void RecipeTable::row(std::int64_t position, std::span<double> out) const {
  rows({position, 1, 1}, out);
}

double RecipeTable::element(Component component, double phase) const {
  assert(component != Component::zero);
  return element_of(component == Component::sine ? recipe_sine(compute_, phase)
                                                 : recipe_cosine(compute_, phase));
}

double RecipeTable::element_of(double value) const {
  return round_to(stored_, amplitude_ == 1 ? value : multiply(compute_, amplitude_, value));
}

void RecipeTable::rows(const PositionRange& positions, std::span<double> out) const {
  assert(out.size() == static_cast<std::size_t>(positions.count) * columns_);
  Lanes lanes(pairs_);
  for (std::int64_t first = 0; first < positions.count; first += std::int64_t{recipe_rows_at_once}) {
    const auto count = std::min(std::int64_t{recipe_rows_at_once}, positions.count - first);
    block({positions.at(first), positions.step, count}, lanes,
          out.data() + static_cast<std::size_t>(first) * columns_);
  }
}

void RecipeTable::block(const PositionRange& positions, Lanes& lanes, double* out) const {
  lanes.count = 0;
  for (std::int64_t r = 0; r < positions.count; ++r) {
    const double position = phases_.rounded(positions.at(r));
    if (lanes.count == 0 || position != lanes.positions[lanes.count - 1]) {
      lanes.first_row[lanes.count] = static_cast<std::size_t>(r);
      lanes.positions[lanes.count++] = position;
    }
  }
  compute_phases(lanes);
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    compute_components(lanes, lane);
    double* const row = out + lanes.first_row[lane] * columns_;
    lanes.sines.put(lanes.sine, row);
    lanes.cosines.put(lanes.cosine, row);
  }
  repeat_rows(lanes, static_cast<std::size_t>(positions.count), out);
  for (std::int64_t r = 0; r < positions.count; ++r) {
    put_zeros(positions.at(r), out + static_cast<std::size_t>(r) * columns_);
  }
}

void RecipeTable::compute_phases(Lanes& lanes) const {
  std::array<double, recipe_rows_at_once> carried;
  std::array<double, recipe_rows_at_once> used;
  const auto lanes_of = [&](auto& all) { return std::span(all).first(lanes.count); };
  std::size_t index = 0;
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    if (pairs_[pair].empty() && !phases_.is_recursive()) {
      continue;
    }
    phases_.advance(static_cast<int>(pair), lanes_of(lanes.positions), lanes_of(carried));
    if (!pairs_[pair].empty()) {
      phases_.divide(static_cast<int>(pair), lanes_of(carried), lanes_of(used));
      for (std::size_t lane = 0; lane < lanes.count; ++lane) {
        lanes.phases[lane * lanes.used_pairs + index] = used[lane];
      }
      ++index;
    }
  }
}

void RecipeTable::compute_components(Lanes& lanes, std::size_t lane) const {
  const auto phases = std::span(lanes.phases).subspan(lane * lanes.used_pairs, lanes.used_pairs);
  if (compute_ != Format::binary64) {
    single_sines_cosines(phases, lanes.sine, lanes.cosine);
  } else if (lanes.cosines.all.empty()) {
    std::ranges::transform(phases, lanes.sine.begin(), [](double phase) { return std::sin(phase); });
  } else if (lanes.sines.all.empty()) {
    std::ranges::transform(phases, lanes.cosine.begin(), [](double phase) { return std::cos(phase); });
  } else {
    double_sines_cosines(phases, lanes.sine, lanes.cosine);
  }
  finish(lanes.sine);
  finish(lanes.cosine);
}

void RecipeTable::finish(std::span<double> values) const {
  if (traits(compute_).precision < traits(Format::binary32).precision) {
    round_each(compute_, values);
  }
  if (amplitude_ != 1) {
    for (double& value : values) {
      value *= amplitude_;
    }
    round_each(compute_, values);  // see multiply()
  }
  if (stored_ != compute_) {
    round_each(stored_, values);
  }
}

void RecipeTable::put_zeros(std::int64_t position, double* row) const {
  if (position == zero_position_) {
    std::fill_n(row, columns_, 0.0);
  }
  for (const auto column : zero_columns_) {
    row[column] = 0;
  }
}

void RecipeTable::repeat_rows(const Lanes& lanes, std::size_t count, double* out) const {
  for (std::size_t lane = 0; lane < lanes.count; ++lane) {
    const auto first = lanes.first_row[lane];
    const auto end = lane + 1 < lanes.count ? lanes.first_row[lane + 1] : count;
    for (auto row = first + 1; row < end; ++row) {
      std::copy_n(out + first * columns_, columns_, out + row * columns_);
    }
  }
}

RecipeRotation::RecipeRotation(const Recipe& recipe, RopeSpec spec, Format stored)
    : spec_(std::move(spec)),
      stored_(stored),
      cosine_(recipe, spec_.table_of_vectors(Component::cosine), stored),
      sine_(recipe, spec_.table_of_vectors(Component::sine), stored) {}

void RecipeRotation::rotate(std::int64_t position, std::span<const double> x, std::span<double> y) const {
  assert(x.size() == head_dim() && y.size() == head_dim());
  std::vector<double> cosine(cosine_.columns());
  std::vector<double> sine(sine_.columns());
  cosine_.row(position, cosine);
  sine_.row(position, sine);
  const double sign = spec_.sense();
  const int pairs = spec_.pairs();
  std::ranges::copy(x, y.begin());
  for (int pair = 0; pair < pairs; ++pair) {
    const auto i = static_cast<std::size_t>(pair);
    const auto [first, second] = spec_.dimensions(pair);
    const auto a = static_cast<std::size_t>(first);
    const auto b = static_cast<std::size_t>(second);
    const double s = sign * sine[i];
    y[a] = add(stored_, multiply(stored_, x[a], cosine[i]), multiply(stored_, -x[b], s));
    y[b] = add(stored_, multiply(stored_, x[a], s), multiply(stored_, x[b], cosine[i]));
  }
}

}  // namespace vernier
