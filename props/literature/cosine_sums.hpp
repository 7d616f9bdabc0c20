#pragma once

#include <cstdint>
#include <vector>

#include "reference/frequencies/frequencies.hpp"
#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// g(k), the sum of cos(k w_i): the dot product of two rows k apart, and half the score of a rotated vector
/// of ones with itself. At the working precision. \param offset may be fractional
Interval cosine_sum(const Frequencies& frequencies, const Interval& offset);

/// g(k) for k = first, first + 1 ..., `count` of them, each off by at most cosine_sum_error(pairs): the
/// matrix product of coarse and fine rows of cosines and sines, both correctly rounded to binary64.
std::vector<double> cosine_sums(const Frequencies& frequencies, std::int64_t first, std::int64_t count);

/// (n + 5) n u 1.01 for n pairs, u = 2^-53. With k = a + b each pair contributes Ca cb - Sa sb. The four
/// factors are off by u of themselves, products and differences round, and no term passes more than n
/// additions: n + 4 times u, of order u^2 more, of the sum of |Ca cb| + |Sa sb|, which is at most n, as a
/// pair's is at most 1 (Cauchy-Schwarz).
double cosine_sum_error(int pairs);

/// The least k in [1, last] at which g(k) + still is negative; 0 if there is none. Sums that are within their
/// error of zero are decided by enclosures. \param still pairs that do not turn and count one each
std::int64_t first_negative_sum(const Frequencies& frequencies, int still, std::int64_t last);

/// What g is like between two offsets, each figure proved.
struct CosineSumRange {
  Interval root_mean_square;
  Interval greatest;
  std::int64_t offset_of_greatest = 0;  ///< 0 if two are too near to each other to tell
};
CosineSumRange cosine_sum_range(const Frequencies& frequencies, std::int64_t first, std::int64_t last);

/// The least difference of two of g(0), g(1) ... g(last), and of one of them from zero.
Interval least_gap_of_cosine_sums(const Frequencies& frequencies, std::int64_t last);

/// The cosine integral.
Interval cosine_integral(const Interval& x);
/// The sine integral.
Interval sine_integral(const Interval& x);

/// For theta_t = t^alpha, by the power series of the cosine integrated term by term. \param alpha > 0
Interval mean_cosine_of_power(const Interval& alpha, const Interval& x);
/// For theta_t = base^-t, likewise: it is (Ci(x) - Ci(x/base)) / ln base. \param base > 1
Interval mean_cosine_by_series(const Interval& base, const Interval& x);

}  // namespace vernier
