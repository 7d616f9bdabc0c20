#include "numerics/identification/error_split.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "numerics/decoding/pair_signal.hpp"
#include "numerics/elements/turn_allowance.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_split_rows = 4096;

constexpr std::array<std::string_view, 5> part_names{"frequency", "phase", "amplitude", "trigonometry",
                                                     "storage"};

/// The part of each stage in the error of one element.
using Parts = std::array<long double, part_names.size()>;

/// Of the phase with the true frequency, of that with the frequency as recovered, and of that as rounded.
using ThreeValues = std::array<long double, 3>;

/// The sines and cosines of one position, one a pair; tables have both in common.
class SplitRow {
 public:
  SplitRow(const Frequencies& frequencies, const Attribution& attribution)
      : attribution_(attribution), cosines_(static_cast<std::size_t>(frequencies.pairs())), sines_(cosines_) {
    for (const auto& exact : exact_frequencies(frequencies)) {
      frequencies_.push_back(static_cast<long double>(exact.high) + exact.low);
    }
  }

  void move(std::int64_t position) {
    const auto p = static_cast<long double>(position);
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
      const int pair = static_cast<int>(i);
      if (attribution_.explains(pair)) {
        const auto& best = attribution_.best(pair);
        set(i, {p * frequencies_[i], p * best.frequency,
                best.model->intended_phase(position, pair, best.candidate)});
      }
    }
  }

  const ThreeValues& values(const Column& column) const {
    return (column.component == Component::sine ? sines_ : cosines_)[static_cast<std::size_t>(column.pair)];
  }

 private:
  /// Sine and cosine of a phase beside each other: the C library reduces it once for both.
  void set(std::size_t i, const ThreeValues& phases) {
    for (std::size_t k = 0; k < phases.size(); ++k) {
      if (k > 0 && phases[k] == phases[k - 1]) {
        sines_[i][k] = sines_[i][k - 1];
        cosines_[i][k] = cosines_[i][k - 1];
      } else {
        sines_[i][k] = std::sin(phases[k]);
        cosines_[i][k] = std::cos(phases[k]);
      }
    }
  }

  const Attribution& attribution_;
  std::vector<long double> frequencies_;
  std::vector<ThreeValues> cosines_;
  std::vector<ThreeValues> sines_;
};

/// The split of one table, row by row.
class Splitter {
 public:
  Splitter(const TensorPart& tensor, const Attribution& attribution)
      : tensor_(tensor), attribution_(attribution), amplitude_(approximately(tensor.sines->amplitude)) {
    for (const auto stage : part_names) {
      split_.stages.push_back({.stage = stage});
    }
  }

  void add(std::size_t row, std::int64_t position, const SplitRow& at) {
    for (std::size_t column = 0; column < tensor_.columns; ++column) {
      const auto& meaning = tensor_.sines->columns[column];
      const double got = tensor_.at(row, column);
      if (meaning.component != Component::zero && attribution_.explains(meaning.pair) &&
          !tensor_.sines->is_zero(position, column) && std::isfinite(got)) {
        add(parts(at.values(meaning), got));
      }
    }
  }

  ErrorSplit result() && {
    for (std::size_t i = 0; squares_ > 0 && i < part_names.size(); ++i) {
      split_.stages[i].share = static_cast<double>(products_[i] / squares_);
    }
    return std::move(split_);
  }

 private:
  Parts parts(const ThreeValues& values, double got) const {
    const auto [truth, other, rounded] = values;
    const auto value = attribution_.amplitude * rounded;
    const long double stored = round_to(tensor_.format(), static_cast<double>(value));
    return {amplitude_ * (other - truth), amplitude_ * (rounded - other),
            (attribution_.amplitude - amplitude_) * rounded, got - stored, stored - value};
  }

  void add(const Parts& parts) {
    long double error = 0;
    for (const auto part : parts) {
      error += part;
    }
    ++split_.elements;
    squares_ += error * error;
    split_.greatest = std::max(split_.greatest, static_cast<double>(std::fabs(error)));
    for (std::size_t i = 0; i < part_names.size(); ++i) {
      auto& stage = split_.stages[i];
      products_[i] += parts[i] * error;
      stage.greatest = std::max(stage.greatest, static_cast<double>(std::fabs(parts[i])));
      stage.left = std::max(stage.left, static_cast<double>(std::fabs(error - parts[i])));
    }
  }

  const TensorPart& tensor_;
  const Attribution& attribution_;
  double amplitude_;  ///< the declared one
  ErrorSplit split_;
  std::array<long double, part_names.size()> products_{};
  long double squares_ = 0;
};

}  // namespace

std::vector<ErrorSplit> split_errors(std::span<const TensorPart> tables,
                                     std::span<const std::int64_t> positions,
                                     const Attribution& attribution) {
  assert(attribution.certified() && !tables.empty());
  auto splitters = mapped(tables, [&](const auto& tensor) { return Splitter(tensor, attribution); });
  SplitRow at(tables.front().sines->frequencies, attribution);
  for (const auto row : rows_to_measure(positions, most_split_rows)) {
    at.move(positions[row]);
    for (auto& splitter : splitters) {
      splitter.add(row, positions[row], at);
    }
  }
  return mapped(splitters, [&](Splitter& splitter) { return std::move(splitter).result(); });
}

}  // namespace vernier
