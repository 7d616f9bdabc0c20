#include "props/specs.hpp"

#include "reference/scheme_registry.hpp"

namespace vernier {

std::unique_ptr<Encoding> encoding_of(const std::string& spec) {
  const auto json = parse_json(spec, "spec");
  return parse_spec(ObjectReader(json, "spec", ""));
}

}  // namespace vernier
