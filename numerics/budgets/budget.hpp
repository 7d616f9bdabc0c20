#pragma once

#include <string_view>
#include <vector>

#include "numerics/budgets/conclusive.hpp"
#include "numerics/budgets/position_error.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// What a contract allows one element to be off by, in absolute terms, by cause.
struct Budget {
  double phase = 0;     ///< error of the phase p w, as it shows in this component
  double trig = 0;      ///< error of the sine or cosine itself, and of the amplitude's multiplication
  double storage = 0;   ///< rounding to the format of the tensor
  double scale = 0;     ///< error of a scale of the position, and of the multiplication by it
  double products = 0;  ///< roundings of the products and sums of a rotation, or of a formula

  /// Of computing it, before it is stored.
  double computed() const { return phase + trig + scale + products; }
  double total() const { return computed() + storage; }
  /// The part that no error of the phase explains: what laws that hold for every phase are held to.
  double apart_from_phase() const { return trig + scale + products + storage; }
  /// The cause of the most, in words: "the phase", "the scale of the position".
  std::string_view largest_term() const;
};

/// A contract bound to one table: how much each element may be off. Built by the contracts in contracts/,
/// which derive it.
///
/// Phase. The computed phase is p w (1 + r)(1 + e). r is the error of the frequency, *one* number a pair, the
/// same at every position, at most `frequency_error`. e is what each phase is rounded by, another one in
/// every row: at most `phase_rounding`, compounded with the error of p itself (PositionError: zero for
/// integers the format holds). One element may use both together; that all rows of a pair have one r is
/// judged apart (identification/frequency_window.hpp). A phase off by D moves a sine by |sin(f + D) - sin f|
/// <= min(D, |cos f| D + |sin f| D^2 / 2), and a cosine likewise: near its extrema a component barely feels
/// the phase, and the budget says so.
///
/// Trig. `trig_ulps` ulp of the value in the compute format; from a phase of pi/4 on, where the argument must
/// be reduced, at least `trig_roundoffs` u absolute, as an error of the reduction does not shrink with the
/// value. Multiplying by an amplitude other than 1 adds two roundings: of the amplitude, and of the product.
/// Multiplying by one over it, as an inverse does, adds four at most: sines that have the amplitude are off
/// by both, and are divided by its square, which is rounded and so is the quotient; one that is divided by
/// alone takes fewer.
///
/// Storage. `storage_ulps` ulp of the value in the stored format: a half if it is narrower than the compute
/// format, else none.
class BudgetModel {
 public:
  struct Parameters {
    std::vector<double> frequency_error;  ///< per pair, relative, >= 0
    std::vector<double> phase_rounding;   ///< per pair, relative, >= 0
    Format compute = Format::binary64;
    Format stored = Format::binary64;
    double trig_ulps = 0;
    double trig_roundoffs = 0;
    double storage_ulps = 0;
    double amplitude_roundings = 2;                ///< where the amplitude is not 1
    std::vector<PositionError> position_error{1};  ///< along each axis
    std::vector<int> axis = {};  ///< whose positions each pair turns by; empty where all have one
    std::optional<Format> frequencies = std::nullopt;  ///< they are computed in, where it is not `compute`

    /// \param maps of the positions along each axis \param axis_of_pair one a pair, each < maps.size()
    void take_axes(std::span<const PositionMap> maps, std::vector<int> axis_of_pair);
  };

  /// \param parameters their position error is the table's
  BudgetModel(Parameters parameters, const TrigTable& table);
  /// \param frequencies as many as there are pairs, in radians a place
  BudgetModel(Parameters parameters, std::vector<double> frequencies, double amplitude);

  /// Positions lie along several axes. Parameters as of Parameters::take_axes.
  void take_axes(std::span<const PositionMap> maps, std::vector<int> axis_of_pair) {
    parameters_.take_axes(maps, std::move(axis_of_pair));
  }

  /// \param value, partner the true component and the other one of its pair, both times the amplitude
  Budget at(std::int64_t position, int pair, double value, double partner) const;
  /// The same by cause. \param value as above
  double trig(std::int64_t position, int pair, double value) const;
  /// \param magnitude of what is stored, before it is rounded
  double storage(double magnitude) const;
  /// The most the phase may be off, in radians. \param pair in [0, pairs)
  double phase_error(std::int64_t position, int pair) const;
  /// The relative error of a phase of the pair, the position apart: r and e compounded.
  double relative_phase_error(int pair) const;
  /// How much a phase may be off by what is another number in every row, relatively: its own rounding and
  /// that of the position.
  double row_error(std::int64_t position, int pair) const;
  /// What the place of a row may be off by, in places; infinite if the position overflows its format.
  double place_error(std::int64_t position, int pair) const;
  /// The same relative to the place; infinite at place 0, unless it is exact.
  double position_error(std::int64_t position, int pair) const;
  /// Whether the phase is taken to need a reduction of the argument: pi/4 or more.
  bool reduces(std::int64_t position, int pair) const;
  /// |p| w of the pair, to a few ulp.
  double phase(std::int64_t position, int pair) const;
  double frequency(int pair) const { return frequencies_[static_cast<std::size_t>(pair)]; }
  int pairs() const { return static_cast<int>(frequencies_.size()); }
  double amplitude() const { return amplitude_; }
  /// Whether the contract says how results are computed; else it only says how they are rounded.
  bool judges_computation() const { return parameters_.trig_ulps > 0; }
  const Parameters& parameters() const { return parameters_; }

  /// Whether a budget proves nothing of sines of this amplitude.
  bool inconclusive(const Budget& budget) const { return proves_nothing(budget.total(), amplitude_); }

 private:
  Parameters parameters_;
  std::vector<double> frequencies_;
  double amplitude_;
};

/// The format in which vectors are multiplied and added: the coarser of the two that are computed and stored
/// in; of one that only stores, the former.
Format arithmetic_of(Format compute, Format stored);

/// What rounding a component of a rotated pair adds, once it is computed in another format: half an ulp of
/// one that only stores, and nothing of others, in which rotated_budget() has the sum rounded. \param
/// magnitude of what is rounded
double last_rounding(const BudgetModel& model, Format stored, double magnitude);

/// The budget of one component of a rotated pair, y = x0 c -+ x1 s: the phase term times the norm of the pair
/// (a phase off by D moves the rotated pair by at most |x| D), trig and storage of c and s times |x0| + |x1|,
/// and the roundings of two products and a sum in `arithmetic`: (|x0 c| + |x1 s|) (2u + u^2). \param cosine,
/// sine the budgets of c and s  \param c, s their true values  \param phase_error in radians
Budget rotated_budget(const Budget& cosine, const Budget& sine, double c, double s, double x0, double x1,
                      double phase_error, Format arithmetic);

/// What an element that is only rounded may be off by, in absolute terms: `ulps` of the distance to its
/// neighbour on the side of the truth, and nothing where the truth is known to be a number of the format.
///
/// The neighbour says which numbers are next to the truth: an element is nearest to it if it is off by at
/// most half that distance, and one of the two that enclose it if it is off by less than all of it. An ulp of
/// the truth does not say so at a power of two, where half of one reaches the number before it.
///
/// Infinite where the truth overflows its enclosure.
/// \param ulps 1/2 or 1  \param got a number of the format `stored`, infinity or NaN
double rounding_budget(Format stored, double ulps, double got, const Enclosure& truth);

}  // namespace vernier
