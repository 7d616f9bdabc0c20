#include "reports/words/specs/sequence_length.hpp"

#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {

std::unique_ptr<Encoding> at_sequence_length(const Encoding& encoding, std::int64_t length,
                                             const std::string& option, const std::string& source) {
  auto spec = encoding.spec();
  refuse_if(!encoding.sequence_length() && !spec.contains("sequence_length"),
            "{}: found {}, expected none, as nothing in {} depends on it", option, length, source);
  spec["sequence_length"] = length;
  return parse_spec(spec.dump(), option);
}

}  // namespace vernier
