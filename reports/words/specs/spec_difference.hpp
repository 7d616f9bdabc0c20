#pragma once

#include <string>
#include <vector>

#include "reference/json/json.hpp"

namespace vernier {

/// A key in which two specs differ.
struct KeyDifference {
  std::string key;     ///< its path: "rope_scaling.factor"
  OrderedJson first;   ///< null where the first spec has no such key
  OrderedJson second;  ///< likewise
};

/// The keys in which two specs differ, in the order of the first, then of the second. Numbers are compared as
/// numbers: 1 is 1.0. A whole object that only one has is one difference.
std::vector<KeyDifference> spec_differences(const OrderedJson& first, const OrderedJson& second);

}  // namespace vernier
