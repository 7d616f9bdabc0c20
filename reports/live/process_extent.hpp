#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "numerics/implementations/rows.hpp"

namespace vernier {

/// How far the questions of a process went: what a later one can still make grow, or give another type.
struct ProcessExtent {
  std::int64_t greatest_position = 0;
  std::size_t most_rows = 0;  ///< of one question
  std::set<ElementType> types = {};

  void add(const Request& request) {
    const auto positions = integers_of(request.positions);
    greatest_position = std::max(greatest_position, std::ranges::max(positions));
    most_rows = std::max(most_rows, rows_of(request));
    for (const auto& wanted : request.wanted) {
      types.insert(wanted.type);
    }
  }

  bool is_within(const ProcessExtent& limit) const {
    return greatest_position <= limit.greatest_position && most_rows <= limit.most_rows &&
           std::ranges::includes(limit.types, types);
  }
};

}  // namespace vernier
