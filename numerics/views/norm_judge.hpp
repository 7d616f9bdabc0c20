#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/views/row_view.hpp"

namespace vernier {

/// What ||z|^2 - (A L)^2| may be at most: with z = (c, s), c off by b and s by a at most from a point of the
/// circle, for every phase and every input: C^2 + S^2 = (A L)^2, |c - C| <= b and |s - S| <= a, so
///   c^2 + s^2 - (A L)^2 = 2 C (c - C) + (c - C)^2 + 2 S (s - S) + (s - S)^2, |C| <= |c| + b, |S| <= |s| + a,
/// and its magnitude is at most 2 |c| b + 3 b^2 + 2 |s| a + 3 a^2. In floating point too it grows with b and
/// a.
inline double square_allowance(double c, double b, double s, double a) {
  return 2 * std::fabs(c) * b + 3 * b * b + 2 * std::fabs(s) * a + 3 * a * a;
}

/// The points of all rows on their circles.
struct NormFindings {
  struct Worst {
    std::size_t row = 0;
    std::size_t point = 0;  ///< of layout().points
    Point at = {};
    double excess = 0;        ///< |z|^2 - (A L)^2
    double allowed = 0;       ///< of its magnitude
    double budget_ratio = 0;  ///< |excess| / allowed; infinite of a point that is not finite
  };
  std::uint64_t elements = 0;  ///< points with both parts
  std::uint64_t judged = 0;
  std::uint64_t failing = 0;
  std::uint64_t inconclusive = 0;  ///< that may overflow, or be off by a quarter of them, and are no more
  std::optional<Worst> worst = std::nullopt;

  /// \param later of rows after those of this one
  void merge(const NormFindings& later);
};

/// Judges whether every point lies on the circle of its input and its amplitude.
///
/// Where points have a form as arrays, those that surely use no more than the worst so far are only counted.
/// With S = c^2 + s^2 and u = 2^-53: two products, a sum, the square of the amplitude and a difference, each
/// rounded, are together off by less than 8 u (S + A^2); the excess of the closer look, which is its last sum
/// rounded, by less than 2 u (S + A^2); the roundings of the comparison, as what is allowed is at most A^2 /
/// 2, by less than 4 u (S + A^2). Underflow adds nothing that counts against A^2 >= 2^-200. That a point is
/// fine enough to be judged needs no look at its values: were S > 4 A^2, its excess would be at least 3/4 S,
/// more than it is allowed, as b and a are at most A / 8; so |c|, |s| <= 2 A, for which the allowance is
/// small.
class NormJudge {
 public:
  /// \param view of the points, or one like it \pre it has points
  explicit NormJudge(const RowView& view);

  const NormFindings& findings() const { return findings_; }
  void merge(const NormJudge& later) { findings_.merge(later.findings_); }
  void add(RowView& view);

 private:
  /// Marks in `counted_` the points of a row that only count. \returns how many
  std::size_t screened(const PointRow& row, double budget_ratio);
  void judge(const Point& point, std::size_t row, std::size_t k);

  NormFindings findings_;
  bool is_of_tables_;
  std::optional<double> square_;  ///< A^2, where rows may be screened
  std::vector<double> surplus_;   ///< of a row's points: what they are allowed beyond what they use
  std::vector<std::int64_t> counted_;
};

}  // namespace vernier
