#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <boost/multiprecision/eigen.hpp>

#include "props/judging/judgement.hpp"
#include "props/judging/subject.hpp"
#include "reference/numbers/interval.hpp"

// How laws see a subject: its rows and rotated vectors as intervals that hold what they should be if the
// contract is kept. Everything here works at the precision in force, which run_law sets.

namespace vernier {

using IntervalVector = Eigen::Matrix<Interval, Eigen::Dynamic, 1>;
using IntervalMatrix = Eigen::Matrix<Interval, Eigen::Dynamic, Eigen::Dynamic>;

/// Which part of the budget widens an element. Laws that hold for any phase leave out the phase's part, as an
/// error of the phase cannot excuse a wrong norm; then an interval holds the exact function of *some* phase
/// within the contract.
enum class Allowance { apart_from_phase, total };

/// The true cosine and sine of p w_i for all pairs.
struct TruePhases {
  IntervalVector cosine;
  IntervalVector sine;
};

/// A pair both of whose components have a column.
struct CompletePair {
  int pair = 0;
  Eigen::Index sine = 0;
  Eigen::Index cosine = 0;
};

/// The rows of a subject's table.
class TableView {
 public:
  explicit TableView(const TrigTable& table);
  TableView(const TableView&) = delete;
  TableView& operator=(const TableView&) = delete;
  virtual ~TableView() = default;

  /// The row of a position, widened by the budget; for the reference just enclosed.
  virtual IntervalVector row(std::int64_t position, Allowance allowance) = 0;
  /// The row as stored; nothing for the reference.
  virtual std::optional<std::vector<double>> stored_row(std::int64_t position) = 0;
  virtual TruePhases truth(std::int64_t position) = 0;
  virtual bool defined_at(std::int64_t position) const = 0;

  const TrigTable& table() const { return table_; }
  std::span<const CompletePair> pairs() const { return pairs_; }
  /// A, and a double just above it.
  const Interval& amplitude() const { return amplitude_; }
  double scale() const { return scale_; }

 private:
  TrigTable table_;
  std::vector<CompletePair> pairs_;
  Interval amplitude_;
  double scale_;
};

/// \param judgement told of elements that are not finite, or whose budget proves nothing
std::unique_ptr<TableView> view_table(const LawTarget& subject, const SinusoidalSpec& spec,
                                      Judgement& judgement);

/// What is done to a vector: an implementation may have code for each. Keys are rotated as queries are, or
/// otherwise; the transpose takes gradients back, the inverse undoes the rotation.
enum class Mapping { query, key, transpose, inverse };

/// A vector as a subject holds it, and the intervals that hold what it should be.
struct Observed {
  std::vector<double> values;
  IntervalVector enclosures;
};

/// A vector exactly as given.
Observed observed_exactly(const std::vector<double>& values);

/// The rotations of a subject.
class RotationView {
 public:
  explicit RotationView(RopeSpec spec) : spec_(std::move(spec)) {}
  RotationView(const RotationView&) = delete;
  RotationView& operator=(const RotationView&) = delete;
  virtual ~RotationView() = default;

  /// Turns what the subject holds. The enclosures account for the budget of this turn and for what `x` may be
  /// off, turned by the truth. \pre the subject does it (applies())
  virtual Observed turned(Mapping mapping, std::int64_t position, const Observed& x, Allowance allowance) = 0;
  virtual TruePhases truth(std::int64_t position) = 0;
  /// query alone, if keys are rotated by the same code.
  virtual std::span<const Mapping> sides() const = 0;

  const RopeSpec& spec() const { return spec_; }
  /// What the spec makes of x at a position.
  IntervalVector rotate_truly(std::int64_t position, const IntervalVector& x);

 private:
  RopeSpec spec_;
};

std::unique_ptr<RotationView> view_rotation(const LawTarget& subject, const RopeSpec& spec,
                                            Judgement& judgement);

/// A double just above the Euclidean norm.
double norm_above(const std::vector<double>& values);

}  // namespace vernier
