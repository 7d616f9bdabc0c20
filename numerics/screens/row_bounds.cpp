#include "numerics/screens/row_bounds.hpp"

#include <cassert>
#include <cmath>
#include <map>

#include "numerics/screens/kernel.hpp"

namespace vernier {

RowBounds::RowBounds(std::span<const Source> sources, double BinadeBounds::Bounds::*which) {
  std::map<const BinadeBounds*, std::int64_t> known;
  for (const auto& [bounds, pair] : sources) {
    const auto [start, is_new] = known.emplace(bounds, std::ssize(table_));
    if (is_new) {
      for (std::size_t binade = 0; binade < BinadeBounds::binades; ++binade) {
        table_.push_back(bounds->plain(binade).*which);
      }
      for (std::size_t binade = 0; binade < BinadeBounds::binades; ++binade) {
        table_.push_back(bounds->reduced(binade).*which);
      }
    }
    starts_.push_back(start->second);
    reduced_from_.push_back(bounds->reduced_from(pair));
  }
}

std::span<const double> RowBounds::of(std::int64_t position, std::span<const double> numbers,
                                      std::vector<double>& room) const {
  assert(numbers.size() == starts_.size());
  room.resize(numbers.size());
  screen_kernels().look_up({.distance = std::fabs(static_cast<double>(position)),
                            .table = table_.data(),
                            .starts = starts_.data(),
                            .reduced_from = reduced_from_.data(),
                            .numbers = numbers.data()},
                           numbers.size(), room.data());
  return room;
}

}  // namespace vernier
