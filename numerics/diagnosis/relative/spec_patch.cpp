#include "numerics/diagnosis/relative/spec_patch.hpp"

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {

OrderedJson replacement(std::string_view key, OrderedJson value) {
  return OrderedJson::array(
      {{{"op", "replace"}, {"path", fmt::format("/{}", key)}, {"value", std::move(value)}}});
}

std::unique_ptr<Encoding> patched(const Encoding& encoding, const OrderedJson& patch) {
  try {
    const auto spec = parse_json(encoding.spec().patch(patch).dump(), "edited spec");
    return parse_spec(ObjectReader(spec, "edited spec", ""));
  } catch (const InputError&) {
    return nullptr;
  }
}

}  // namespace vernier
