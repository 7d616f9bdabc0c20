#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "numerics/computation/computation.hpp"

namespace vernier {

/// Cosine and sine of a phase.
struct CosineSine {
  double cosine;
  double sine;
  double cosine_rest;  ///< what the double leaves out
  double sine_rest;

  /// With what the double leaves out.
  long double whole(Component component) const {
    return component == Component::zero   ? 0
           : component == Component::sine ? static_cast<long double>(sine) + sine_rest
                                          : static_cast<long double>(cosine) + cosine_rest;
  }
};

/// Cosine and sine of a pair in a row, in each way in which the phase may have been rounded. Its ways beyond
/// `count` hold nothing: a diagnosis makes millions of these.
struct TurnOfPair {
  static constexpr std::size_t most = 8;
  std::array<CosineSine, most> ways;
  std::array<double, most> places;  ///< of each way: as the position is rounded
  std::size_t count;
  std::int64_t position;
  double place;
};

/// The turns of a computation, from its positions to its sines.
class PairTurns {
 public:
  /// \param model what phases may be off by \param is_extended whether sines have 64 bits, else 53; all
  /// outlive this
  PairTurns(const Computation& computation, const BudgetModel& model, bool is_extended)
      : computation_(computation), model_(model), is_extended_(is_extended) {}

  /// \param turn set to that of the pair in the row
  void set(TurnOfPair& turn, std::size_t row, std::size_t pair) const;

 private:
  void add(TurnOfPair& turn, long double cosine_phase, long double sine_phase, bool is_one_phase) const;
  /// The phase as it is rounded to its format, each way in which it may be.
  void add_rounded(TurnOfPair& turn, std::size_t pair, long double cosine_phase, long double sine_phase,
                   bool is_one_phase) const;
  /// The phase with its argument reduced as the computation has it, each way of rounding to a multiple.
  void add_reduced(TurnOfPair& turn, std::size_t pair, long double cosine_phase, long double sine_phase,
                   bool is_one_phase) const;
  /// The multiple of the step next to the phase, and that on its other side if the phase may be nearer to it.
  void add_stepped(TurnOfPair& turn, std::size_t pair, long double phase) const;

  const Computation& computation_;
  const BudgetModel& model_;
  bool is_extended_;
};

}  // namespace vernier
