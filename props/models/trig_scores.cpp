#include "props/models/trig_scores.hpp"

#include <algorithm>
#include <cassert>

namespace vernier {
namespace {

IntervalMatrix enclosed(const RationalMatrix& h) {
  IntervalMatrix result(h.rows(), h.cols());
  for (Eigen::Index i = 0; i < h.rows(); ++i) {
    for (Eigen::Index j = 0; j < h.cols(); ++j) {
      result(i, j) = enclose(h(i, j));
    }
  }
  return result;
}

/// R_m x, pair by pair, of the row that holds R_m's cosines and sines.
IntervalVector rotated(const RotaryScore::Pairs& x, const IntervalVector& row) {
  const auto pairs = static_cast<Eigen::Index>(x.size());
  IntervalVector result(2 * pairs);
  for (Eigen::Index i = 0; i < pairs; ++i) {
    const auto& [first, second] = x[static_cast<std::size_t>(i)];
    result(2 * i) = first * row(i) - second * row(pairs + i);
    result(2 * i + 1) = first * row(pairs + i) + second * row(i);
  }
  return result;
}

}  // namespace

bool commutes_with_shifts(const RationalMatrix& h) {
  for (Eigen::Index i = 0; i < h.rows(); ++i) {
    for (Eigen::Index j = 0; j < h.cols(); ++j) {
      if (i / 2 != j / 2 && h(i, j) != 0) {
        return false;
      }
    }
  }
  for (Eigen::Index i = 0; i < h.rows(); i += 2) {
    if (h(i, i) != h(i + 1, i + 1) || h(i, i + 1) != -h(i + 1, i)) {
      return false;
    }
  }
  return true;
}

Interval BilinearScore::score(std::int64_t query, std::int64_t key) const {
  return code(query).dot(enclosed(h_) * code(key));
}

std::optional<Justification> BilinearScore::justification(std::string_view property) const {
  if (property != "offset-only" && property != "symmetric" && property != "direction-aware" &&
      property != "decay") {
    return Justification{Answer::not_applicable, Method::exact, "the code is the sinusoid"};
  }
  const bool commutes = commutes_with_shifts(h_);
  const bool is_symmetric = h_ == h_.transpose();
  return known_answer(
      property, {{"offset-only", Answer::yes, "H is a direct sum of blocks a I + b J (T6)", commutes},
                 {"symmetric", Answer::yes, "no block has a part b J, which alone is odd in the offset (T6)",
                  commutes && is_symmetric},
                 {"direction-aware", Answer::no, "H is symmetric", is_symmetric}});
}

OffsetScore::OffsetScore(TrigTable table, std::vector<int> vector)
    : TrigCode(std::move(table)), vector_(std::move(vector)) {
  assert(vector_.size() == this->table().columns.size());
}

Interval OffsetScore::score(std::int64_t query, std::int64_t key) const {
  const auto row = code(query - key);
  Interval sum = 0;
  for (Eigen::Index i = 0; i < row.size(); ++i) {
    sum += vector_[static_cast<std::size_t>(i)] * row(i);
  }
  return sum;
}

std::optional<Justification> OffsetScore::justification(std::string_view property) const {
  if (property == "offset-only") {
    return Justification{Answer::yes, Method::exact,
                         "by definition the score reads the row of the offset alone"};
  }
  if (property == "symmetric" || property == "direction-aware") {
    return std::nullopt;
  }
  return TrigCode::justification(property);
}

RotaryScore::RotaryScore(TrigTable table, Pairs query, Pairs key)
    : TrigCode(std::move(table)), query_(std::move(query)), key_(std::move(key)) {
  assert(query_.size() == key_.size() && this->table().columns.size() == 2 * query_.size());
}

Interval RotaryScore::score(std::int64_t query, std::int64_t key) const {
  return rotated(query_, code(query)).dot(rotated(key_, code(key)));
}

std::optional<Justification> RotaryScore::justification(std::string_view property) const {
  // In pair i the score is Re(conj(q) k e^{i w (n - m)}): its odd part in n - m is the imaginary part of
  // conj(q) k.
  const bool even = std::ranges::equal(
      query_, key_, [](const auto& q, const auto& k) { return q.first * k.second == q.second * k.first; });
  if ((property == "symmetric" || property == "direction-aware") && !even) {
    return std::nullopt;
  }
  const std::string real = "conj(q) k is real in every pair: only cosines of the offset enter";
  const std::string isometry = "R_m is an isometry: |R_m x| = |x|";
  const auto known =
      known_answer(property, {{"offset-only", Answer::yes, "R_m^T R_n = R_(n-m), pair by pair (T3)"},
                              {"symmetric", Answer::yes, real},
                              {"direction-aware", Answer::no, real},
                              {"bounded", Answer::yes, isometry},
                              {"constant-norm", Answer::yes, isometry}});
  return known ? known : TrigCode::justification(property);
}

}  // namespace vernier
