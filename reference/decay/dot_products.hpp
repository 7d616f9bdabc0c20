#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/frequencies/frequencies.hpp"

namespace vernier {

/// g(k), the dot product of two rows k apart: the sum of cos(k w_i). At the working precision.
Interval dot_product(const Frequencies& frequencies, std::int64_t offset);

/// The distance of two rows k apart: its square is the sum of 4 sin^2(k w_i / 2), which is 2 (pairs - g(k)).
Interval separation(const GeometricFrequencies& frequencies, std::int64_t offset);

/// g(k) for k = first, first + 1 ..., `count` of them, each off by at most dot_product_error(pairs): the
/// matrix product of coarse and fine rows of cosines and sines, both correctly rounded to binary64.
std::vector<double> dot_products(const Frequencies& frequencies, std::int64_t first, std::int64_t count);

/// The same beside the sums of weight_i sin(k w_i), each off by at most dot_product_error(pairs) times the
/// greatest magnitude of a weight.
struct DotProductsAndSlopes {
  std::vector<double> products;
  std::vector<double> slopes;
};
/// \param weights one a pair
DotProductsAndSlopes dot_products_and_slopes(const Frequencies& frequencies, std::span<const double> weights,
                                             std::int64_t first, std::int64_t count);

/// (n + 5) n u 1.01 for n pairs, u = 2^-53. With k = a + b each pair contributes Ca cb - Sa sb. The four
/// factors are off by u of themselves, products and differences round, and no term passes more than n
/// additions: n + 4 times u, of order u^2 more, of the sum of |Ca cb| + |Sa sb|, which is at most n, as a
/// pair's is at most 1 (Cauchy-Schwarz). A weight times a factor rounds once more, to n + 5.
double dot_product_error(int pairs);

/// The offsets k in [1, last] whose rows are closer than those of every smaller one, in order; the last of
/// them has the smallest separation of all. Proved: the matrix product passes over the offsets whose dot
/// products are smaller than a record by more than its error, and enclosures at the working precision decide
/// the others. \throws std::runtime_error if two separations cannot be told apart
std::vector<std::int64_t> record_offsets(const GeometricFrequencies& frequencies, std::int64_t last);

/// The mean of g(k)^2 over first <= k <= last, g the dot product of two rows k apart, at the working
/// precision. Not summed over k: g(k)^2 is a sum of products of cosines, hence of cosines of the sums and
/// differences of all two frequencies, and the sum of cos(k w) over k is
/// [sin((last + 1/2) w) - sin((first - 1/2) w)] / (2 sin(w / 2)), Dirichlet's kernel.
Interval mean_square_dot_product(const GeometricFrequencies& frequencies, std::int64_t first,
                                 std::int64_t last);

}  // namespace vernier
