#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "numerics/processes/request.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reports/measures/rates/design.hpp"
#include "reports/measures/tolerances/tolerance_study.hpp"

namespace vernier {

/// A value that takes long to make and may not be needed: made when it is first asked for, by whichever
/// thread asks.
template <class Value>
class MadeOnce {
 public:
  template <class Make>
  const Value& get(Make make) const {
    std::call_once(is_made_, [&] { value_ = make(); });
    return value_;
  }

 private:
  mutable std::once_flag is_made_;
  mutable Value value_;
};

/// The tensors that a tolerance is of, as designs make them and as they should be. Safe to use from several
/// threads.
class ComparedTensors {
 public:
  /// \param seed of the inputs
  ComparedTensors(const ToleranceQuestion& question, std::uint64_t seed);

  /// All positions of the range, or as many as are compared, evenly spaced.
  std::span<const std::int64_t> all_positions() const { return all_; }
  /// Whether it is these positions that are meant, not others that are equal.
  bool are_all(std::span<const std::int64_t> positions) const { return positions.data() == all_.data(); }
  /// A few of them, and others. \param telling those of them that are within the range are taken
  std::vector<std::int64_t> some_positions(const std::vector<std::int64_t>& telling) const;

  /// Element after element, tensor after tensor; empty if the design does not answer.
  std::vector<double> values(const rates::Design& design, std::span<const std::int64_t> positions) const;
  /// The same as it should be, to binary64. \param doubles_columns of tables with a column a dimension
  std::vector<double> certified(std::span<const std::int64_t> positions, bool doubles_columns) const;

 private:
  struct TrueTurn {
    long double cosine;
    long double sine;
  };

  static std::vector<TrueTurn> certified_row(CertifiedTable& table, std::int64_t position);
  std::vector<Request> requests(std::span<const std::int64_t> positions, bool doubles_columns) const;
  /// The same of all positions, whose inputs take longer to draw than a design takes to answer.
  const std::vector<Request>& requests_for_all(bool doubles_columns) const;
  /// Hands the requests to `visit`, one after the other.
  template <class Visit>
  void each_request(std::span<const std::int64_t> positions, bool doubles_columns, Visit visit) const;
  /// Of a position, pair by pair, times the amplitude.
  std::vector<TrueTurn> turns(std::int64_t position) const;
  void append_table(const WantedTensor& wanted, std::span<const std::int64_t> positions,
                    std::vector<double>& out) const;
  void append_rotated(const Tensor& input, std::span<const std::int64_t> positions,
                      std::vector<double>& out) const;

  ToleranceQuestion question_;
  std::uint64_t seed_;
  std::vector<TrigTable> tables_;
  TrigTable pairs_;  ///< the cosine of each pair
  std::optional<HeadRotation> rotation_;
  std::vector<Request> likely_;    ///< one a question, of the first position
  std::vector<Request> unlikely_;  ///< the same in the last way that there is
  std::vector<std::int64_t> all_;
  std::vector<std::vector<TrueTurn>> turns_;                        ///< at `all_`
  std::array<MadeOnce<std::vector<Request>>, 2> requests_for_all_;  ///< by whether columns are doubled
};

}  // namespace vernier
