#include "reports/commands/spec_option.hpp"

#include "reference/scheme_registry.hpp"

namespace vernier {

std::unique_ptr<Encoding> read_encoding(const std::string& file) {
  const auto spec = read_json(file);
  return parse_spec(ObjectReader(spec, file, ""));
}

std::unique_ptr<Encoding> read_table_encoding(const std::string& file) {
  const auto spec = read_json(file);
  const ObjectReader reader(spec, file, "");
  auto encoding = parse_spec(reader);
  if (encoding->tables().empty()) {
    reader.refuse("scheme", "a scheme with tables of sines and cosines");
  }
  return encoding;
}

}  // namespace vernier
