#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "props/literature/claims.hpp"

namespace vernier {

/// The statements of texts, counted apart from the theorems and reference values that are Vernier's own.
struct ClaimCounts {
  std::size_t texts = 0;
  std::size_t statements = 0;  ///< of the texts
  std::size_t wrong = 0;       ///< of these
  std::size_t open = 0;        ///< of these: no computation decides them
  std::size_t own = 0;         ///< theorems and reference values
  std::size_t whole = 0;       ///< texts that were listed line by line

  explicit ClaimCounts(const std::vector<ClaimDocument>& documents);
};

/// "20 of 153 statements of 5 widely read texts are false, and 9 are not checkable".
std::string headline_of(const ClaimCounts& counts);

/// "161 of the 191 were computed; no computation decides the others."
std::string computed_text(const ClaimCounts& counts);

}  // namespace vernier
