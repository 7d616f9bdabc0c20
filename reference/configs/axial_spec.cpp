// The quantities of encodings over several axes, as diffusers' configurations have them.

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include <fmt/core.h>

#include "reference/configs/config_reader.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/keys/parameters.hpp"

namespace vernier {
namespace {

/// In the rules of a family: what part of a head each axis has, where the configuration does not list it.
constexpr std::string_view shares_key = "axes_shares";
/// In the rules of a family whose vectors turn before they are shared among heads: what each axis has beside
/// its width.
constexpr std::string_view each_axis_key = "each_axis";
/// In the rules of a family whose positions are the centres of patches, from -1 to 1 over an image.
constexpr std::string_view centred_key = "centred";
/// The one among the shares that has what the others leave.
constexpr std::string_view the_rest = "rest";

/// The members that a family's spec has as they stand.
void add_fixed_members(const JsonValue::Object& rules, JsonValue::Object& spec) {
  std::ranges::copy_if(rules, std::back_inserter(spec), [](const auto& member) {
    return member.first != shares_key && member.first != each_axis_key && member.first != centred_key;
  });
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
  for (const auto& element : config.array(found, expected)) {
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
  const auto& scales = config.array(*found, expected);
  config.refuse_if(scales.size() != axes.size(), *found, expected);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (config.number({fmt::format("{}[{}]", found->path, axis), scales[axis]}) != 1) {
      std::get<JsonValue::Object>(axes[axis].value())
          .emplace_back("rope_scaling",
                        JsonValue(JsonValue::Object{{"rope_type", JsonValue(std::string("ntk"))},
                                                    {"alpha", scales[axis]}}));
    }
  }
}

/// A size along an axis: a number for all axes, or one each.
std::int64_t size_along(QuantityReader& reader, std::string_view quantity, std::size_t axis,
                        std::int64_t least) {
  auto found = reader.required(quantity, "an integer, or one for each axis");
  const auto* sizes = std::get_if<JsonValue::Array>(&found.value.value());
  if (sizes != nullptr && axis < sizes->size()) {
    found = {fmt::format("{}[{}]", found.path, axis), JsonValue((*sizes)[axis])};
  }
  return reader.config().integer(found, least, std::int64_t{1} << 30);
}

/// Positions 2 (i + 1/2)/N - 1 of N patches along each axis.
void add_centres(QuantityReader& reader, JsonValue::Array& axes, JsonValue::Object& spec) {
  JsonValue::Array grid;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto patch = size_along(reader, "patch_size", axis, 1);
    const auto count = size_along(reader, "image_size", axis, patch) / patch;
    auto& members = std::get<JsonValue::Object>(axes[axis].value());
    members.emplace_back("position_scale", JsonValue(to_string(Rational(2, count))));
    members.emplace_back("position_offset", JsonValue(to_string(Rational(1, count) - 1)));
    if (axis != 0) {
      grid.push_back(integer_value(count));
    }
  }
  spec.emplace_back("grid", JsonValue(std::move(grid)));
}

/// Of a vision encoder that turns patches by row and column: an image is image_size wide.
JsonValue spec_of_patches(QuantityReader& reader) {
  const auto patch = reader.integer("patch_size", 1, largest_dimension);
  const auto width = reader.integer("image_size", patch, std::int64_t{1} << 30) / patch;
  JsonValue::Object spec{{"scheme", JsonValue(std::string("axial_rope"))},
                         {"head_dim", integer_value(read_head_dim(reader))},
                         {"rope_theta", reader.required("rope_theta", "the base of the frequencies").value},
                         {"grid_width", integer_value(width)}};
  add_fixed_members(reader.rules().spec, spec);
  return JsonValue(std::move(spec));
}

}  // namespace

JsonValue sinusoidal_axes_spec(QuantityReader& reader) {
  const auto& rules = reader.rules().spec;
  const auto patch =
      reader.names_of("patch_size").empty() ? 1 : reader.integer("patch_size", 1, largest_dimension);
  const auto dims = shared_out(*member_of(rules, shares_key), model_width(reader));
  JsonValue::Array grid;
  JsonValue::Array axes;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const bool is_time = axis + 3 == dims.size();
    const auto divisor = reader.value(is_time ? "time_interpolation" : "interpolation");
    const Rational number = divisor ? reader.config().number(*divisor) : Rational(1);
    if (number <= 0) {
      reader.config().refuse(*divisor, "a number above 0, which positions are divided by");
    }
    axes.emplace_back(JsonValue::Object{{"dims", integer_value(dims[axis])},
                                        {"position_scale", JsonValue(to_string(Rational(1 / number)))}});
    if (axis != 0) {
      const auto* side = axis + 1 == dims.size() ? "table_width" : "table_height";
      grid.push_back(integer_value(reader.integer(side, patch, std::int64_t{1} << 30) / patch));
    }
  }
  JsonValue::Object spec{{"scheme", JsonValue(std::string("sinusoidal"))},
                         {"axes", JsonValue(std::move(axes))},
                         {"grid", JsonValue(std::move(grid))}};
  add_fixed_members(rules, spec);
  return JsonValue(std::move(spec));
}

JsonValue axial_rope_spec(QuantityReader& reader) {
  const auto& rules = reader.rules().spec;
  if (member_of(rules, "reading") != nullptr) {
    return spec_of_patches(reader);
  }
  const auto* shares = member_of(rules, shares_key);
  const auto& defaults = reader.rules().defaults;
  const bool has_head = shares != nullptr || reader.stated("head_dim") ||
                        member_of(defaults, "head_dim") != nullptr ||
                        member_of(defaults, "hidden_size") != nullptr;
  const auto* each_axis = member_of(rules, each_axis_key);
  auto head_dim = each_axis != nullptr ? model_width(reader) : has_head ? read_head_dim(reader) : 0;
  const auto dims = shares != nullptr ? shared_out(*shares, head_dim) : listed(reader);
  if (!has_head) {
    head_dim = std::accumulate(dims.begin(), dims.end(), std::int64_t{0});
  }
  JsonValue::Object spec{{"scheme", JsonValue(std::string("axial_rope"))},
                         {"head_dim", integer_value(head_dim)}};
  if (each_axis != nullptr) {
    spec.emplace_back("identity_front",
                      integer_value(std::accumulate(dims.begin(), dims.end(), head_dim, std::minus())));
  } else if (member_of(rules, "rope_theta") == nullptr) {
    spec.emplace_back("rope_theta", reader.required("rope_theta", "the base of the frequencies").value);
  }
  JsonValue::Array axes;
  for (const auto width : dims) {
    auto axis = each_axis == nullptr ? JsonValue::Object() : std::get<JsonValue::Object>(each_axis->value());
    axis.emplace(axis.begin(), "dims", integer_value(width));
    axes.emplace_back(std::move(axis));
  }
  add_scales(reader, axes);
  if (member_of(rules, centred_key) != nullptr) {
    add_centres(reader, axes, spec);
  }
  spec.emplace_back("axes", JsonValue(std::move(axes)));
  add_fixed_members(rules, spec);
  return JsonValue(std::move(spec));
}

}  // namespace vernier
