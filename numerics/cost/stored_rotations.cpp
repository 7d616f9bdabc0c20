#include "numerics/cost/stored_rotations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace vernier {
namespace {

/// Where a component of a pair stands.
struct ColumnPlace {
  const TableTensor* tensor;
  std::size_t column;
};

class CaseRotations final : public StoredRotations {
 public:
  CaseRotations(const Case& subject, TrigTable meant)
      : meant_(std::move(meant)), places_(static_cast<std::size_t>(meant_.frequencies.pairs())) {
    for (const auto& tensor : subject.tensors.all<TableTensor>()) {
      for (std::size_t column = 0; column < tensor.table.columns.size(); ++column) {
        const auto [pair, component] = tensor.table.columns[column];
        if (component != Component::zero) {
          places_[static_cast<std::size_t>(pair)][component == Component::cosine ? 0 : 1].push_back(
              {&tensor, column});
        }
      }
    }
    std::vector<std::size_t> order(subject.positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return subject.positions[row]; });
    for (const auto row : order) {
      if (positions_.empty() || positions_.back() != subject.positions[row]) {
        positions_.push_back(subject.positions[row]);
        rows_.push_back(row);
      }
    }
  }

  bool is_whole() const {
    return !rows_.empty() && std::ranges::none_of(places_, [](const auto& of_pair) {
      return of_pair[0].empty() || of_pair[1].empty();
    });
  }
  const TrigTable& meant() const override { return meant_; }
  const std::vector<std::int64_t>& positions() const override { return positions_; }

  void pairs(int first, std::span<PairRows> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto& of_pair = places_[static_cast<std::size_t>(first) + i];
      const double cosines_apart = read(of_pair[0], out[i].cosines);
      const double sines_apart = read(of_pair[1], out[i].sines);
      out[i].apart = std::hypot(cosines_apart, sines_apart);
    }
  }

 private:
  /// The first column; returns how far others are from it.
  double read(const std::vector<ColumnPlace>& columns, std::vector<double>& out) const {
    out.resize(rows_.size());
    double apart = 0;
    for (const auto& [tensor, column] : columns) {
      const bool is_first = tensor == columns.front().tensor && column == columns.front().column;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const double value = tensor->at(rows_[i], column);
        if (is_first) {
          out[i] = value;
        } else if (value != out[i]) {
          apart = std::max(apart, std::isfinite(value) ? std::fabs(value - out[i]) : INFINITY);
        }
      }
    }
    return apart;
  }

  TrigTable meant_;
  std::vector<std::array<std::vector<ColumnPlace>, 2>> places_;  ///< by pair: of the cosine, of the sine
  std::vector<std::int64_t> positions_;
  std::vector<std::size_t> rows_;  ///< of the tensors, as the positions
};

}  // namespace

RecipeRotations::RecipeRotations(const Recipe& recipe, TrigTable meant, Format stored, std::int64_t n)
    : recipe_(recipe),
      meant_(std::move(meant)),
      stored_(stored),
      phases_(recipe.prepare(RecipeFrequencies(meant_.frequencies, recipe.id))),
      positions_(static_cast<std::size_t>(n)) {
  std::iota(positions_.begin(), positions_.end(), std::int64_t{0});
}

void RecipeRotations::pairs(int first, std::span<PairRows> out) const {
  TrigTable wanted{meant_.role, meant_.frequencies, meant_.amplitude, {}, std::nullopt, meant_.positions};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int pair = first + static_cast<int>(i);
    wanted.columns.push_back({pair, Component::cosine});
    wanted.columns.push_back({pair, Component::sine});
    out[i].cosines.resize(positions_.size());
    out[i].sines.resize(positions_.size());
    out[i].apart = 0;
  }
  const RecipeTable made(recipe_, phases_, wanted, stored_);
  constexpr std::size_t rows_at_once = 1024;
  std::vector<double> block;
  for (std::size_t row = 0; row < positions_.size(); row += rows_at_once) {
    const auto count = std::min(rows_at_once, positions_.size() - row);
    block.resize(count * made.columns());
    made.rows({positions_[row], 1, static_cast<std::int64_t>(count)}, block);
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t r = 0; r < count; ++r) {
        out[i].cosines[row + r] = block[r * made.columns() + 2 * i];
        out[i].sines[row + r] = block[r * made.columns() + 2 * i + 1];
      }
    }
  }
}

bool turns_queries_and_keys(const HeadRotation& rotation) {
  return !rotation.scale && rotation.axes.empty() && rotation.table.positions.is_plain() &&
         rotation.operation != RotationOperation::inverse && rotation.operation != RotationOperation::shift;
}

std::unique_ptr<StoredRotations> rotations_of(const Case& subject) {
  const auto rotations = subject.encoding->all<HeadRotation>();
  const auto& tables = subject.tensors.all<TableTensor>();
  if (rotations.empty() || tables.empty() || !turns_queries_and_keys(rotations.front()) ||
      std::ranges::any_of(tables, [&](const TableTensor& tensor) {
        return tensor.table.frequencies != rotations.front().table.frequencies ||
               tensor.table.amplitude != rotations.front().table.amplitude;
      })) {
    return nullptr;
  }
  auto result = std::make_unique<CaseRotations>(subject, rotations.front().table);
  return result->is_whole() ? std::move(result) : nullptr;
}

}  // namespace vernier
