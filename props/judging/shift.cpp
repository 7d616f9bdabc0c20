#include "props/judging/shift.hpp"

#include <mpfi.h>

namespace vernier {

ShiftBlock shift_block(const Interval& sine, const Interval& cosine) {
  ShiftBlock block;
  block(0, 0) = cosine;
  block(0, 1) = sine;
  block(1, 0) = -sine;
  block(1, 1) = cosine;
  return block;
}

PairVector components(const IntervalVector& row, const CompletePair& pair) {
  PairVector result;
  result(0) = row(pair.sine);
  result(1) = row(pair.cosine);
  return result;
}

IntervalMatrix shift_matrix(const TableView& view, const TruePhases& offset) {
  const auto d = static_cast<Eigen::Index>(view.table().columns.size());
  IntervalMatrix matrix = IntervalMatrix::Zero(d, d);
  for (const auto& pair : view.pairs()) {
    const auto block = shift_block(offset.sine(pair.pair), offset.cosine(pair.pair));
    matrix(pair.sine, pair.sine) = block(0, 0);
    matrix(pair.sine, pair.cosine) = block(0, 1);
    matrix(pair.cosine, pair.sine) = block(1, 0);
    matrix(pair.cosine, pair.cosine) = block(1, 1);
  }
  return matrix;
}

IntervalVector shifted(const TableView& view, const TruePhases& offset, const IntervalVector& row) {
  IntervalVector result = IntervalVector::Zero(row.size());
  for (const auto& pair : view.pairs()) {
    const PairVector moved =
        shift_block(offset.sine(pair.pair), offset.cosine(pair.pair)) * components(row, pair);
    result(pair.sine) = moved(0);
    result(pair.cosine) = moved(1);
  }
  return result;
}

Interval dot(const TableView& view, const IntervalVector& a, const IntervalVector& b) {
  Interval sum = 0;
  for (const auto& pair : view.pairs()) {
    sum += components(a, pair).dot(components(b, pair));
  }
  return sum;
}

Interval squared(const Interval& x) {
  Interval result;
  mpfi_sqr(result.backend().data(), x.backend().data());
  return result;
}

double dot_scale(const TableView& view) {
  return view.scale() * view.scale() * static_cast<double>(view.pairs().size());
}

}  // namespace vernier
