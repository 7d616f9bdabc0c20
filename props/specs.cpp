#include "props/specs.hpp"

#include "reference/scheme_registry.hpp"

namespace vernier {

std::unique_ptr<Encoding> encoding_of(const std::string& spec) {
  return parse_spec(spec, "spec");
}

}  // namespace vernier
