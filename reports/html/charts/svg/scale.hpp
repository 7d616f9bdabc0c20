#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace vernier {

/// How an axis is divided. `powers_of_two` is logarithmic too, and its labels are 512, 4 K, 1 M.
enum class AxisScale { linear, logarithmic, powers_of_two };

/// An axis: what it shows, with its unit, and how it is divided. It spans the values, or from `low` to `high`
/// where they are given; what lies beyond is cut off.
struct ChartAxis {
  std::string title;
  AxisScale scale = AxisScale::linear;
  std::optional<double> low = {};
  std::optional<double> high = {};
};

/// A value that an axis labels.
struct Tick {
  double value;
  std::string label;
};

/// Where the values of an axis lie in a drawing: `low` at `from`, `high` at `to`.
class Scale {
 public:
  /// Throws std::logic_error unless low < high are finite, and positive on a logarithmic axis.
  Scale(AxisScale kind, double low, double high, double from, double to);

  double low() const { return low_; }
  double high() const { return high_; }
  double from() const { return from_; }
  double to() const { return to_; }

  /// The coordinate of `value`.
  double place(double value) const;

  /// Whether an axis of this kind has a place for `value`.
  bool has(double value) const { return std::isfinite(value) && (kind_ == AxisScale::linear || value > 0); }

  /// Round values between low and high, `most` at most (but two powers where there are two), ascending.
  std::vector<Tick> ticks(std::size_t most) const {
    return kind_ == AxisScale::linear ? even(most) : powers(kind_ == AxisScale::logarithmic ? 10 : 2, most);
  }

  /// "log 0.01 1 40 690", "log2 64 1024 40 690": what a script needs to place values.
  std::string in_words() const;

 private:
  std::vector<Tick> powers(double base, std::size_t most) const;
  std::vector<Tick> even(std::size_t most) const;

  AxisScale kind_;
  double low_;
  double high_;
  double from_;
  double to_;
};

/// The ends of an axis for values from `low` to `high`: the values themselves, or where `rounded` what is
/// round beyond them (whole powers of ten on a logarithmic axis).
struct AxisRange {
  double low;
  double high;
};
AxisRange axis_range(const ChartAxis& axis, double low, double high, bool rounded);

/// "10" with `exponent` raised: "10⁻⁷".
std::string power_of_ten(int exponent);

}  // namespace vernier
