#include "props/judging/specs.hpp"

#include "reference/schemes/scheme_registry.hpp"

namespace vernier {

std::unique_ptr<Encoding> encoding_of(const std::string& spec) {
  return parse_spec(spec, "spec");
}

}  // namespace vernier
