#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "numerics/computation/computation.hpp"
#include "numerics/computation/finding.hpp"
#include "numerics/computation/suspect.hpp"
#include "numerics/decoding/fitted_phasor.hpp"

namespace vernier {

/// What a row holds of a pair: the point A exp(i f), and how far off it may be.
struct SeenPoint {
  std::complex<double> z;
  double tolerance = 0;  ///< absolute, apart from errors of the phase
  double angle = 0;      ///< the same of its angle, radians
};

/// What a row holds of a pair of which the tensors have one component alone, over the amplitude.
struct SeenComponent {
  double value = 0;
  double tolerance = 0;  ///< absolute, apart from errors of the phase
  bool is_sine = false;
};

/// Reads the pairs of a suspect as points of the plane, under a mapping: of tables cosine + i sine, of
/// vectors what turns the input into the result, y conj(x) / |x|^2.
class PairView {
 public:
  /// \param computation of whose mapping pairs are read; both outlive this
  PairView(const Suspect& suspect, const Computation& computation);

  /// Whether both components of the pair can be read.
  bool is_complete(int pair) const { return places_[static_cast<std::size_t>(pair)].has_value(); }
  /// Whether one component alone can be read, of a table.
  bool is_lone(int pair) const { return lone_[static_cast<std::size_t>(pair)].has_value(); }
  /// Nothing of a row that says nothing of it. \pre is_lone(pair)
  std::optional<SeenComponent> component(std::size_t row, int pair) const;
  /// Nothing of a row that says nothing of the pair: elements that are no numbers, vectors of next to no
  /// length. \pre is_complete(pair)
  std::optional<SeenPoint> point(std::size_t row, int pair) const;
  /// The point as it is read: point() leaves its modulus out where that grows with the position.
  std::optional<SeenPoint> grown_point(std::size_t row, int pair) const;

 private:
  /// Where the two components of a pair stand.
  struct Places {
    std::size_t first_tensor = 0;
    std::size_t first = 0;  ///< of tables the cosine's column; of vectors the dimension that is real
    std::size_t second_tensor = 0;
    std::size_t second = 0;
    int first_sign = 1;
    int second_sign = 1;
    std::size_t in_first = 0;  ///< of vectors, where the input stands
    std::size_t in_second = 0;
    enum class Replaced { none, first, second } replaced = Replaced::none;  ///< the result that is read
  };
  /// What turns the input into the result, where one of the two is computed from the other.
  static std::complex<double> turn_in_place(std::complex<double> x, std::complex<double> y,
                                            Places::Replaced replaced);

  const Suspect& suspect_;
  const Computation& computation_;
  struct LonePlace {
    std::size_t tensor = 0;
    std::size_t column = 0;
    int sign = 1;
    bool is_sine = false;
  };

  std::vector<std::optional<Places>> places_;
  std::vector<std::optional<LonePlace>> lone_;
  std::vector<double> least_norms_;  ///< of vectors, a pair
};

/// How far a frequency is from a measured one that turns either way, in radians a position: up to what the
/// positions cannot tell, which is whole turns from one to the next.
double distance(const FittedPhasor& phasor, double frequency);

/// The phasors that the pairs of a suspect are, as measured. Positions along the axis of each pair.
struct Recovery {
  std::vector<std::optional<FittedPhasor>> phasors;  ///< one a pair
  double modulus_spread = 0;  ///< how far the points are from having one modulus: median, relative

  /// Which share of the measured frequencies are these, within what is allowed to each and some
  /// uncertainties; 1 if none is measured. \param frequencies, allowed one a pair; the latter relative
  double agreement(std::span<const double> frequencies, std::span<const double> allowed) const;
  /// Whether there are any, and points keep their modulus: the mapping may be right.
  bool is_coherent() const;
};

/// Measured by the places of the computation where these are whole numbers, else by the positions. \param
/// share of their span, from its beginning, whose rows are looked at
Recovery recover(const Suspect& suspect, const Computation& computation, double share = 1);
/// The same of points that are wanted. \param is_wanted called with a row and a pair, by any thread
Recovery recover(const Suspect& suspect, const Computation& computation,
                 const std::function<bool(std::size_t row, std::size_t pair)>& is_wanted);

/// The frequencies that the budgets of a pair's elements leave it, as a point that turns evenly: of pairs
/// that turn as declared, which none of their elements refutes, and of pairs that turn otherwise, where all
/// of them are within their budgets by the one that is found. \param recovery of the suspect as declared
/// \param threads how many may work
std::vector<RecoveredFrequency> recovered_frequencies(const Recovery& recovery, const Suspect& suspect,
                                                      unsigned threads);

/// How the points that rows show turn beside those that a computation predicts.
struct Coherence {
  /// 1 if the points of each pair are those predicted but for one factor and one angle a pair, 0 if they
  /// have nothing to do with them: |sum of seen times the conjugate of predicted|, a pair, points taken to
  /// the unit circle; the mean.
  double of_pairs = 0;
  /// The one complex factor between what is seen of all pairs and what is predicted, by least squares.
  std::complex<double> factor = 0;
  /// How much of what is seen that factor explains, from 0 to 1.
  double of_all = 0;
};

/// \return zeros where no pair has both components
Coherence coherence_of(const Suspect& suspect, const Computation& computation,
                       std::span<const std::size_t> rows);

}  // namespace vernier
