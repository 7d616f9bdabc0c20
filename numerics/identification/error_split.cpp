#include "numerics/identification/error_split.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "numerics/identification/attribution.hpp"
#include "numerics/identification/pair_signal.hpp"
#include "numerics/identification/phase_deviation.hpp"
#include "numerics/identification/screens/small_turn.hpp"
#include "numerics/identification/screens/unit_rows.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_rows = 4096;

constexpr std::array<std::string_view, 5> stages{"frequency", "phase", "amplitude", "trigonometry",
                                                 "storage"};

/// The part of each stage in the error of one element.
using Parts = std::array<double, stages.size()>;

/// A unit vector, and what turning it has changed.
struct Turned {
  UnitVector vector;
  UnitVector change;
};

Turned turned(const UnitVector& from, double angle) {
  const double half = std::sin(angle / 2);
  const auto [sine, versine] =
      std::fabs(angle) <= SmallTurn::most ? small_turn(angle) : SmallTurn{std::sin(angle), -2 * half * half};
  const UnitVector change{from.cosine * versine - from.sine * sine, from.sine * versine + from.cosine * sine};
  return {{from.cosine + change.cosine, from.sine + change.sine}, change};
}

class Splitter {
 public:
  Splitter(const TableTensor& tensor, const Attribution& attribution)
      : tensor_(tensor),
        attribution_(attribution),
        amplitude_(approximately(tensor.table.amplitude)),
        frequencies_(exact_frequencies(tensor.table.frequencies)),
        unit_rows_(frequencies_) {}

  void move(std::int64_t position) {
    position_ = position;
    unit_rows_.move(at_, position);
  }

  Parts parts(std::size_t column, double got) const {
    const auto [pair, component] = tensor_.table.columns[column];
    const auto& best = attribution_.best(pair);
    const auto i = static_cast<std::size_t>(pair);
    const auto p = static_cast<double>(position_);
    const auto& declared = frequencies_[i];
    const auto other =
        turned({at_.cosines[i], at_.sines[i]}, p * ((best.frequency - declared.high) - declared.low));
    const auto unrounded = two_product(p, best.frequency);
    const double phase = best.model->intended_phase(position_, pair, best.candidate);
    const auto rounded = turned(other.vector, (phase - unrounded.high) - unrounded.low);
    const auto taken = [component](const UnitVector& of) {
      return component == Component::sine ? of.sine : of.cosine;
    };
    const double value = attribution_.amplitude * taken(rounded.vector);
    const double stored = round_to(tensor_.stored(), value);
    return {amplitude_ * taken(other.change), amplitude_ * taken(rounded.change),
            (attribution_.amplitude - amplitude_) * taken(rounded.vector), got - stored, stored - value};
  }

 private:
  static std::vector<DoubleDouble> exact_frequencies(const Frequencies& frequencies) {
    std::vector<DoubleDouble> result;
    for (int pair = 0; pair < frequencies.pairs(); ++pair) {
      result.push_back(tight_enclosure([&] { return frequencies.at(pair); }).middle);
    }
    return result;
  }

  const TableTensor& tensor_;
  const Attribution& attribution_;
  double amplitude_;  ///< the declared one
  std::vector<DoubleDouble> frequencies_;
  UnitRows unit_rows_;
  UnitRows::Row at_;
  std::int64_t position_ = 0;
};

}  // namespace

ErrorSplit split_errors(const TableTensor& tensor, std::span<const std::int64_t> positions,
                        const Attribution& attribution) {
  assert(attribution.certified());
  Splitter splitter(tensor, attribution);
  ErrorSplit split;
  for (const auto stage : stages) {
    split.stages.push_back({.stage = stage});
  }
  std::array<double, stages.size()> products{};
  double squares = 0;
  for (const auto row : rows_to_measure(positions, most_rows)) {
    splitter.move(positions[row]);
    for (std::size_t column = 0; column < tensor.columns(); ++column) {
      const auto& meaning = tensor.table.columns[column];
      const double got = tensor.at(row, column);
      if (meaning.component == Component::zero || !attribution.explains(meaning.pair) ||
          tensor.table.is_zero(positions[row], column) || !std::isfinite(got)) {
        continue;
      }
      const auto parts = splitter.parts(column, got);
      double error = 0;
      for (const auto part : parts) {
        error += part;
      }
      ++split.elements;
      squares += error * error;
      split.greatest = std::max(split.greatest, std::fabs(error));
      for (std::size_t i = 0; i < stages.size(); ++i) {
        auto& stage = split.stages[i];
        products[i] += parts[i] * error;
        stage.greatest = std::max(stage.greatest, std::fabs(parts[i]));
        stage.left = std::max(stage.left, std::fabs(error - parts[i]));
      }
    }
  }
  for (std::size_t i = 0; squares > 0 && i < stages.size(); ++i) {
    split.stages[i].share = products[i] / squares;
  }
  return split;
}

}  // namespace vernier
