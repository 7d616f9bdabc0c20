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
            "the law {}, {}, holds on the reference in {} of {} random cases conclusively", law,
            found->property->statement, result.conclusive, result.cases);
}

}  // namespace vernier
