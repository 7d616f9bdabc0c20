#pragma once

#include <span>
#include <string>
#include <vector>

#include "numerics/cases/case.hpp"
#include "numerics/diagnosis/finding.hpp"

namespace vernier {

/// What a search over specs found.
struct SpecSearch {
  std::vector<Explanation> explanations = {};  ///< specs by which every conclusive element is right
  std::size_t searched = 0;
};

/// Tries every key of the spec with its other values (edits_of()), and where none explains the tensors two
/// keys at once, of those whose values are choices: whatever the scheme is. \param roles of the tensors that
/// one computation makes \param has_explanation whether something
/// else explains them: then one key alone is tried \param threads how many may work
SpecSearch search_spec_keys(const Case& subject, std::span<const std::string> roles, bool has_explanation,
                            unsigned threads);

}  // namespace vernier
