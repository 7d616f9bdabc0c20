#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/computation/finding.hpp"

namespace vernier {

/// The ids of its findings and what they say: "frequency/base the base is 500000, not 10000". No two of
/// different kinds have the same text.
inline std::string told_with_ids(const Explanation& explanation) {
  std::string ids;
  for (const auto& finding : explanation.findings) {
    ids += finding.kind->id + " ";
    for (const auto& other : explanation.findings) {
      EXPECT_EQ(finding.kind->means == other.kind->means, finding.kind == other.kind)
          << finding.kind->id << " beside " << other.kind->id;
    }
  }
  return ids + sentence_of(explanation);
}

/// Of the likeliest explanation.
inline std::string likeliest_with_ids(const Diagnosis& diagnosis) {
  return diagnosis.is_explained() ? told_with_ids(diagnosis.explanations.front())
                                  : "unexplained: " + diagnosis.rest;
}

/// Of all that are told, the likeliest first.
inline std::vector<std::string> all_with_ids(const Diagnosis& diagnosis) {
  std::vector<std::string> all;
  for (const auto& explanation : diagnosis.explanations) {
    all.push_back(told_with_ids(explanation));
  }
  return all;
}

}  // namespace vernier
