#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numerics/program/program.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"
#include "reference/tables/position_map.hpp"

namespace vernier {

/// What a recipe makes phases from, for programs that make the same ones elsewhere. Every operation is
/// rounded to the recipe's compute format.
struct PhaseSeeds {
  Format positions;             ///< that positions are rounded to, before the compute format
  std::vector<double> factors;  ///< one a pair: position * factor is the phase; or one, from pair to pair
  std::vector<double> divisors = {};  ///< one a pair: of the phase that is used; none: it is used as it is
};

/// How a recipe gets from positions to phases, pair after pair, every operation rounded to its compute format
/// (multiply()). A phase is the product of position and frequency. Or it is carried from pair to pair:
/// theta_0 = p, theta_{i+1} = theta_i * base^(-2/d). Where the frequencies are scaled, a carried phase is
/// divided by the ratio of each to its unscaled one, and the quotient is not carried.
class PhaseRule {
 public:
  PhaseRule(Format compute, PhaseSeeds seeds, bool is_recursive)
      : compute_(compute), seeds_(std::move(seeds)), is_recursive_(is_recursive) {}

  /// Phases are those of the numbers x = (s p + o) f: p the position of a place, s and o the scale and the
  /// offset of positions, f that of the frequencies. Code that is given real positions computes x so.
  void scale_positions(const PositionMap& map, const Constant& frequency_scale);

  /// The position as the recipe rounds it, which its phases depend on alone.
  double rounded(std::int64_t position) const;
  /// The phases of one pair at several positions, values of the recipe's compute format.
  /// \param positions as rounded() gives them
  /// \param phases of the pair before, if there is one; replaced by those of `pair`
  void advance(int pair, std::span<const double> positions, std::span<double> phases) const;
  /// Whether the phases of a pair are made from those of the pair before, so that no pair can be left out.
  bool is_recursive() const { return is_recursive_; }
  /// The phases that sines and cosines are taken of. \param carried as advance() left them
  void divide(int pair, std::span<const double> carried, std::span<double> used) const;
  /// The phases of one pair that are used at consecutive positions.
  void phases_from(std::int64_t first, int pair, std::span<double> phases) const;
  /// The most that a used phase of the pair differs from position * frequency, at any position from 0 to
  /// `position`; infinite where the phase may overflow, and of positions that are scaled, where no bound is
  /// derived. \param frequency the true one
  double phase_error(int pair, std::int64_t position, const Enclosure& frequency) const;
  const PhaseSeeds& seeds() const { return seeds_; }
  /// What the phase of a pair is divided by before it is used.
  double divisor(int pair) const {
    return seeds_.divisors.empty() ? 1 : seeds_.divisors[static_cast<std::size_t>(pair)];
  }
  /// The frequency that a pair turns by; of carried phases to 2^-51 of itself.
  double frequency(int pair) const;

 private:
  struct Scaled {
    PositionMap map;
    double scale;
    double offset;
    double frequency_scale;
  };

  double error_of_product(int pair, std::int64_t position, const Enclosure& frequency) const;
  double error_of_carried(int pair, std::int64_t position, const Enclosure& frequency) const;

  Format compute_;
  PhaseSeeds seeds_;
  bool is_recursive_;
  std::optional<Scaled> scaled_;
};

/// The phase of one pair at a position, as the recipe uses it.
double used_phase(const PhaseRule& rule, std::int64_t position, int pair);

/// The fast form of a program's ways from the position to the argument of the sine, whose bits it has. \pre
/// phases are products with the frequencies, or carried from pair to pair in float32
PhaseRule phase_rule(const program::Program& program, const program::Declared& declared);

}  // namespace vernier
