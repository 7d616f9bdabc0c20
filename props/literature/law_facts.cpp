#include "props/literature/law_facts.hpp"

#include <cassert>

#include "props/broken/broken.hpp"
#include "props/run_law.hpp"

namespace vernier {

void add_law(Facts& facts, std::string_view law) {
  const auto* found = law_named(law);
  const auto reference = subject_named("reference");
  assert(found != nullptr && reference);
  const auto result = run_law(*found, *reference, options_from_environment());
  facts.add(result.status == CheckStatus::holds,
            std::string("the law ") + std::string(law) + ", " + std::string(found->statement) +
                ", holds on the reference in " + std::to_string(result.conclusive) + " of " +
                std::to_string(result.cases) + " random cases conclusively");
}

}  // namespace vernier
