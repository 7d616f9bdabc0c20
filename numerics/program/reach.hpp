#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "numerics/program/arithmetic.hpp"
#include "numerics/program/narrowing.hpp"
#include "reference/numbers/real.hpp"

namespace vernier::program {

/// The least and the greatest number that a result may be.
struct Range {
  long double low = 0;
  long double high = 0;
  bool is_bounded() const { return std::isfinite(low) && std::isfinite(high); }
};

inline Range hull(const Range& a, const Range& b) {
  return {std::fmin(a.low, b.low), std::fmax(a.high, b.high)};
}

/// A formula read as all that it may give: functions are good to one ulp, so each returns a number of the
/// format beside the true one, and other operations are rounded to nearest. Ends are numbers of the format,
/// which some library attains. x87's long double computes them (where long double is another type, nothing
/// is wrong: its functions are better).
class Reach {
  using Wide = long double;
  // What x87's may be off by, with room.
  static constexpr Wide of_operation = 0x1p-63L;
  static constexpr Wide of_function = 0x1p-61L;

 public:
  using Number = Range;

  explicit Reach(In in) : in_(in) {}
  Reach scalars() const { return Reach({Format::binary64, in_.library}); }

  Number number(const Known& x) const { return own(unrounded(x)); }
  Number unrounded(const Known& x) const {
    const auto wide = numerator(x.exact).convert_to<Wide>() / denominator(x.exact).convert_to<Wide>();
    return denominator(x.exact) == 1 ? Range{wide, wide} : widened({wide, wide}, of_operation);
  }
  Number integer(std::int64_t i) const { return own({static_cast<Wide>(i), static_cast<Wide>(i)}); }
  Number multiple(int i, const Known& n) const { return number(Known(Rational(i * n.exact))); }
  Number two_pi() const {
    constexpr Wide value = 2 * std::numbers::pi_v<Wide>;
    return own(widened({value, value}, of_operation));
  }
  Number negated(const Number& x) const { return {-x.high, -x.low}; }
  Number add(const Number& a, const Number& b) const {
    return own({lower_sum(a.low, b.low), -lower_sum(-a.high, -b.high)});
  }
  Number sub(const Number& a, const Number& b) const { return add(a, negated(b)); }
  /// What is exact is not widened: next to a tie that would be one number more.
  Number mul(const Number& a, const Number& b) const {
    const auto is_short = [](Wide x) { return static_cast<Wide>(static_cast<float>(x)) == x; };
    const bool is_exact = is_short(a.low) && is_short(a.high) && is_short(b.low) && is_short(b.high);
    const auto product = corners(a, b, [](Wide x, Wide y) { return x * y; });
    return own(is_exact ? product : widened(product, of_operation));
  }
  Number div(const Number& a, const Number& b) const {
    return b.low <= 0 && b.high >= 0
               ? anything
               : own(widened(corners(a, b, [](Wide x, Wide y) { return x / y; }), of_operation));
  }
  /// \pre a > 0
  Number pow(const Number& a, const Number& b) const {
    return b.low == 0 && b.high == 0 ? Number{1, 1}
                                     : function(corners(a, b, [](Wide x, Wide y) { return std::pow(x, y); }));
  }
  Number exp(const Number& a) const {
    return increasing(a, 0, [](Wide x) { return std::exp(x); });
  }
  Number log(const Number& a) const {
    return increasing(a, 1, [](Wide x) { return std::log(x); });
  }
  Number exp2(const Number& a) const {
    return increasing(a, 0, [](Wide x) { return std::exp2(x); });
  }
  Number log2(const Number& a) const {
    return increasing(a, 1, [](Wide x) { return std::log2(x); });
  }
  /// What is cut off, or has bits of no format, is monotone as well: its ends are those of numbers beyond.
  Number to(const Narrowing& narrowing, const Number& x) const {
    const auto beyond = [](Wide end, double way) { return std::nextafter(static_cast<double>(end), way); };
    return narrowing.is_of_format()
               ? Reach({narrowing.range, in_.library}).own(x)
               : Number{narrowing(beyond(x.low, -HUGE_VAL)), narrowing(beyond(x.high, HUGE_VAL))};
  }
  Number own(const Number& x) const {
    return in_.library == Library::exact ? x : Number{nearest(x.low, -HUGE_VALL), nearest(x.high, HUGE_VALL)};
  }
  /// f of each number of the format in the range, where they are few: what one number does to several places
  /// of a formula is one thing, without a proof that the formula is monotone.
  template <class F>
  Number each(const Number& x, const F& f) const {
    constexpr int few = 4096;
    if (in_.library == Library::exact || !x.is_bounded() ||
        x.high - x.low > few * static_cast<Wide>(ulp_at(in_.format, static_cast<double>(x.low)))) {
      return f(x);
    }
    auto at = static_cast<double>(x.low);
    Number result = f(Number{at, at});
    while (at < x.high) {
      at = next_up(in_.format, at);
      result = hull(result, f(Number{at, at}));
    }
    return result;
  }
  template <class Real>
  Number once(const Real& real) const {
    const auto enclosure = tight_enclosure(real);
    const auto wide = static_cast<Wide>(enclosure.middle.high) + static_cast<Wide>(enclosure.middle.low);
    const bool is_exact = enclosure.middle.low == 0 && enclosure.radius == 0;
    return own(widened({wide, wide}, is_exact ? 0 : of_operation));
  }
  template <class Less, class Else>
  Number if_less(const Number& a, const Number& b, const Less& less, const Else& otherwise) const {
    return a.high < b.low ? less() : a.low >= b.high ? otherwise() : hull(less(), otherwise());
  }

