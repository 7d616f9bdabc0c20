#include "reports/measures/rates/specs.hpp"

#include <algorithm>

#include "reports/measures/rates/faults/names.hpp"

namespace vernier {

/// specs.json as it stands.
std::string drawn_specs_text();

}  // namespace vernier

namespace vernier::rates {
namespace {

const OrderedJson& drawable_specs() {
  static const auto all = OrderedJson::parse(drawn_specs_text());
  return all;
}

/// The member of an object, null where it has none.
const OrderedJson& member(const OrderedJson& object, std::string_view key) {
  static const OrderedJson none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

/// What specs.json lets be drawn. A value is itself, or a formula ("=2 * pairs"), text with numbers in it,
/// one of several that a formula chooses, one under a condition, or a list of as many as a formula says, each
/// with its index k. An object is what its keys have, and `$name` a number that formulas after it know, as
/// they know those of keys; `steps` are objects one after another.
class SpecMaker {
 public:
  SpecMaker(Draw& draw, const Size& size) : names_(draw) {
    for (const auto& [name, formula] : drawable_specs()["formulas"].items()) {
      names_.define_formula(name, formula);
    }
    const auto widest = std::max<std::int64_t>(8, size.elements / size.length) / 2 * 2;
    names_.define("length", static_cast<double>(size.length));
    names_.define("widest", static_cast<double>(widest));
  }

  /// Null where a condition does not hold.
  OrderedJson made(const OrderedJson& value) {
    if (value.is_string()) {
      const auto& text = value.get_ref<const std::string&>();
      return text.starts_with('=') ? number_json(names_.value(text.substr(1))) : value;
    }
    if (value.is_array()) {
      return list(value.size(), {}, [&](std::size_t k) -> const OrderedJson& { return value[k]; });
    }
    if (!value.is_object()) {
      return value;
    }
    if (value.contains("choose")) {
      return made(value["of"][static_cast<std::size_t>(names_.value(value["choose"]))]);
    }
    if (value.contains("if")) {
      return made(member(value, names_.holds(value["if"]) ? "then" : "else"));
    }
    if (value.contains("times")) {
      const auto count = static_cast<std::size_t>(names_.value(value["times"]));
      return list(count, member(value, "with"),
                  [&](std::size_t) -> const OrderedJson& { return value["each"]; });
    }
    if (value.contains("text")) {
      return names_.words(value["text"]);
    }
    return object(value);
  }

 private:
  /// \param with numbers that each defines anew
  template <class Each>
  OrderedJson list(std::size_t count, const OrderedJson& with, Each each) {
    auto result = OrderedJson::array();
    for (std::size_t k = 0; k < count; ++k) {
      names_.define("k", static_cast<double>(k));
      for (const auto& [name, formula] : with.items()) {
        names_.define(name, names_.value(formula));
      }
      result.push_back(made(each(k)));
    }
    return result;
  }

  OrderedJson object(const OrderedJson& keys) {
    auto result = OrderedJson::object();
    for (const auto& step : member(keys, "steps")) {
      if (const auto some = made(step); some.is_object()) {
        result.update(some);
      }
    }
    for (const auto& [key, value] : keys.items()) {
      if (key.starts_with('$')) {
        names_.define(key.substr(1), names_.value(value));
      } else if (const auto one = key == "steps" ? OrderedJson() : made(value); !one.is_null()) {
        result[key] = one;
        if (one.is_number()) {
          names_.define(key, one.get<double>());
        }
      }
    }
    return result;
  }

  FaultNames names_;
};

}  // namespace

bool is_of(const OrderedJson& spec, std::string_view wanted) {
  const auto scheme = spec["scheme"].get<std::string>();
  const auto scaling = spec.value("rope_scaling", OrderedJson::object());
  const bool has_axes = scheme == "axial_rope" || scaling.contains("mrope_section");
  if (wanted == "axes") {
    return has_axes;
  }
  if (wanted == "scaling") {
    return spec.contains("rope_scaling") && !has_axes;
  }
  if (wanted == "partial") {
    return spec.contains("partial_rotary_factor");
  }
  return scheme.ends_with(wanted) || scaling.value("rope_type", std::string()).starts_with(wanted);
}

OrderedJson draw_spec(Draw& draw, const Size& size) {
  return SpecMaker(draw, size).made(drawable_specs()["specs"]);
}

}  // namespace vernier::rates
