#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numerics/budgets/budget.hpp"
#include "numerics/elements/turn_allowance.hpp"
#include "reference/numbers/double_double.hpp"

namespace vernier {

class RowView;

/// A pair in a row, as a point of the plane: z = A L exp(i (f + d)) u + e. A unit vector u of length L was
/// turned by the phase f, which was computed d away from the true one, and made A times as long; e is what is
/// left. A, (A L)^2 and what is allowed to d are those of the turn. In tables u = 1 and L = 1; of vectors L u
/// is the input. Cosines and sines, and inputs and outputs, are so one thing without loss: a quotient of
/// output and input would turn the box of e, and widen it.
struct Point : AllowedTurn {
  std::complex<double> z;
  double real_error = 0;  ///< the most that the real part of e may be; infinite of one that is not stored
  double imaginary_error = 0;     ///< the same of the imaginary part
  std::complex<double> unit = 1;  ///< u
  double length = 1;              ///< L
  int exponent = 0;  ///< z, the errors and L are over this power of two, where squares of them would overflow
  bool is_open = false;  ///< whether any value may be the right one, as the true one may overflow

  bool is_whole() const { return std::isfinite(real_error) && std::isfinite(imaginary_error); }
  bool is_finite() const { return std::isfinite(z.real()) && std::isfinite(z.imag()); }
  /// A exp(i f), as the row has it: of vectors the quotient of output and input.
  std::complex<double> turn() const { return z * std::conj(unit) / length; }
  /// The most that either part of turn() may be off by, for no error of the phase; with its own roundings.
  double turn_error() const {
    const double sum = std::fabs(unit.real()) + std::fabs(unit.imag());
    const double own = unit == 1.0 ? 0 : 0x1p-50 * (std::fabs(z.real()) + std::fabs(z.imag())) * sum;
    return (std::max(real_error, imaginary_error) * sum + own) / length;
  }
};

/// The points of a row as arrays, for screens: where all turn by the place of the row, u = 1 and L = 1.
struct PointRow {
  std::int64_t place = 0;
  std::span<const double> cosines;
  std::span<const double> sines;
  /// \name What they may be off by, for no error of the phase: at most or at least, as was asked
  /// @{
  std::span<const double> cosine_bounds;
  std::span<const double> sine_bounds;
  /// @}
};

/// Bounds of what points may be off by. Those by binade are quick to tell, and no smaller or no larger than
/// those of each number. A screen and what it screens go by the same, so that what is found does not depend
/// on what was screened.
enum class PointBounds { exact, most, least };

/// What the points of a row turn by, and where they stand in it: the k-th of every row alike.
struct PointLayout {
  struct PartColumn {
    std::size_t part = 0;
    std::size_t column = 0;
  };
  struct Place {
    int pair = 0;                                        ///< of the frequencies
    int axis = 0;                                        ///< whose positions it turns by, or all_axes
    std::optional<PartColumn> real = std::nullopt;       ///< nothing where it is not stored
    std::optional<PartColumn> imaginary = std::nullopt;  ///< the same
  };
  std::vector<Place> points;
  /// Empty where phases are no multiples of one frequency a pair, or no contract says how they are computed.
  std::vector<DoubleDouble> frequencies;
  std::vector<double> frequency_error;  ///< of a pair, the most that the contract allows, relative
  int direction = 1;                    ///< 1 counter-clockwise, -1 clockwise
  bool is_of_tables = false;            ///< whether sines and cosines are stored, not what they turn
  bool is_of_gradients = false;         ///< whether gradients are turned, from that of the output
  bool has_scale = false;               ///< whether radii depend on the position
  bool has_block_scales = false;        ///< whether blocks of numbers are rounded by scales of their own
};

/// How the rows of one kind of tensor show points.
class PointSource {
 public:
  PointSource() = default;
  PointSource& operator=(const PointSource&) = delete;
  virtual ~PointSource() = default;
  /// For another thread: what does not change is shared.
  virtual std::unique_ptr<PointSource> copy() const = 0;

  virtual const PointLayout& layout() const = 0;
  /// The points of the row that the view is at. \param skip not zero for points that nobody looks at; or
  /// empty \param out one for each of layout().points; nothing where the row is no turn: zeros by definition,
  /// an input too short or too long to divide by
  virtual void read(const RowView& view, PointBounds bounds, std::span<const std::int64_t> skip,
                    std::span<std::optional<Point>> out) = 0;

  /// \name The same points as arrays, where there is such a form
  /// @{
  /// What contracts allow to all of them; empty where there are no arrays.
  virtual std::span<const BudgetModel> models_of_arrays() const { return {}; }
  /// Nothing for a row that has to be looked at point by point.
  virtual std::optional<PointRow> arrays(const RowView& /*view*/, PointBounds /*bounds*/) {
    return std::nullopt;
  }
  /// @}

 protected:
  PointSource(const PointSource&) = default;
};

}  // namespace vernier
