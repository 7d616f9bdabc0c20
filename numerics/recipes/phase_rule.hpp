#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "numerics/program/program.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// What a recipe makes phases from, for programs that make the same ones elsewhere. Every operation is
/// rounded to the recipe's compute format.
struct PhaseSeeds {
  Format positions;             ///< that positions are rounded to, before the compute format
  std::vector<double> factors;  ///< one a pair: position * factor is the phase; or one, from pair to pair
  std::vector<double> divisors = {};  ///< one a pair: of the phase that is used; none: it is used as it is
};

/// How a recipe gets from positions to phases, pair after pair, every operation rounded as the recipe rounds
/// it.
class PhaseRule {
 public:
  PhaseRule() = default;
  PhaseRule(const PhaseRule&) = delete;
  PhaseRule& operator=(const PhaseRule&) = delete;
  virtual ~PhaseRule() = default;

  /// The position as the recipe rounds it, which its phases depend on alone.
  virtual double rounded(std::int64_t position) const = 0;
  /// The phases of one pair at several positions, values of the recipe's compute format.
  /// \param positions as rounded() gives them
  /// \param phases of the pair before, if there is one; replaced by those of `pair`
  virtual void advance(int pair, std::span<const double> positions, std::span<double> phases) const = 0;
  /// Whether the phases of a pair are made from those of the pair before, so that no pair can be left out.
  virtual bool is_recursive() const { return false; }
  /// The phases that sines and cosines are taken of, where they are not the ones that are carried from pair
  /// to pair. \param carried as advance() left them \param room at least as long, to write into
  virtual std::span<const double> phases_for_pair(int, std::span<const double> carried,
                                                  std::span<double>) const {
    return carried;
  }
  /// The most that a used phase of the pair differs from position * frequency, at any position from 0 to
  /// `position`; infinite where the phase may overflow. \param frequency the true one
  virtual double phase_error(int pair, std::int64_t position, const Enclosure& frequency) const = 0;
  virtual PhaseSeeds seeds() const = 0;
};

/// The phase of one pair at a position, as the recipe uses it.
double used_phase(const PhaseRule& rule, std::int64_t position, int pair);

/// The fast form of a program's ways from the position to the argument of the sine, whose bits it has. \pre
/// phases are products with the frequencies, or carried from pair to pair in float32
std::unique_ptr<PhaseRule> phase_rule(const program::Program& program, const program::Declared& declared);

/// Phases in float64 that are products with frequencies which no program computed. \param frequencies one a
/// pair
std::unique_ptr<PhaseRule> phases_of(std::vector<double> frequencies);

}  // namespace vernier
