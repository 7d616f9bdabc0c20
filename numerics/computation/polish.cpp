#include "numerics/computation/polish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "numerics/computation/prediction.hpp"
#include "numerics/decoding/pair_signal.hpp"

namespace vernier {
namespace {

constexpr int iterations = 4;
constexpr std::size_t most_polish_rows = 96;

/// So many of the elements allow a number that is the right one: others may be damaged.
constexpr double least_allowing_share = 0.9;
/// Where no more of those of some rows do, the elements of all rows are not worth their time.
constexpr double promising_share = 0.5;

struct SeenOff {
  double off;
  double allowed;
};

/// \param visit Predictor::visit, or ::visit_values where nothing of what is allowed is looked at
std::vector<SeenOff> seen(const Suspect& suspect, const Computation& computation,
                          const std::vector<std::size_t>& rows,
                          void (Predictor::*visit)(std::size_t, const Predictor::Visit&) const) {
  std::vector<SeenOff> result;
  result.reserve(rows.size() * suspect.width());
  const Predictor predictor(suspect, computation);
  for (const auto row : rows) {
    (predictor.*visit)(row, [&](const PredictedElement& element) {
      const double off = (element.got - element.predicted) - element.rest;
      result.push_back({element.pair < 0 ? 0 : off, element.allowed});
    });
  }
  return result;
}

/// The middle of the numbers that the most elements allow; nothing if it is no more than a share of them.
std::optional<double> allowed_number(const std::vector<SeenOff>& at_value, const std::vector<SeenOff>& beside,
                                     double value, double step, double most, double share) {
  struct End {
    double at;
    int opens;  ///< 1, or -1 where it closes
  };
  std::vector<End> ends;
  double least_of_all = -std::numeric_limits<double>::infinity();
  double greatest_of_all = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < at_value.size(); ++e) {
    const double slope = (at_value[e].off - beside[e].off) / step;
    const double off = at_value[e].off;
    const double allowed = at_value[e].allowed;
    if (!std::isfinite(off) || std::fabs(off) > most || !(allowed < most) || slope == 0) {
      continue;
    }
    const double one = (off - allowed) / slope;
    const double other = (off + allowed) / slope;
    ends.push_back({std::min(one, other), 1});
    ends.push_back({std::max(one, other), -1});
    least_of_all = std::max(least_of_all, std::min(one, other));
    greatest_of_all = std::min(greatest_of_all, std::max(one, other));
  }
  if (!ends.empty() && least_of_all <= greatest_of_all) {
    return value + least_of_all + (greatest_of_all - least_of_all) / 2;
  }
  // Of equal ends those that open come first.
  std::ranges::sort(
      ends, [](const End& a, const End& b) { return std::pair(a.at, -a.opens) < std::pair(b.at, -b.opens); });
  int open = 0;
  int greatest = 0;
  double middle = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    open += ends[i].opens;
    if (open > greatest) {
      greatest = open;
      middle = ends[i].at + (ends[i + 1].at - ends[i].at) / 2;
    }
  }
  const auto seen = ends.size() / 2;
  return static_cast<double>(greatest) > share * static_cast<double>(seen) ? std::optional(value + middle)
                                                                           : std::nullopt;
}

}  // namespace

double polished(const Suspect& suspect, const Computation& base, double start, double step,
                const std::function<void(Computation&, double)>& set) {
  const auto rows = telling_rows(suspect, most_polish_rows);
  const double most = most_off * std::fabs(base.amplitude);
  double value = start;
  for (int i = 0; i < iterations; ++i) {
    auto here = base;
    set(here, value);
    auto there = base;
    set(there, value + step);
    const auto at_value = seen(suspect, here, rows, &Predictor::visit_values);
    const auto beside = seen(suspect, there, rows, &Predictor::visit_values);
    double products = 0;
    double squares = 0;
    for (std::size_t e = 0; e < at_value.size(); ++e) {
      const double slope = at_value[e].off - beside[e].off;
      const double off = at_value[e].off;
      if (std::isfinite(off) && std::fabs(off) < most && std::fabs(slope) < most) {
        products += slope * off;
        squares += slope * slope;
      }
    }
    if (!(squares > 0)) {
      break;
    }
    const double by = step * products / squares;
    value += by;
    if (!(std::fabs(by) > 0x1p-50 * std::fabs(value))) {
      break;
    }
  }
  const auto allowed_by = [&](const std::vector<std::size_t>& looked_at, double share) {
    auto here = base;
    set(here, value);
    auto there = base;
    set(there, value + step);
    return allowed_number(seen(suspect, here, looked_at, &Predictor::visit),
                          seen(suspect, there, looked_at, &Predictor::visit_values), value, step, most,
                          share);
  };
  if (!allowed_by(rows, promising_share)) {
    return value;
  }
  const auto all = measured_rows(suspect);
  for (int i = 0; i < 2; ++i) {
    const auto better = allowed_by(all, least_allowing_share);
    if (!better) {
      break;
    }
    value = *better;
  }
  return value;
}

namespace {

constexpr int least_squares_steps = 2;
constexpr int middle_steps = 2;
constexpr std::size_t most_tone_rows = 1536;
constexpr std::size_t fewest_tone_rows = 256;
constexpr std::size_t most_tone_elements = std::size_t{1} << 16;
/// By how much the greatest phase differs where slopes are taken, radians.
constexpr double phase_step = 1e-6;

/// What is known of the step to the right frequency of one pair.
struct KnownStep {
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
      move([](const KnownStep& known) { return known.least_squares(); });
    }
    for (int i = 0; i < middle_steps; ++i) {
      move(
          [](const KnownStep& known) { return known.has_middle() ? (known.least + known.greatest) / 2 : 0; });
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

  std::vector<KnownStep> known() const {
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
    std::vector<KnownStep> known(computation_.tones.size());
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
