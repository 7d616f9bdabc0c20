#include "reference/readers/agreement.hpp"

#include <algorithm>

#include "reference/json/json_tree.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr std::string_view scaling_member = "$.";

/// What a rotation is computed from; the rest of an account is how a reader comes by a width.
bool is_of_rotation(std::string_view quantity) {
  return quantity != "hidden_size" && quantity != "num_attention_heads" &&
         quantity != "max_position_embeddings";
}

bool is_same(const std::optional<ReadQuantity>& one, const std::optional<ReadQuantity>& other) {
  return one.has_value() == other.has_value() && (!one || same_value(one->value, other->value));
}

std::optional<ReadQuantity> copy_of(const ReadQuantity* quantity) {
  return quantity == nullptr ? std::nullopt : std::optional(*quantity);
}

RopeSpec rope_of(const Reading& reading) {
  const auto encoding = parse_spec(ObjectReader(reading.spec, reading.reader, ""));
  return dynamic_cast<const RopeEncoding&>(*encoding).parameters();
}

/// The context is compared for itself: it moves no frequency.
bool has_same_context(const Parting& parting) {
  return std::ranges::none_of(parting.quantities, [](const auto& one) { return one.quantity == "context"; });
}

/// The merge patch that sets the value at a path of keys.
JsonValue patch_at(std::string_view path, const JsonValue& value) {
  const auto dot = path.rfind('.');
  JsonValue patch(JsonValue::Object{{std::string(path.substr(dot + 1)), value}});  // npos + 1 is 0
  return dot == std::string_view::npos ? patch : patch_at(path.substr(0, dot), patch);
}

/// Writes what the reference reads under the keys that one reader looks at.
class EditWriter {
 public:
  EditWriter(const JsonValue& document, JsonValue& patch) : document_(document), patch_(patch) {}

  void write(const ReaderRow& row, const Reading& reading, const Reading& meant) {
    const auto* type = meant.quantity("rope_type");
    const auto* name = type == nullptr ? nullptr : std::get_if<std::string>(&type->value.value());
    const auto rules = rules_for(row, model_type_of(document_), meant.kind, name == nullptr ? "" : *name);
    const auto object = !reading.object.empty() ? reading.object.front()
                        : rules.object->empty()
                            ? ""
                            : key_path(language_model_of(document_), rules.object->front());
    bool needs_object = false;
    for (const auto& quantity : meant.quantities) {
      const auto rule = rules.quantities.find(quantity.quantity);
      if (!is_of_rotation(quantity.quantity) || rule == rules.quantities.end() || rule->second.keys.empty() ||
          !rule->second.times.empty() || is_same(copy_of(reading.quantity(quantity.quantity)), quantity)) {
        continue;
      }
      // A key at the top that the reader prefers, or knows alone; else one of its object.
      const auto& key = rule->second.keys.front();
      if (key.starts_with(scaling_member)) {
        needs_object = true;
      } else {
        patch_ = merged(patch_, patch_at(key_path(language_model_of(document_), key), quantity.value));
      }
    }
    if (needs_object && !object.empty()) {
      write_object(rules, object, meant);
    }
  }

 private:
  /// All that the scaling takes: an object hides what others say.
  void write_object(const ReaderRules& rules, const std::string& object, const Reading& meant) {
    for (const auto& quantity : meant.quantities) {
      const auto rule = rules.quantities.find(quantity.quantity);
      const auto in_object = [](const std::string& key) { return key.starts_with(scaling_member); };
      const bool is_member =
          quantity.quantity == "rope_theta" || quantity.quantity == "rope_type" ||
          (rule != rules.quantities.end() && std::ranges::any_of(rule->second.keys, in_object));
      const auto path =
          member_for(rule == rules.quantities.end() ? ReadRule{} : rule->second, object, quantity.quantity);
      const auto* there = value_at(document_, path);
      if (is_member && quantity.quantity != "context" &&
          (there == nullptr || !same_value(*there, quantity.value))) {
        patch_ = merged(patch_, patch_at(path, quantity.value));
      }
    }
  }

  /// The key of an object under which a reader finds a quantity: one that is there and comes first, else its
  /// name.
  std::string member_for(const ReadRule& rule, const std::string& object, const std::string& quantity) const {
    for (const auto& key : rule.keys) {
      if (key.starts_with(scaling_member)) {
        const auto path = key_path(object, key.substr(scaling_member.size()));
        if (value_at(document_, path) != nullptr) {
          return path;
        }
      }
    }
    return key_path(object, quantity);
  }

  const JsonValue& document_;
  JsonValue& patch_;
};

/// Looks for edits after which fewer readers have something else than what the document says now.
class EditSearch {
 public:
  EditSearch(const JsonValue& document, std::string source, std::span<const ReaderRow> rows)
      : document_(document), source_(std::move(source)), rows_(rows) {
    for (const auto& kind : kinds_with_entries(document)) {
      meant_.push_back(read_as(rows.front(), document, source_, kind));
    }
  }

  /// The readers of an edited document that differ, each once.
  std::vector<std::string> parting(const JsonValue& edited) const {
    std::vector<std::string> names;
    for (const auto& row : rows_.subspan(1)) {
      if (std::ranges::any_of(meant_, [&](const Reading& meant) { return differs(row, edited, meant); })) {
        names.push_back(row.name);
      }
    }
    return names;
  }

