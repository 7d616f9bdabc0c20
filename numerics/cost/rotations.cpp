#include "numerics/cost/rotations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "numerics/decoding/pair_signal.hpp"

namespace vernier {

std::vector<PhaseTurns> turns_of(const Frequencies& frequencies) {
  const WorkingPrecision precision(192);
  const auto enclosures = frequencies.enclosures();
  return {enclosures.begin(), enclosures.end()};
}

Rotations rotations_of(const Recipe& recipe, TrigTable table, Format stored, const PositionRange& positions) {
  Rotations result{turns_of(table.frequencies), approximately(table.amplitude), {}, {}};
  for (std::int64_t row = 0; row < positions.count; ++row) {
    result.positions.push_back(positions.at(row));
  }
  const std::shared_ptr<const PhaseRule> phases =
      recipe.prepare(RecipeFrequencies(table.frequencies, recipe.id));
  table.zero_position.reset();
  table.columns.clear();
  result.read = [=, &recipe](std::size_t first, std::span<Rotations::PairRows> out) {
    auto wanted = table;
    for (std::size_t i = 0; i < out.size(); ++i) {
      wanted.columns.push_back({static_cast<int>(first + i), Component::cosine});
      wanted.columns.push_back({static_cast<int>(first + i), Component::sine});
    }
    std::vector<double> numbers(static_cast<std::size_t>(positions.count) * wanted.columns.size());
    RecipeTable(recipe, phases, wanted, stored).rows(positions, numbers);
    for (std::size_t at = 0; at < numbers.size(); at += 2) {
      out[at / 2 % out.size()].factors.emplace_back(numbers[at], numbers[at + 1]);
    }
  };
  return result;
}

std::optional<Rotations> rotations_of(const Case& subject) {
  const auto rotations = subject.encoding->all<HeadRotation>();
  const auto& tables = subject.tensors.all<TableTensor>();
  if (rotations.empty() || tables.empty() || !turns_queries_and_keys(rotations.front())) {
    return std::nullopt;
  }
  const auto& meant = rotations.front().table;
  if (!std::ranges::all_of(tables, [&](const TableTensor& tensor) {
        return tensor.table.frequencies == meant.frequencies && tensor.table.amplitude == meant.amplitude;
      })) {
    return std::nullopt;
  }
  Rotations result{turns_of(meant.frequencies), approximately(meant.amplitude), {}, {}};
  std::vector<std::vector<Couple>> couples(result.meant.size());
  for (const auto& couple : couples_of(tables)) {
    couples[static_cast<std::size_t>(couple.pair)].push_back(couple);
  }
  const auto rows = rows_to_measure(subject.positions, std::numeric_limits<std::size_t>::max());
  if (rows.empty() || std::ranges::any_of(couples, &std::vector<Couple>::empty)) {
    return std::nullopt;
  }
  for (const auto row : rows) {
    result.positions.push_back(subject.positions[row]);
  }
  result.read = [&tables, couples, rows](std::size_t first, std::span<Rotations::PairRows> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      double cosines_apart = 0;
      double sines_apart = 0;
      const auto widen = [](double& apart, double value, double of_first) {
        if (value != of_first) {
          apart = std::max(apart, std::isfinite(value) ? std::fabs(value - of_first) : INFINITY);
        }
      };
      for (const auto row : rows) {
        const auto at = [&](const TensorColumn& place) { return tables[place.tensor].at(row, place.column); };
        const auto& of_pair = couples[first + i];
        const std::complex factor(at(of_pair.front().cosine), at(of_pair.front().sine));
        for (const auto& couple : std::span(of_pair).subspan(1)) {
          widen(cosines_apart, at(couple.cosine), factor.real());
          widen(sines_apart, at(couple.sine), factor.imag());
        }
        out[i].factors.push_back(factor);
      }
      out[i].apart = std::hypot(cosines_apart, sines_apart);
    }
  };
  return result;
}

bool turns_queries_and_keys(const HeadRotation& rotation) {
  return !rotation.scale && rotation.axes.empty() && rotation.table.positions.is_plain() &&
         rotation.operation != RotationOperation::inverse && rotation.operation != RotationOperation::shift;
}

}  // namespace vernier
