#pragma once

#include <Eigen/Core>

#include "props/judging/interval_view.hpp"

namespace vernier {

/// One 2x2 block of a shift, for the components of a pair in the order sine, cosine.
using ShiftBlock = Eigen::Matrix<Interval, 2, 2>;
using PairVector = Eigen::Matrix<Interval, 2, 1>;

/// [[c, s], [-s, c]]: takes (sin f, cos f) to (sin(f + g), cos(f + g)), where (s, c) = (sin g, cos g).
ShiftBlock shift_block(const Interval& sine, const Interval& cosine);

/// The two components of a pair in a row, sine first.
PairVector components(const IntervalVector& row, const CompletePair& pair);

/// M_k as a whole matrix in the columns of the table: block diagonal up to the layout's permutation; columns
/// without a partner stay zero. Costs d^2 intervals: for small d.
IntervalMatrix shift_matrix(const TableView& view, const TruePhases& offset);

/// M_k row, block by block.
IntervalVector shifted(const TableView& view, const TruePhases& offset, const IntervalVector& row);

/// <a, b> over the pairs that are complete.
Interval dot(const TableView& view, const IntervalVector& a, const IntervalVector& b);

/// x^2, tight also where x may be zero.
Interval squared(const Interval& x);

/// The size of such a product: A^2 times the number of pairs.
double dot_scale(const TableView& view);

}  // namespace vernier
