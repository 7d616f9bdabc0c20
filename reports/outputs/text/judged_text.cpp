#include "reports/outputs/text/judged_text.hpp"

#include <fmt/core.h>

#include "reference/support/word_list.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {

std::string rows_text(const Verdict& verdict) {
  return verdict.rows == 0 ? std::string()
                           : fmt::format("; {}, positions {} to {}", counted(verdict.rows, "row", "rows"),
                                         verdict.places.text(verdict.least_position),
                                         verdict.places.text(verdict.greatest_position));
}

std::string contracts_text(const Verdict& verdict) {
  return joined(verdict.contracts, [](const ContractUse& use) {
    return fmt::format("{} ({}) by {}", use.role, use.stored, use.id);
  });
}

}  // namespace vernier
