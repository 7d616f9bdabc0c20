#pragma once

#include <cstdint>

#include "reference/tables/trig_table.hpp"

namespace vernier {

/// An element of any table with the same frequencies.
struct ErrorPlace {
  std::int64_t position = 0;
  int pair = 0;
  Component component = Component::cosine;

  bool operator==(const ErrorPlace&) const = default;
};

}  // namespace vernier
