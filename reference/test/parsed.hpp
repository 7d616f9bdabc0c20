#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "reference/schemes/scheme_registry.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {

/// The encoding of a spec, which stands in "case.json" under "spec".
inline std::unique_ptr<Encoding> parsed(std::string_view spec) {
  return parse_spec(spec, "case.json", "spec");
}

/// The sentence that refuses a spec; empty if none does.
inline std::string refusal_of_spec(std::string_view spec) {
  return refusal_of([spec] { parsed(spec); });
}

}  // namespace vernier
