#include "numerics/diagnosis/computation/polish.hpp"

#include <cmath>
#include <vector>

#include "numerics/diagnosis/computation/prediction.hpp"

namespace vernier {
namespace {

constexpr int iterations = 4;
constexpr std::size_t most_rows = 96;
/// Elements further off than this share of the amplitude are others' fault.
constexpr double most_off = 0.25;

struct Seen {
  double got;
  double predicted;
};

std::vector<Seen> seen(const Suspect& suspect, const Computation& computation,
                       const std::vector<std::size_t>& rows) {
  std::vector<Seen> result;
  const Predictor predictor(suspect, computation);
  for (const auto row : rows) {
    predictor.visit(row, [&](const PredictedElement& element) {
      result.push_back({element.got, element.pair < 0 ? element.got : element.predicted});
    });
  }
  return result;
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
  return value;
}

}  // namespace vernier
