#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/test/staged_implementation.hpp"

namespace vernier::staged {

/// An implementation that is broken, and the property that sees it.
struct Fault {
  const char* name;
  const char* property;
  std::vector<const char*> specs;  ///< of which it is tried
  Stages stages;
};

/// ALiBi by distance, of which several queries can be asked.
inline constexpr auto distances = R"({"scheme": "alibi", "num_heads": 8, "bias": "distance"})";

/// A spec of every kind that has a property.
const std::vector<const char*>& all_specs();

/// Which of them have a property: the matrix, as the checks of honest tensors must show it.
const std::map<std::string, std::vector<const char*>>& owners();

/// At least two a property.
std::vector<Fault> faults();

}  // namespace vernier::staged
