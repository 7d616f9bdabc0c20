#include "reports/commands/spec_option.hpp"

#include "reference/scheme_registry.hpp"

namespace vernier {

std::unique_ptr<Encoding> read_encoding(const std::string& file) {
  const auto spec = read_json(file);
  return parse_spec(ObjectReader(spec, file, ""));
}

}  // namespace vernier
