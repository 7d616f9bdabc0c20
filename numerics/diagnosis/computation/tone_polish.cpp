#include "numerics/diagnosis/computation/tone_polish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/identification/pair_signal.hpp"

namespace vernier {
namespace {

constexpr int least_squares_steps = 2;
constexpr int middle_steps = 2;
constexpr std::size_t most_tone_rows = 1536;
constexpr std::size_t fewest_tone_rows = 256;
constexpr std::size_t most_tone_elements = std::size_t{1} << 16;
/// By how much the greatest phase differs where slopes are taken, radians.
constexpr double phase_step = 1e-6;

/// What is known of the step to the right frequency of one pair.
struct Known {
  double products = 0;
  double squares = 0;
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();

  void add(double off, double slope, double allowed) {
    const double weight = 1 / (allowed * allowed);
    if (std::isfinite(weight)) {
      products += weight * slope * off;
      squares += weight * slope * slope;
    }
    const double one = (off - allowed) / slope;
    const double other = (off + allowed) / slope;
    least = std::max(least, std::min(one, other));
    greatest = std::min(greatest, std::max(one, other));
  }

  double least_squares() const { return squares > 0 ? products / squares : 0; }
  bool has_middle() const { return least <= greatest && std::isfinite(least) && std::isfinite(greatest); }
};

class TonePolish {
 public:
  TonePolish(const Suspect& suspect, Computation& computation, std::span<const int> pairs)
      : suspect_(suspect), computation_(computation), pairs_(pairs) {
    rows_ = spread_rows(suspect.rows(), std::clamp(most_tone_elements / (2 * computation.tones.size()),
                                                   fewest_tone_rows, most_tone_rows));
    for (const auto& axis : *computation.places) {
      double reach = 1;
      for (const double place : axis) {
        reach = std::max(reach, std::fabs(place));
      }
      steps_.push_back(phase_step / reach);
    }
  }

  void run() {
    for (int i = 0; i < least_squares_steps; ++i) {
      move([](const Known& known) { return known.least_squares(); });
    }
    for (int i = 0; i < middle_steps; ++i) {
      move([](const Known& known) { return known.has_middle() ? (known.least + known.greatest) / 2 : 0; });
    }
  }

 private:
  double step_of(int pair) const {
    return steps_[static_cast<std::size_t>(computation_.axes[static_cast<std::size_t>(pair)])];
  }

  template <class Step>
  void move(const Step& step) {
    const auto known = this->known();
    for (const int pair : pairs_) {
      auto& tone = computation_.tones[static_cast<std::size_t>(pair)];
      const long double by = step(known[static_cast<std::size_t>(pair)]);
      tone = {tone.cosine + by, tone.sine + by};
    }
  }

  std::vector<Known> known() const {
    auto beside = computation_;
    std::vector<bool> is_moved(computation_.tones.size());
    for (const int pair : pairs_) {
      auto& tone = beside.tones[static_cast<std::size_t>(pair)];
      tone = {tone.cosine + step_of(pair), tone.sine + step_of(pair)};
      is_moved[static_cast<std::size_t>(pair)] = true;
    }
    const Predictor here(suspect_, computation_);
    const Predictor there(suspect_, beside);
    const double most = most_off * std::fabs(computation_.amplitude);
    std::vector<Known> known(computation_.tones.size());
    std::vector<double> moved;
    for (const auto row : rows_) {
      moved.clear();
      there.visit_values(row,
                         [&](const PredictedElement& one) { moved.push_back(one.predicted + one.rest); });
      std::size_t i = 0;
      here.visit(row, [&](const PredictedElement& one) {
        const double other = moved[i++];
        if (one.pair < 0 || !is_moved[static_cast<std::size_t>(one.pair)]) {
          return;
        }
        const double slope = ((other - one.predicted) - one.rest) / step_of(one.pair);
        const double off = (one.got - one.predicted) - one.rest;
        if (slope != 0 && std::isfinite(off) && std::fabs(off) <= most && one.allowed < most) {
          known[static_cast<std::size_t>(one.pair)].add(off, slope, one.allowed);
        }
      });
    }
    return known;
  }

  const Suspect& suspect_;
  Computation& computation_;
  std::span<const int> pairs_;
  std::vector<std::size_t> rows_;
  std::vector<double> steps_;  ///< of a frequency, an axis
};

}  // namespace

void polish_tones(const Suspect& suspect, Computation& computation, std::span<const int> pairs) {
  if (!pairs.empty()) {
    TonePolish(suspect, computation, pairs).run();
  }
}

}  // namespace vernier
