// The rows of readers.json.

#include <algorithm>

#include "reference/configs/family.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/readers/reader.hpp"

namespace vernier {

std::string readers_text();

namespace {

ReadRule parse_rule(ObjectReader reader, const JsonValue& value, const std::string& why) {
  ReadRule rule{.keys = read_strings(reader, "keys"),
                .of_class = reader.optional_boolean("class").value_or(false),
                .times = reader.optional_string("times").value_or(""),
                .why = reader.optional_string("why").value_or(why)};
  if (const auto* fallback = value_at(value, "default")) {
    rule.fallback = *fallback;
  }
  reader.ignore("default");
  reader.finish();
  return rule;
}

/// \param value the object that `reader` reads
ReaderRules parse_rules(ObjectReader& reader, const JsonValue& value) {
  ReaderRules rules;
  const auto why = reader.optional_string("why").value_or("");
  if (reader.has("object")) {
    rules.object = read_strings(reader, "object");
  }
  rules.entries = reader.optional_boolean("entries");
  if (auto types = reader.optional_object("types")) {
    rules.types.emplace();
    for (const auto& name : types->keys()) {
      (*rules.types)[name] = types->string(name);
    }
  }
  if (auto quantities = reader.optional_object("quantities")) {
    for (const auto& name : quantities->keys()) {
      rules.quantities[name] =
          parse_rule(quantities->object(name), *value_at(value, "quantities." + name), why);
    }
  }
  return rules;
}

ReaderException parse_exception(const JsonValue& value, const std::string& source) {
  ObjectReader reader(value, source, "except");
  ReaderException exception{.model_types = read_strings(reader, "model_types"),
                            .rope_types = read_strings(reader, "rope_types"),
                            .kinds = read_strings(reader, "kinds"),
                            .rules = parse_rules(reader, value)};
  reader.finish();
  return exception;
}

void change(ReaderRules& rules, const ReaderRules& changes) {
  rules.object = changes.object ? changes.object : rules.object;
  rules.entries = changes.entries ? changes.entries : rules.entries;
  rules.types = changes.types ? changes.types : rules.types;
  for (const auto& [name, rule] : changes.quantities) {
    rules.quantities[name] = rule;
  }
}

ReaderRow parse_reader(const JsonValue& value, const std::string& source, std::span<const ReaderRow> known) {
  ObjectReader reader(value, source, "readers");
  ReaderRow row;
  if (const auto like = reader.optional_string("like")) {
    const auto found = std::ranges::find(known, *like, &ReaderRow::name);
    reader.refuse_if(found == known.end(), "like", "the name of a reader above");
    row = {.model_types = found->model_types, .refuses = found->refuses, .rules = found->rules};
    for (const auto& exception : found->exceptions) {
      if (!exception.kinds.empty()) {
        row.exceptions.push_back(exception);
      }
    }
  }
  row.name = reader.string("name");
  row.source = reader.string("source");
  if (auto read_for = reader.optional_object("read_for")) {
    row.model_types = read_strings(*read_for, "model_types");
    row.source += "; " + read_for->string("source");
    read_for->finish();
  }
  row.is_reference = reader.optional_boolean("reference").value_or(false);
  if (reader.has("otherwise")) {
    row.refuses = reader.choice("otherwise", {"refused", "default"}, 0) == 0;
  }
  change(row.rules, parse_rules(reader, value));
  if (reader.has("except")) {
    for (const auto& exception : reader.array("except", "an array of exceptions")) {
      row.exceptions.push_back(parse_exception(exception, source));
    }
  }
  reader.finish();
  return row;
}

bool among(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

}  // namespace

std::vector<ReaderRow> parse_readers(const JsonValue& document, const std::string& source,
                                     std::span<const ReaderRow> known) {
  ObjectReader reader(document, source, "");
  std::vector<ReaderRow> rows(known.begin(), known.end());
  for (const auto& row : reader.array("readers", "an array of readers")) {
    rows.push_back(parse_reader(row, source, rows));
  }
  reader.finish();
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(known.size()));
  return rows;
}

std::span<const ReaderRow> readers() {
  static const auto rows = parse_readers(parse_json(readers_text(), "readers.json"), "readers.json");
  return rows;
}

ReaderRules rules_for(const ReaderRow& reader, std::string_view model_type, std::string_view kind,
                      std::string_view rope_type) {
  auto rules = reader.rules;
  for (const auto& exception : reader.exceptions) {
    if (among(exception.model_types, model_type) && among(exception.kinds, kind) &&
        among(exception.rope_types, rope_type)) {
      change(rules, exception.rules);
    }
  }
  return rules;
}

}  // namespace vernier