  /// Takes the edit further by what some readers look at, if fewer differ then, and none that did not before.
  void extend(AgreeingEdit& edit, const std::vector<std::string>& names) const {
    constexpr int passes = 3;  // an object that is made hides keys, which then go into it
    auto patch = edit.patch;
    for (int pass = 0; pass < passes; ++pass) {
      const auto edited = merged(document_, patch);
      for (const auto& row : rows_.subspan(1)) {
        for (const auto& meant : meant_) {
          if (std::ranges::find(names, row.name) != names.end() && differs(row, edited, meant)) {
            EditWriter(edited, patch).write(row, read_as(row, edited, source_, meant.kind), meant);
          }
        }
      }
    }
    auto remaining = parting(merged(document_, patch));
    const bool harms = std::ranges::any_of(remaining, [&](const std::string& name) {
      return std::ranges::find(edit.remaining, name) == edit.remaining.end();
    });
    if (!harms && remaining.size() < edit.remaining.size()) {
      edit = {std::move(patch), std::move(remaining)};
    }
  }

 private:
  bool differs(const ReaderRow& row, const JsonValue& edited, const Reading& meant) const {
    return parting_of(read_as(row, edited, source_, meant.kind), meant).differs();
  }

  const JsonValue& document_;
  std::string source_;
  std::span<const ReaderRow> rows_;
  std::vector<Reading> meant_;  ///< by kinds of layers
};

std::vector<std::string> kinds_of_both(const JsonValue& first, const JsonValue& second) {
  auto kinds = kinds_with_entries(first);
  for (auto& kind : kinds_with_entries(second)) {
    add_once(kinds, kind);
  }
  if (kinds.size() > 1) {
    std::erase(kinds, "");
  }
  return kinds;
}

}  // namespace

bool Parting::differs() const {
  return is_known() &&
         (reading.error.empty() != compared.error.empty() || !rotation.is_none() || !has_same_context(*this));
}

Parting parting_of(Reading reading, Reading compared) {
  Parting result;
  result.reading = std::move(reading);
  result.compared = std::move(compared);
  if (!result.is_known()) {
    return result;
  }
  auto names = result.compared.quantities;
  names.insert(names.end(), result.reading.quantities.begin(), result.reading.quantities.end());
  for (const auto& one : names) {
    const auto seen = [&one](const auto& other) { return other.quantity == one.quantity; };
    const auto expected = copy_of(result.compared.quantity(one.quantity));
    const auto found = copy_of(result.reading.quantity(one.quantity));
    if (is_of_rotation(one.quantity) && !is_same(expected, found) &&
        std::ranges::none_of(result.quantities, seen)) {
      result.quantities.push_back({one.quantity, expected, found});
    }
  }
  if (result.reading.error.empty() && result.compared.error.empty()) {
    result.rotation = rotation_difference(rope_of(result.compared), rope_of(result.reading));
  }
  return result;
}

std::vector<Parting> partings(const JsonValue& document, const std::string& source,
                              std::span<const ReaderRow> rows) {
  std::vector<Parting> result;
  for (const auto& kind : kinds_with_entries(document)) {
    const auto meant = read_as(rows.front(), document, source, kind);
    for (const auto& row : rows.subspan(1)) {
      result.push_back(parting_of(read_as(row, document, source, kind), meant));
    }
  }
  return result;
}

std::vector<Parting> partings(const JsonValue& first, const std::string& first_source,
                              const JsonValue& second, const std::string& second_source,
                              std::span<const ReaderRow> rows) {
  std::vector<Parting> result;
  for (const auto& kind : kinds_of_both(first, second)) {
    for (const auto& row : rows.subspan(1)) {
      result.push_back(
          parting_of(read_as(row, second, second_source, kind), read_as(row, first, first_source, kind)));
    }
  }
  return result;
}

AgreeingEdit agreeing_edit(const JsonValue& document, const std::string& source,
                           std::span<const ReaderRow> rows) {
  const EditSearch search(document, source, rows);
  AgreeingEdit edit{JsonValue(JsonValue::Object{}), search.parting(document)};
  // One reader after another, for an edit without parts that help nobody; all together, as an object that one
  // needs may hide keys from others.
  for (const auto& name : std::vector(edit.remaining)) {
    search.extend(edit, {name});
  }
  search.extend(edit, std::vector(edit.remaining));
  return edit;
}

JsonValue merged(const JsonValue& document, const JsonValue& patch) {
  const auto* changes = std::get_if<JsonValue::Object>(&patch.value());
  if (changes == nullptr) {
    return patch;
  }
  const auto* before = std::get_if<JsonValue::Object>(&document.value());
  auto result = before == nullptr ? JsonValue::Object() : *before;
  for (const auto& [key, value] : *changes) {
    const auto found = std::ranges::find(result, key, &JsonValue::Object::value_type::first);
    if (value.is_null()) {
      std::erase_if(result, [&name = key](const auto& member) { return member.first == name; });
    } else if (found == result.end()) {
      result.emplace_back(key, merged(JsonValue(), value));
    } else {
      found->second = merged(found->second, value);
    }
  }
  return JsonValue(std::move(result));
}

}  // namespace vernier
