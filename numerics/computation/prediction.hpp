#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "numerics/computation/computation.hpp"
#include "numerics/computation/finding.hpp"
#include "numerics/computation/pair_turns.hpp"
#include "numerics/computation/predicted_element.hpp"
#include "numerics/computation/suspect.hpp"

namespace vernier {

/// Elements further off than this share of the amplitude are others' fault.
inline constexpr double most_off = 0.25;

/// The elements of a pair in a row, as one vector.
struct PredictedPair {
  double allowed = 0;    ///< the norm of their budgets
  double predicted = 0;  ///< their norm
  bool fails = false;    ///< whether one of them does
};

/// What a computation says of every element of a suspect, and how far it may be off.
///
/// Budgets are those that the suspect's contracts give to the computation (BudgetModel, rotated_budget()),
/// with these differences: a phase rounded to a 16-bit format is that rounding, and nothing more is allowed
/// to it, and to one rounded to a step only the rounding of the step and of its multiple; a storage format
/// named in Storing takes the place of the tensor's. Values are computed in extended precision where a
/// contract computes in float64, else in double: their errors are below 2^-10 of any budget.
class Predictor {
 public:
  /// Both outlive this.
  Predictor(const Suspect& suspect, const Computation& computation);

  using Visit = std::function<void(const PredictedElement&)>;
  /// Calls `visit` with every element of a row, in their order.
  void visit(std::size_t row, const Visit& visit) const;
  /// The same, quicker, for who does not look at what is allowed, nor at what follows from it.
  void visit_values(std::size_t row, const Visit& visit) const;
  /// Calls `visit` with what is seen of every element of a row, in the same order. \param visit pair is -1 of
  /// an element that has none
  void visit_seen(std::size_t row, const std::function<void(int pair, double got)>& visit) const;

  /// Of a row, one a pair of the computation.
  std::vector<PredictedPair> pairs(std::size_t row) const;
  /// The points (cos f, sin f) of the pairs in a row, without the amplitude.
  std::vector<std::complex<double>> points(std::size_t row) const;

  /// Compares rows. Stops when more than so many conclusive elements fail.
  Prediction compare(std::span<const std::size_t> rows, std::uint64_t most_failing) const;
  /// Compares every row. \param threads how many may work \param until once a conclusive element uses more
  /// of its budget, the rest is left out: then nothing but that is told
  Prediction compare_all(unsigned threads, double until = std::numeric_limits<double>::infinity()) const;

 private:
  class Row;

  void add(std::size_t row, Prediction& prediction) const;
  /// Whether the pair turns by a place that is rounded.
  bool has_rounded_place(std::size_t row, int pair) const {
    return !rounded_models_.empty() &&
           (computation_.rounded_places == Computation::RoundedPlaces::all ||
            computation_.place(row, pair) != (*suspect_.declared().places)[computation_.axis(pair)][row]);
  }
  const BudgetModel& model(std::size_t tensor, std::size_t row, int pair) const {
    return (has_rounded_place(row, pair) ? rounded_models_ : models_)[tensor];
  }
  /// Of the format in which the first tensor's contract computes.
  double unit_roundoff() const { return traits(models_.front().parameters().compute).unit_roundoff(); }

  const Suspect& suspect_;
  const Computation& computation_;
  std::vector<BudgetModel> models_;
  std::vector<BudgetModel> rounded_models_;  ///< of rows at places that are rounded; empty where none are
  bool is_extended_;
};

/// The rows that a measurement by elements looks at: all of a usual table, fewer the wider the rows are, so
/// that no measurement takes long.
std::vector<std::size_t> measured_rows(const Suspect& suspect);

/// Some rows of a suspect, the most telling first: of large positions, spread over all.
std::vector<std::size_t> telling_rows(const Suspect& suspect, std::size_t most);

}  // namespace vernier
