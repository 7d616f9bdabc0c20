#include "reference/specs/key_document.hpp"

#include <fmt/core.h>

#include "reference/keys/key_writer.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_list.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

bool is_required(const SchemeKey& one) {
  return one.key.presence == KeyVisitor::Presence::required && !one.depends_otherwise;
}

bool is_list_of_objects(const SchemeKey& one) {
  return std::holds_alternative<std::int64_t>(one.key.usual);
}

std::string code(std::string_view text) {
  return fmt::format("`{}`", text);
}

std::string element_text(const SchemeKey& one) {
  const auto& range = one.key.domain->range;
  return one.domain_varies && range.grid == NumberRange::Grid::integers
             ? fmt::format("an integer of at least {}", to_string(range.least))
             : range.words;
}

std::string values_text(const SchemeKey& one) {
  if (!one.key.domain) {
    return is_list_of_objects(one) ? "a list of objects" : "an object";
  }
  switch (one.key.domain->kind) {
    case KeyDomain::Kind::boolean:
      return "`true` or `false`";
    case KeyDomain::Kind::choice:
      return joined(one.key.domain->choices, code, " or ");
    case KeyDomain::Kind::integer:
    case KeyDomain::Kind::number:
    case KeyDomain::Kind::constant:
      return element_text(one);
    case KeyDomain::Kind::numbers:
      return "a list; each is " + element_text(one);
    case KeyDomain::Kind::rows:
    case KeyDomain::Kind::heads:
      return "rows of numbers; each is " + element_text(one);
  }
  return {};
}

std::string usual_text(const SchemeKey& one) {
  if (is_required(one)) {
    return "required";
  }
  if (one.usual_varies) {
    return "depends on other keys";
  }
  const auto usual = one.key.domain ? json_of(one.key.usual, *one.key.domain) : OrderedJson();
  return usual.empty() || one.key.presence == KeyVisitor::Presence::required
             ? "none"
             : code(usual.is_string() ? usual.get<std::string>() : usual.dump());
}

std::string condition_text(const KeyCondition& condition) {
  const auto named = [](const std::string& value) {
    return value == "given" || value == "missing" ? value : code(value);
  };
  return fmt::format("{} is {}", code(condition.path), joined(condition.values, named, " or "));
}

/// What a table says of a key.
struct KeyTableRow {
  explicit KeyTableRow(const SchemeKey& one)
      : path(code(one.key.path)),
        meaning(one.key.meaning),
        values(values_text(one) + (one.key.unit.empty() ? "" : ", in " + one.key.unit)),
        usual(usual_text(one)),
        conditions(joined(one.conditions, condition_text, " and ")) {}

  std::string path, meaning, values, usual, conditions;
};

std::vector<SchemeKey> keys_with(const std::vector<SchemeKey>& keys, std::string_view marker) {
  return filtered(keys, [&](const SchemeKey& one) { return one.marker == marker; });
}

/// The schema of numbers of a range.
OrderedJson schema_of(const NumberRange& range, bool range_varies, bool may_be_text, bool may_have_pi) {
  OrderedJson number{{"type", range.grid == NumberRange::Grid::integers ? "integer" : "number"}};
  const bool has_signs = range.grid == NumberRange::Grid::signed_magnitude;
  number[range.is_open ? "exclusiveMinimum" : "minimum"] =
      json_number(has_signs ? -range.greatest : range.least);
  if (!range_varies) {
    number["maximum"] = json_number(range.greatest);
  }
  if (!may_be_text) {
    return number;
  }
  const auto* pattern = may_have_pi ? "^[-+0-9.eE/pi]+$" : "^[-+0-9.eE/]+$";
  return {{"anyOf", {std::move(number), {{"type", "string"}, {"pattern", pattern}}}}};
}

OrderedJson schema_of_list(OrderedJson items, const ListCount& count, bool varies) {
  OrderedJson result{{"type", "array"}, {"items", std::move(items)}, {"minItems", count.fewest}};
  if (!varies && count.most != ListCount().most) {
    result["maxItems"] = count.most;
  }
  return result;
}

