#include "props/matrix/models/rotary_score.hpp"

#include <algorithm>
#include <cassert>

namespace vernier {
namespace {

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

RotaryScore::RotaryScore(TrigTable table, Pairs query, Pairs key)
    : table_(std::move(table)), query_(std::move(query)), key_(std::move(key)) {
  assert(query_.size() == key_.size() && table_.table().columns.size() == 2 * query_.size());
}

Interval RotaryScore::score(std::int64_t query, std::int64_t key) const {
  return rotated(query_, code(query)).dot(rotated(key_, code(key)));
}

std::optional<Justification> RotaryScore::justification(std::string_view property) const {
  // In pair i the score is Re(conj(q) k e^{i w (n - m)}): its odd part in n - m is the imaginary part of
  // conj(q) k.
  const bool even = std::ranges::equal(
      query_, key_, [](const auto& q, const auto& k) { return q.first * k.second == q.second * k.first; });
  if (property == "offset-only") {
    return Justification{Answer::yes, Method::exact, "R_m^T R_n = R_(n-m), pair by pair (T3)"};
  }
  if (property == "symmetric" || property == "direction-aware") {
    if (!even) {
      return std::nullopt;
    }
    return Justification{property == "symmetric" ? Answer::yes : Answer::no, Method::exact,
                         "conj(q) k is real in every pair: only cosines of the offset enter"};
  }
  if (property == "bounded" || property == "constant-norm") {
    return Justification{Answer::yes, Method::exact, "R_m is an isometry: |R_m x| = |x|"};
  }
  return table_.justification(property);
}

}  // namespace vernier
