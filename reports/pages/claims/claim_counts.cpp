#include "reports/pages/claims/claim_counts.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "reference/counted.hpp"

namespace vernier {

ClaimCounts::ClaimCounts(const std::vector<ClaimDocument>& documents) {
  for (const auto& document : documents) {
    if (document.is_text()) {
      ++texts;
      statements += document.claims.size();
      wrong +=
          static_cast<std::size_t>(std::ranges::count(document.claims, ClaimVerdict::wrong, &Claim::verdict));
    } else {
      own += document.claims.size();
    }
  }
}

std::string headline_of(const ClaimCounts& counts) {
  return fmt::format("{} of {} statements of {} {} false",
                     counts.wrong == 0 ? "None" : std::to_string(counts.wrong), counts.statements,
                     counted(counts.texts, "widely read text", "widely read texts"),
                     counts.wrong <= 1 ? "is" : "are");
}

}  // namespace vernier
