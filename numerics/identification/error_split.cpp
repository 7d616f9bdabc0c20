#include "numerics/identification/error_split.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "numerics/identification/pair_signal.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_rows = 4096;

constexpr std::array<std::string_view, 5> stages{"frequency", "phase", "amplitude", "trigonometry",
                                                 "storage"};

/// The part of each stage in the error of one element.
using Parts = std::array<long double, stages.size()>;

class Splitter {
 public:
  Splitter(const TableTensor& tensor, const Attribution& attribution)
      : tensor_(tensor), attribution_(attribution), amplitude_(approximately(tensor.table.amplitude)) {
    for (int pair = 0; pair < tensor.table.frequencies.pairs(); ++pair) {
      const auto exact = tight_enclosure([&] { return tensor.table.frequencies.at(pair); }).middle;
      frequencies_.push_back(static_cast<long double>(exact.high) + exact.low);
    }
  }

  Parts parts(std::int64_t position, std::size_t column, double got) const {
    const auto [pair, component] = tensor_.table.columns[column];
    const auto trig = [component](long double phase) {
      return component == Component::sine ? std::sin(phase) : std::cos(phase);
    };
    const auto& best = attribution_.best(pair);
    const auto p = static_cast<long double>(position);
    const auto truth = trig(p * frequencies_[static_cast<std::size_t>(pair)]);
    const auto other = trig(p * best.frequency);
    const auto rounded = trig(best.model->intended_phase(position, pair, best.candidate));
    const auto value = attribution_.amplitude * rounded;
    const long double stored = round_to(tensor_.stored(), static_cast<double>(value));
    return {amplitude_ * (other - truth), amplitude_ * (rounded - other),
            (attribution_.amplitude - amplitude_) * rounded, got - stored, stored - value};
  }

 private:
  const TableTensor& tensor_;
  const Attribution& attribution_;
  double amplitude_;  ///< the declared one
  std::vector<long double> frequencies_;
};

}  // namespace

ErrorSplit split_errors(const TableTensor& tensor, std::span<const std::int64_t> positions,
                        const Attribution& attribution) {
  assert(attribution.certified());
  const Splitter splitter(tensor, attribution);
  ErrorSplit split;
  for (const auto stage : stages) {
    split.stages.push_back({.stage = stage});
  }
  std::array<long double, stages.size()> products{};
  long double squares = 0;
  for (const auto row : rows_to_measure(positions, most_rows)) {
    for (std::size_t column = 0; column < tensor.columns(); ++column) {
      const auto& meaning = tensor.table.columns[column];
      const double got = tensor.at(row, column);
      if (meaning.component == Component::zero || !attribution.explains(meaning.pair) ||
          tensor.table.is_zero(positions[row], column) || !std::isfinite(got)) {
        continue;
      }
      const auto parts = splitter.parts(positions[row], column, got);
      long double error = 0;
      for (const auto part : parts) {
        error += part;
      }
      ++split.elements;
      squares += error * error;
      split.greatest = std::max(split.greatest, static_cast<double>(std::fabs(error)));
      for (std::size_t i = 0; i < stages.size(); ++i) {
        auto& stage = split.stages[i];
        products[i] += parts[i] * error;
        stage.greatest = std::max(stage.greatest, static_cast<double>(std::fabs(parts[i])));
        stage.left = std::max(stage.left, static_cast<double>(std::fabs(error - parts[i])));
      }
    }
  }
  for (std::size_t i = 0; squares > 0 && i < stages.size(); ++i) {
    split.stages[i].share = static_cast<double>(products[i] / squares);
  }
  return split;
}

}  // namespace vernier