OrderedJson schema_of(const KeyDomain& domain, bool varies) {
  const auto& range = domain.range;
  switch (domain.kind) {
    case KeyDomain::Kind::integer:
    case KeyDomain::Kind::number:
      return schema_of(range, varies, false, false);
    case KeyDomain::Kind::constant:
      return schema_of(range, varies, true, domain.may_have_pi);
    case KeyDomain::Kind::boolean:
      return {{"type", "boolean"}};
    case KeyDomain::Kind::choice:
      return {{"enum", domain.choices}};
    case KeyDomain::Kind::numbers:
      return schema_of_list(schema_of(range, varies, true, false), domain.count, varies);
    case KeyDomain::Kind::rows:
    case KeyDomain::Kind::heads: {
      auto row = schema_of_list(schema_of(range, varies, true, false), domain.columns, varies);
      if (domain.may_have_heads) {
        row = {{"anyOf", {row, schema_of_list(row, {1}, varies)}}};
      }
      return schema_of_list(std::move(row), domain.count, varies);
    }
  }
  return {};
}

/// The schema of an object of keys. \param prefix of their paths
OrderedJson schema_of_object(const std::vector<SchemeKey>& keys, const std::string& prefix) {
  OrderedJson properties = OrderedJson::object();
  OrderedJson required = OrderedJson::array();
  for (const auto& one : keys) {
    if (!one.key.path.starts_with(prefix) || one.key.path.find('.', prefix.size()) != std::string::npos) {
      continue;
    }
    const auto name = one.key.path.substr(prefix.size());
    OrderedJson schema;
    if (one.key.domain) {
      schema = schema_of(*one.key.domain, one.domain_varies);
    } else if (is_list_of_objects(one)) {
      schema = schema_of_list(schema_of_object(keys, one.key.path + "[]."), {}, true);
    } else {
      schema = schema_of_object(keys, one.key.path + ".");
    }
    if (!is_required(one)) {
      schema = {{"anyOf", {std::move(schema), {{"type", "null"}}}}};
    }
    schema["description"] =
        one.key.meaning + (one.key.unit.empty() ? "" : fmt::format(" ({})", one.key.unit));
    if (!is_required(one) && !one.usual_varies && one.key.domain &&
        !std::holds_alternative<std::monostate>(one.key.usual)) {
      schema["default"] = json_of(one.key.usual, *one.key.domain);
    }
    properties[name] = std::move(schema);
    if (is_required(one) && one.conditions.empty()) {
      required.push_back(name);
    }
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

}  // namespace

std::string keys_text(const Scheme& scheme) {
  auto text = fmt::format("{}: {}\n", scheme.name, scheme.description);
  for (const auto& one : keys_of(scheme)) {
    const KeyTableRow row(one);
    text += fmt::format("\n{} ({}{})\n    {}\n    {}\n", row.path, row.usual,
                        row.conditions.empty() ? "" : "; only if " + row.conditions, row.meaning, row.values);
  }
  std::erase(text, '`');
  return text;
}

std::string keys_table(const Scheme& scheme) {
  std::string text = "| key | meaning | values | default | only if |\n|---|---|---|---|---|\n";
  for (const auto& one : keys_of(scheme)) {
    const KeyTableRow row(one);
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row.path, row.meaning, row.values, row.usual,
                        row.conditions);
  }
  return text;
}

OrderedJson spec_schema() {
  OrderedJson names = OrderedJson::array();
  OrderedJson rules = OrderedJson::array();
  OrderedJson definitions = OrderedJson::object();
  for (const auto& scheme : schemes()) {
    names.push_back(scheme.name);
    const auto keys = keys_of(scheme);
    OrderedJson others = OrderedJson::array();  // the markers of forms before
    for (const auto& form : scheme.forms) {
      const auto name =
          std::string(scheme.name) + (form.marker.empty() ? "" : "_with_" + std::string(form.marker));
      auto definition = schema_of_object(keys_with(keys, form.marker), "");
      definition["properties"]["scheme"] = {{"const", scheme.name}};
      definition["description"] = scheme.description;
      definitions[name] = std::move(definition);
      OrderedJson where{{"properties", {{"scheme", {{"const", scheme.name}}}}}};
      if (!form.marker.empty()) {
        where["required"] = {form.marker};
      }
      if (!others.empty()) {
        where["not"] = {{"anyOf", others}};
      }
      rules.push_back({{"if", std::move(where)}, {"then", {{"$ref", "#/$defs/" + name}}}});
      others.push_back({{"required", {form.marker}}});
    }
  }
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "Vernier spec"},
          {"description", "A positional encoding: a scheme and its keys."},
          {"type", "object"},
          {"properties", {{"scheme", {{"enum", std::move(names)}}}}},
          {"required", {"scheme"}},
          {"allOf", std::move(rules)},
          {"$defs", std::move(definitions)}};
}

}  // namespace vernier
