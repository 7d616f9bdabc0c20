#include "reports/measures/rates/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

#include "props/judging/specs.hpp"
#include "reports/measures/rates/budgets.hpp"
#include "reports/measures/rates/draw.hpp"
#include "reports/measures/rates/judge.hpp"
#include "reports/measures/rates/ways.hpp"

namespace vernier::rates {
namespace {

constexpr std::int64_t dense_rows = 4096;
constexpr std::int64_t window_rows = 64;
constexpr int studied_head_dim = 128;
constexpr std::uint64_t study_seed = 1;
/// Of a bisection between sizes whose quotient is 2^31 or less: to less than a tenth of an octave.
constexpr int halvings = 9;

/// Where a perturbation is, and what it is judged in.
struct PerturbedPlace {
  std::int64_t position = 0;
  int pair = -1;
  std::int64_t rows = dense_rows;  ///< around the position
  ElementType type = ElementType::float32;
  bool rotated = false;
  std::int64_t base = 500000;
};

using Perturbation = std::function<void(Design& design, const PerturbedPlace& place, double size)>;

Design honest_design(const PerturbedPlace& place) {
  Design design;
  design.spec =
      OrderedJson{{"scheme", "rope"}, {"head_dim", studied_head_dim}, {"rope_theta", place.base}}.dump();
  design.encoding = encoding_of(design.spec);
  design.type = place.type;
  design.positions = {std::max<std::int64_t>(0, place.position - place.rows / 2), 1, place.rows};
  compute_in_float32(design);
  rotate_in(design, design.stored(), false);
  return design;
}

bool is_caught(const PerturbedPlace& place, const Perturbation& perturb, double size) {
  auto design = honest_design(place);
  perturb(design, place, size);
  const auto roles =
      place.rotated ? std::vector<std::string>{"rotated"} : std::vector<std::string>{"cos", "sin"};
  return outcome(judge_tensors(design, roles, study_seed)) == Conclusion::does_not_conform;
}

/// \param least not caught, if anything is \param most caught, if anything is
double smallest_caught(const PerturbedPlace& place, const Perturbation& perturb, double least, double most) {
  if (!is_caught(place, perturb, most)) {
    return std::numeric_limits<double>::infinity();
  }
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::sqrt(least * most);
    (is_caught(place, perturb, middle) ? most : least) = middle;
  }
  return most;
}

void change_turn(Design& design, const PerturbedPlace& place, std::function<Turn(Turn)> change) {
  design.turning.push_back(
      [place, change = std::move(change)](std::int64_t position, std::size_t pair, Turn turn) {
        return position == place.position && static_cast<int>(pair) == place.pair ? change(turn) : turn;
      });
}

void move_cosine(Design& design, const PerturbedPlace& place, double size) {
  // Away from the truth, which the honest value may be on either side of: inwards, so that no cosine
  // exceeds 1.
  change_turn(design, place, [size](Turn turn) -> Turn {
    return {turn.cosine - std::copysign(size, turn.cosine), turn.sine};
  });
}

void turn_pair(Design& design, const PerturbedPlace& place, double size) {
  change_turn(design, place, [size](Turn turn) -> Turn {
    return {turn.cosine * std::cos(size) - turn.sine * std::sin(size),
            turn.sine * std::cos(size) + turn.cosine * std::sin(size)};
  });
}

void stretch_base(Design& design, const PerturbedPlace&, double size) {
  const auto pairs = static_cast<double>(design.frequencies.size());
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    auto& frequency = design.frequencies[pair];
    frequency = round_to(design.compute, frequency * std::pow(1 + size, -static_cast<double>(pair) / pairs));
  }
}

void move_frequency(Design& design, const PerturbedPlace& place, double size) {
  auto& frequency = design.frequencies[static_cast<std::size_t>(place.pair)];
  frequency += std::nearbyint(size) * ulp_at(design.compute, frequency);
}

