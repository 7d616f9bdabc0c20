// Any text is a spec, or a model's configuration that holds one, or is refused with an InputError. A spec
// that is understood says of itself, with all defaults, what is understood as the same.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "reference/configs/understood_config.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"

namespace {

constexpr std::string_view source = "fuzz.json";

/// The spec of an encoding, read again.
vernier::OrderedJson read_again(const vernier::OrderedJson& spec) {
  const auto document = vernier::parse_json(spec.dump(), std::string(source));
  return vernier::parse_spec(vernier::ObjectReader(document, std::string(source), ""))->spec();
}

void understand(const vernier::JsonValue& spec) {
  const auto encoding = vernier::parse_spec(vernier::ObjectReader(spec, std::string(source), ""));
  (void)encoding->summary();
  const auto whole = encoding->spec();
  if (read_again(whole) != whole) {
    std::cerr << "read again it is another: " << whole << '\n';
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto document =
        vernier::parse_json({reinterpret_cast<const char*>(data), size}, std::string(source));
    if (!vernier::is_config(document)) {
      understand(document);
      return 0;
    }
    for (const auto& group : vernier::understand_config(document, std::string(source)).groups) {
      understand(group.spec);
    }
  } catch (const vernier::InputError&) {
  }
  return 0;
}