 private:
  static constexpr Range anything{-HUGE_VALL, HUGE_VALL};

  static Range widened(const Range& x, Wide share) {
    return {x.low - std::fabs(x.low) * share, x.high + std::fabs(x.high) * share};
  }
  /// To the nearest of the format, monotone; to 16 bits by float64, away from `inside`.
  Wide nearest(Wide x, Wide outside) const {
    if (in_.format == Format::binary32) {
      return static_cast<Wide>(static_cast<float>(x));
    }
    const auto near = static_cast<double>(x);
    const bool is_outside = (static_cast<Wide>(near) > x) == (outside > 0);
    return in_.format == Format::binary64 || static_cast<Wide>(near) == x || is_outside
               ? static_cast<Wide>(round_to(in_.format, near))
               : static_cast<Wide>(round_to(in_.format, std::nextafter(near, static_cast<double>(outside))));
  }
  /// a + b or a little less, itself where it is exact.
  static Wide lower_sum(Wide a, Wide b) {
    const Wide sum = a + b;
    const Wide of_a = sum - b;
    const bool is_exact = of_a == a && sum - of_a == b;
    return is_exact ? sum : sum - std::fabs(sum) * of_operation;
  }
  Wide below(Wide x) const {
    const Wide near = nearest(x, -HUGE_VALL);
    return near > x ? static_cast<Wide>(next_down(in_.format, static_cast<double>(near))) : near;
  }
  Wide above(Wide x) const {
    const Wide near = nearest(x, HUGE_VALL);
    return near < x ? static_cast<Wide>(next_up(in_.format, static_cast<double>(near))) : near;
  }
  Range function(const Range& value) const {
    const Range x = widened(value, of_function);
    switch (in_.library) {
      case Library::exact:
        return x;
      case Library::correct:
        return own(x);
      default:
        return {below(x.low), above(x.high)};
    }
  }
  template <class F>
  static Range corners(const Range& a, const Range& b, const F& f) {
    if (!a.is_bounded() || !b.is_bounded()) {
      return anything;
    }
    const auto [low, high] =
        std::minmax({f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)});
    return {low, high};
  }
  /// \param exact_at the argument whose value every library gives exactly
  template <class F>
  Range increasing(const Range& a, Wide exact_at, const F& f) const {
    const Range x{f(a.low), f(a.high)};
    return a.low == exact_at && a.high == exact_at ? x : function(x);
  }

  In in_;
};

}  // namespace vernier::program