/// The noise of two phases that are off by as much in either direction, at random.
void add_noise(Design& design, const PerturbedPlace& place, double size) {
  std::vector<double> relative;
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    relative.push_back(phase_budget(design, place.position, pair) / static_cast<double>(place.position));
  }
  design.phasing.push_back([relative, size](double position, std::size_t pair, double phase) {
    const bool up = hashed_share(std::bit_cast<std::uint64_t>(position), pair) < 0.5;
    return phase + (up ? size : -size) * relative[pair] * position;
  });
}

struct SensitivitySearch {
  std::string what;
  PerturbedPlace place;
  Perturbation perturb;
  double least;
  double most;
  std::string unit;
};

std::string tensors_of(const PerturbedPlace& place) {
  return std::string(place.rotated ? "rotated" : "cos, sin") + ", " + std::string(traits(place.type).name) +
         ", " + std::to_string(place.rows) + " rows";
}

std::vector<SensitivitySearch> searches() {
  std::vector<SensitivitySearch> all;
  constexpr std::array<std::pair<std::int64_t, int>, 5> places{
      {{10, 1}, {1000, 1}, {100000, 1}, {1000000, 1}, {1000000, 63}}};
  for (const auto& [position, pair] : places) {
    const PerturbedPlace dense{position, pair};
    auto window = dense;
    window.rows = window_rows;
    auto narrow = dense;
    narrow.type = ElementType::bfloat16;
    auto vectors = window;
    vectors.rotated = true;
    all.push_back({"one cosine", dense, move_cosine, 1e-9, 1, "absolute"});
    for (const auto& place : {dense, window, narrow, vectors}) {
      all.push_back({"one pair turned", place, turn_pair, 1e-9, 1, "radians"});
    }
  }
  const std::int64_t far = 131072 - dense_rows / 2;
  all.push_back({"the base, 10000", {.position = far, .base = 10000}, stretch_base, 1e-9, 1, "relative"});
  all.push_back({"the base, 500000", {.position = far}, stretch_base, 1e-9, 1, "relative"});
  all.push_back({"one frequency", {.position = far, .pair = 63}, move_frequency, 0.6, 1e5, "ulp"});
  for (const bool rotated : {false, true}) {
    for (const auto type : {ElementType::float32, ElementType::bfloat16}) {
      const auto rows = rotated ? std::int64_t{1024} : dense_rows;
      all.push_back({"noise of every phase",
                     {.position = far, .rows = rows, .type = type, .rotated = rotated},
                     add_noise,
                     1e-3,
                     100,
                     "of the phase budget"});
    }
  }
  return all;
}

}  // namespace

std::vector<Sensitivity> measure_sensitivity(const std::function<bool(const Sensitivity&)>& next) {
  std::vector<Sensitivity> result;
  for (const auto& search : searches()) {
    Sensitivity found{search.what, tensors_of(search.place), search.place.position, search.place.pair, 0,
                      search.unit};
    if (next(found)) {
      found.caught = smallest_caught(search.place, search.perturb, search.least, search.most);
      result.push_back(std::move(found));
    }
  }
  return result;
}

std::string to_text(const std::vector<Sensitivity>& sensitivities) {
  std::ostringstream out;
  out << "The smallest perturbation caught: RoPE, head_dim 128, base 500000 unless said, contract float32, "
         "rows "
         "around the position.\n\n";
  for (const auto& one : sensitivities) {
    out << std::left << std::setw(22) << one.what << std::setw(34) << one.tensors << "position "
        << std::setw(9) << one.position << (one.pair < 0 ? "all pairs" : "pair " + std::to_string(one.pair))
        << std::string(one.pair < 0    ? 1
                       : one.pair < 10 ? 4
                                       : 3,
                       ' ')
        << std::setprecision(2) << std::right << std::setw(9) << one.caught << " " << one.unit << "\n";
  }
  return out.str();
}

}  // namespace vernier::rates
