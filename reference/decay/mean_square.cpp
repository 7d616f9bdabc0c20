#include "reference/decay/mean_square.hpp"

#include <vector>

#include "reference/sine_cosine.hpp"

namespace vernier {
namespace {

/// What Dirichlet's kernel needs of one frequency.
struct Ends {
  SineCosine after;   ///< of (last + 1/2) w
  SineCosine before;  ///< of (first - 1/2) w
  SineCosine half;    ///< of w / 2
};

Interval sine_of_sum(const SineCosine& a, const SineCosine& b) {
  return a.sine * b.cosine + a.cosine * b.sine;
}
Interval sine_of_difference(const SineCosine& a, const SineCosine& b) {
  return a.sine * b.cosine - a.cosine * b.sine;
}

/// The sum of cos(k (v + w)) over k.
Interval sum_at_sum(const Ends& v, const Ends& w) {
  return (sine_of_sum(v.after, w.after) - sine_of_sum(v.before, w.before)) /
         (2 * sine_of_sum(v.half, w.half));
}
/// The sum of cos(k (v - w)) over k. \param v, w different
Interval sum_at_difference(const Ends& v, const Ends& w) {
  return (sine_of_difference(v.after, w.after) - sine_of_difference(v.before, w.before)) /
         (2 * sine_of_difference(v.half, w.half));
}

}  // namespace

Interval mean_square_dot_product(const GeometricFrequencies& frequencies, std::int64_t first,
                                 std::int64_t last) {
  const Interval half = enclose(Rational(1, 2));
  std::vector<Ends> ends;
  for (const Interval& w : frequencies.enclosures()) {
    ends.push_back({sine_cosine(Interval((last + half) * w)), sine_cosine(Interval((first - half) * w)),
                    sine_cosine(Interval(half * w))});
  }
  // cos(k v) cos(k w) is half the sum of cos(k (v + w)) and cos(k (v - w)).
  const auto count = enclose(std::int64_t{last - first + 1});
  Interval sum = enclose(std::int64_t{0});
  for (std::size_t i = 0; i < ends.size(); ++i) {
    sum += (count + sum_at_sum(ends[i], ends[i])) / 2;
    for (std::size_t j = 0; j < i; ++j) {
      sum += sum_at_sum(ends[i], ends[j]) + sum_at_difference(ends[i], ends[j]);
    }
  }
  return sum / count;
}

}  // namespace vernier
