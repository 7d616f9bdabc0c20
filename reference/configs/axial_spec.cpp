// The quantities of a rotary encoding over several axes, as diffusers' configurations have them.

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "reference/configs/json_tree.hpp"
#include "reference/configs/spec_builders.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

/// In the rules of a family: what part of a head each axis has, where the configuration does not list it.
constexpr std::string_view shares_key = "axes_shares";
/// The one among the shares that has what the others leave.
constexpr std::string_view the_rest = "rest";

const JsonValue::Array& elements(ConfigReader& config, const ConfigValue& value, std::string_view expected) {
  const auto* array = std::get_if<JsonValue::Array>(&value.value.value());
  if (array == nullptr) {
    config.refuse(value, expected);
  }
  return *array;
}

/// Shares of the pairs of a head, rounded down to whole pairs.
std::vector<std::int64_t> shared_out(const JsonValue& shares, std::int64_t head_dim) {
  std::vector<std::int64_t> dims;
  for (const auto& share : std::get<JsonValue::Array>(shares.value())) {
    const auto& text = std::get<std::string>(share.value());
    const Rational pairs = text == the_rest ? Rational(0) : Rational(head_dim) / 2 * *parse_quotient(text);
    dims.push_back(2 * *as_integer(Rational(numerator(pairs) / denominator(pairs))));
  }
  const auto rest = std::ranges::find(dims, 0);
  if (rest != dims.end()) {
    *rest = head_dim - std::accumulate(dims.begin(), dims.end(), std::int64_t{0});
  }
  return dims;
}

std::vector<std::int64_t> listed(QuantityReader& reader) {
  auto& config = reader.config();
  const std::string expected = "an array with the width of each axis";
  const auto found = reader.required("axes_dims", expected);
  std::vector<std::int64_t> dims;
  for (const auto& element : elements(config, found, expected)) {
    dims.push_back(
        config.integer({fmt::format("{}[{}]", found.path, dims.size()), element}, 2, largest_dimension));
  }
  return dims;
}

/// Cosmos stretches the base of each axis by a factor of its own.
void add_scales(QuantityReader& reader, JsonValue::Array& axes) {
  auto& config = reader.config();
  const auto found = reader.value("rope_scale");
  if (!found) {
    return;
  }
  const auto expected = fmt::format("an array of {} numbers, one an axis", axes.size());
  const auto& scales = elements(config, *found, expected);
  if (scales.size() != axes.size()) {
    config.refuse(*found, expected);
  }
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (config.number({fmt::format("{}[{}]", found->path, axis), scales[axis]}) != 1) {
      std::get<JsonValue::Object>(axes[axis].value())
          .emplace_back("rope_scaling",
                        JsonValue(JsonValue::Object{{"rope_type", JsonValue(std::string("ntk"))},
                                                    {"alpha", scales[axis]}}));
    }
  }
}

}  // namespace

JsonValue axial_rope_spec(QuantityReader& reader) {
  const auto& rules = reader.rules().spec;
  const auto* shares = member_of(rules, shares_key);
  const auto& defaults = reader.rules().defaults;
  const bool has_head = reader.stated("head_dim") || member_of(defaults, "head_dim") != nullptr ||
                        member_of(defaults, "hidden_size") != nullptr;
  auto head_dim = has_head ? read_head_dim(reader) : 0;
  const auto dims = shares != nullptr ? shared_out(*shares, head_dim) : listed(reader);
  if (!has_head) {
    head_dim = std::accumulate(dims.begin(), dims.end(), std::int64_t{0});
  }
  JsonValue::Object spec{{"scheme", JsonValue(std::string("axial_rope"))},
                         {"head_dim", integer_value(head_dim)}};
  if (member_of(rules, "rope_theta") == nullptr) {
    spec.emplace_back("rope_theta", reader.required("rope_theta", "the base of the frequencies").value);
  }
  JsonValue::Array axes;
  for (const auto each : dims) {
    axes.emplace_back(JsonValue::Object{{"dims", integer_value(each)}});
  }
  add_scales(reader, axes);
  spec.emplace_back("axes", JsonValue(std::move(axes)));
  for (const auto& [key, value] : rules) {
    if (key != shares_key) {
      spec.emplace_back(key, value);
    }
  }
  return JsonValue(std::move(spec));
}

}  // namespace vernier
