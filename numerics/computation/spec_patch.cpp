#include "numerics/computation/spec_patch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "reference/keys/value_draw.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_list.hpp"
#include "reference/support/input_error.hpp"

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

std::unique_ptr<Encoding> encoding_of(const OrderedJson& spec) {
  try {
    return parse_spec(spec.dump(), "edited spec");
  } catch (const InputError&) {
    return nullptr;
  }
}

OrderedJson patched_spec(const OrderedJson& spec, const OrderedJson& patch) {
  try {
    return spec.patch(patch);
  } catch (const OrderedJson::exception&) {
    return nullptr;  // a key that the spec does not have
  }
}

std::unique_ptr<Encoding> patched(const Encoding& encoding, const OrderedJson& patch) {
  return encoding_of(patched_spec(encoding.spec(), patch));
}

std::string pointer_of(std::string path) {
  std::erase(path, ']');
  std::ranges::replace(path, '.', '/');
  std::ranges::replace(path, '[', '/');
  return path;
}

std::string_view object_of(std::string_view path) {
  const auto last = path.rfind('/');
  return last == std::string_view::npos ? std::string_view() : path.substr(0, last);
}

OrderedJson SpecNumber::replaced(double other) const {
  const auto number = json_number(is_whole ? std::round(other) : other);
  return replacement(path, listed > 0 ? OrderedJson(std::vector(listed, number)) : number);
}

std::vector<SpecNumber> numbers_of(const Encoding& encoding) {
  std::vector<SpecNumber> result;
  for (const auto& key : keys_of(encoding)) {
    if (!key.domain) {
      continue;
    }
    const auto& value = key.is_there() ? key.value : key.usual;
    const auto* list = std::get_if<std::vector<Rational>>(&value);
    const bool is_of_one = list != nullptr && !list->empty() &&
                           std::ranges::all_of(*list, [&](const Rational& x) { return x == list->front(); });
    auto number = is_of_one ? std::optional(list->front()) : number_of(value);
    if (!key.is_there() && !number && key.domain->kind == KeyDomain::Kind::integer &&
        key.domain->range.contains(0)) {
      number = 0;
    }
    if (number) {
      result.push_back({pointer_of(key.path), approximately(*number), key.is_there(),
                        key.domain->kind == KeyDomain::Kind::integer || is_of_one, key.unit == "positions",
                        is_of_one ? list->size() : 0});
    }
  }
  return result;
}

}  // namespace vernier
