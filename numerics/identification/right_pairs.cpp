#include "numerics/identification/right_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "reference/numbers/enclosure.hpp"

namespace vernier {
namespace {

/// What reports know greatest errors to, relatively: seven digits.
constexpr double error_digits = 0x1p-23;
/// Beyond all that is computed in double here and by audits, of values that are at most 1.
constexpr double right_value_margin = 0x1p-44;
/// Beyond the error of a frequency as a double-double.
constexpr double frequency_margin = 0x1p-80;
constexpr unsigned right_frequency_precision = 128;

/// The greatest error of each pair, over all bands of positions.
std::vector<double> greatest_errors(const AuditReport& audit, std::size_t pairs) {
  std::vector<double> result(pairs);
  for (const auto& [index, band] : audit.bands) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      result[pair] = std::max(result[pair], band.pairs[pair].greatest_error);
    }
  }
  return result;
}

std::vector<DoubleDouble> true_frequencies(const Frequencies& frequencies) {
  const WorkingPrecision precision(right_frequency_precision);
  std::vector<DoubleDouble> result;
  for (const auto& frequency : frequencies.enclosures()) {
    result.push_back(enclosure_of(frequency).middle);
  }
  return result;
}

/// What a pair uses of its limits.
struct Use {
  double most = std::numeric_limits<double>::infinity();  ///< r
  double least = 0;                                       ///< s
};

}  // namespace

std::vector<bool> right_pairs(const TableTensor& tensor, std::span<const std::int64_t> positions,
                              const AuditReport& audit, std::span<const PhaseKnowledge> knowledge,
                              const Attribution* attribution) {
  std::vector<bool> result(knowledge.size());
  const auto model = tensor.model();
  const double amplitude = model.amplitude();
  std::int64_t furthest = 0;
  for (const auto position : positions) {
    furthest = std::max(furthest, std::abs(position));
  }
  const auto reach = static_cast<double>(furthest);
  const auto& parameters = model.parameters();
  const bool is_plain = !tensor.table.zero_position && audit.statistics.non_finite() == 0 &&
                        parameters.position_error.front().is_plain() &&
                        reach * traits(parameters.compute).unit_roundoff() <= 1 &&
                        (attribution == nullptr || attribution->amplitude == amplitude);
  if (!is_plain) {
    return result;
  }
  const auto errors = greatest_errors(audit, knowledge.size());
  const auto frequencies = true_frequencies(tensor.table.frequencies);
  const double least_limit = trigonometry_limit(model, 0);
  const double greatest_limit = trigonometry_limit(model, amplitude * (1 + right_value_margin));
  std::vector<Use> uses(knowledge.size());
  double least_worst = 0;
  for (std::size_t pair = 0; pair < knowledge.size(); ++pair) {
    double off = 0;  // e
    if (knowledge[pair] == PhaseKnowledge::unknown) {
      continue;
    }
    if (knowledge[pair] == PhaseKnowledge::attributed) {
      const auto& best = attribution->best(static_cast<int>(pair));
      const auto& w = frequencies[pair];
      const double w_off = std::fabs((best.frequency - w.high) - w.low);
      off = reach * (w_off + std::fabs(w.high) * (best.model->product_roundoff() + frequency_margin));
    }
    const double slack =
        amplitude * (off * (1 + right_value_margin) + right_value_margin) + errors[pair] * error_digits;
    uses[pair] = {(errors[pair] + slack) / least_limit, (errors[pair] - slack) / greatest_limit};
    least_worst = std::max(least_worst, uses[pair].least);
  }
  for (std::size_t pair = 0; pair < knowledge.size(); ++pair) {
    result[pair] = uses[pair].most <= 1 && uses[pair].most < least_worst;
  }
  return result;
}

}  // namespace vernier
