#include "numerics/diagnosis/spec_patch.hpp"

#include <cmath>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {

OrderedJson replacement(std::string_view path, OrderedJson value) {
  // "add" replaces a member that is there, and adds one that is not.
  return OrderedJson::array(
      {{{"op", "add"}, {"path", fmt::format("/{}", path)}, {"value", std::move(value)}}});
}

OrderedJson removal(std::string_view path) {
  return OrderedJson::array({{{"op", "remove"}, {"path", fmt::format("/{}", path)}}});
}

OrderedJson json_number(double value) {
  return value == std::rint(value) && std::fabs(value) < 1e15 ? OrderedJson(static_cast<std::int64_t>(value))
                                                              : OrderedJson(value);
}

std::unique_ptr<Encoding> patched(const Encoding& encoding, const OrderedJson& patch) {
  try {
    return parse_spec(encoding.spec().patch(patch).dump(), "edited spec");
  } catch (const InputError&) {
    return nullptr;
  } catch (const OrderedJson::exception&) {
    return nullptr;  // a key that the spec does not have
  }
}

}  // namespace vernier
