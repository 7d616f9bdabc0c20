#include "numerics/diagnosis/computation/polish.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/identification/pair_signal.hpp"

namespace vernier {
namespace {

constexpr int iterations = 4;
constexpr std::size_t most_rows = 96;
/// Elements further off than this share of the amplitude are others' fault.
constexpr double most_off = 0.25;

/// Rows that the last steps look at.
constexpr std::size_t most_allowing_rows = 2048;

struct Seen {
  double got;
  double predicted;
  double allowed;
};

std::vector<Seen> seen(const Suspect& suspect, const Computation& computation,
                       const std::vector<std::size_t>& rows) {
  std::vector<Seen> result;
  const Predictor predictor(suspect, computation);
  for (const auto row : rows) {
    predictor.visit(row, [&](const PredictedElement& element) {
      result.push_back({element.got, element.pair < 0 ? element.got : element.predicted, element.allowed});
    });
  }
  return result;
}

/// The middle of the numbers that all elements allow, near one that most allow; nothing if there are none.
std::optional<double> allowed_number(const std::vector<Seen>& at_value, const std::vector<Seen>& beside,
                                     double value, double step, double most) {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < at_value.size(); ++e) {
    const double slope = (beside[e].predicted - at_value[e].predicted) / step;
    const double off = at_value[e].got - at_value[e].predicted;
    const double allowed = at_value[e].allowed;
    if (!std::isfinite(off) || std::fabs(off) > most || !(allowed < most) || slope == 0) {
      continue;
    }
    const double one = (off - allowed) / slope;
    const double other = (off + allowed) / slope;
    least = std::max(least, std::min(one, other));
    greatest = std::min(greatest, std::max(one, other));
  }
  return least <= greatest && std::isfinite(least) && std::isfinite(greatest)
             ? std::optional(value + (least + greatest) / 2)
             : std::nullopt;
}

}  // namespace

double polished(const Suspect& suspect, const Computation& base, double start, double step,
                const std::function<void(Computation&, double)>& set) {
  const auto rows = telling_rows(suspect, most_rows);
  const double most = most_off * std::fabs(base.amplitude);
  double value = start;
  for (int i = 0; i < iterations; ++i) {
    auto here = base;
    set(here, value);
    auto there = base;
    set(there, value + step);
    const auto at_value = seen(suspect, here, rows);
    const auto beside = seen(suspect, there, rows);
    double products = 0;
    double squares = 0;
    for (std::size_t e = 0; e < at_value.size(); ++e) {
      const double slope = beside[e].predicted - at_value[e].predicted;
      const double off = at_value[e].got - at_value[e].predicted;
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
  const auto all = spread_rows(suspect.rows(), most_allowing_rows);
  for (int i = 0; i < 2; ++i) {
    auto here = base;
    set(here, value);
    auto there = base;
    set(there, value + step);
    const auto better =
        allowed_number(seen(suspect, here, all), seen(suspect, there, all), value, step, most);
    if (!better) {
      break;
    }
    value = *better;
  }
  return value;
}

}  // namespace vernier
