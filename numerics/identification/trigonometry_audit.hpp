#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "numerics/audit/failing_extent.hpp"
#include "numerics/errors/error_statistics.hpp"
#include "numerics/identification/attribution.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// How the phases of a pair are known.
enum class PhaseKnowledge {
  unknown,
  exact,      ///< w = 1: the phase is the position, in every way of computing it
  attributed  ///< the recovered float32 frequency and the model of its phases say it
};

/// One element of a tensor against the sine or cosine of the phase it was computed from.
struct TrigonometryError {
  Place place;
  double phase = 0;  ///< the one it was computed from, radians
  double got = 0;
  double error = 0;  ///< got - amplitude * trig(phase)
  double limit = 0;
  double budget_ratio() const;  ///< |error| / limit
};

/// What is found of some elements.
struct TrigonometryFindings {
  std::uint64_t judged = 0;  ///< those whose phase is known
  std::uint64_t failing = 0;
  std::optional<TrigonometryError> worst = std::nullopt;
  std::optional<TrigonometryError> first_failing = std::nullopt;  ///< in the order of the rows
  std::optional<FailingExtent> failing_extent = std::nullopt;     ///< a box around all that fails
  /// How far errors are beyond their limit at most, in each octave of phases where one is, by its exponent.
  std::map<int, double> octaves = {};

  void add(const TrigonometryError& element, int pair);
  /// \param later of equally bad elements those here stay the worst
  void merge(const TrigonometryFindings& later);
  /// Of its limit, what the worst uses; all of it at most.
  double worst_share() const { return worst ? std::min(1.0, worst->budget_ratio()) : 0; }
};

/// The trigonometry of one tensor, apart from the frequencies.
struct TrigonometryReport : TrigonometryFindings {
  std::uint64_t elements = 0;  ///< all
  int exact_pairs = 0;
  int attributed_pairs = 0;
  /// How the greatest excess over the limit in an octave of phases grows with the phase: its exponent. Near 1
  /// a range reduction by a rounded 2 pi. Nothing where fewer than three octaves have errors beyond their
  /// limit.
  std::optional<double> growth;
};

/// What the trigonometry may be off by: the sine or cosine within 2 ulp, which are at most 4u of the compute
/// format as no magnitude exceeds 1; an amplitude other than 1 rounded, and the product with it, 2u of the
/// result; and the rounding to the stored format. \param value the component times the amplitude
double trigonometry_limit(const BudgetModel& model, double value);

/// How the phases of every pair of the tensor are known. The pairs with w = 1 are exact.
/// \param attribution null if there is none
std::vector<PhaseKnowledge> phase_knowledge(const TensorPart& tensor, const Attribution* attribution);

/// Judges every finite element whose phase is known, but for the row that is zero by definition. One of an
/// attributed phase fails only if no hypothesis that explains its pair explains it. Sines and
/// cosines of exact phases are certified; those of attributed phases, which are float32 numbers, are the C
/// library's in float64, whose error is below 2^-28 of the limit.
TrigonometryReport audit_trigonometry(const TensorPart& tensor, std::span<const std::int64_t> positions,
                                      std::span<const PhaseKnowledge> knowledge,
                                      const Attribution* attribution);

}  // namespace vernier
