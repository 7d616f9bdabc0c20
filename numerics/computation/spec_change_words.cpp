// What a change of the spec is called, and what it takes to say.

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/computation/spec_changes.hpp"
#include "numerics/computation/spec_patch.hpp"

namespace vernier {

/// key_kinds.json as it stands.
std::string key_kinds_text();

namespace {

/// What a key is a matter of: a kind of fault that has a name of its own. The rows are those of
/// key_kinds.json, the first that fits is meant.
struct KeyKind {
  std::string key;     ///< the last part of its path, or its first with a slash behind
  std::string kind;    ///< of fault
  std::string value;   ///< that it has before or behind; empty: any
  std::string scheme;  ///< empty: any
};

const std::vector<KeyKind>& key_kinds() {
  static const auto all = [] {
    std::vector<KeyKind> kinds;
    for (const auto& row : OrderedJson::parse(key_kinds_text())) {
      kinds.push_back({row.at("key"), row.at("kind"), row.value("value", ""), row.value("scheme", "")});
    }
    return kinds;
  }();
  return all;
}

std::string_view last_part(std::string_view pointer) {
  return pointer.substr(pointer.rfind('/') + 1);
}

/// What became of a list.
struct ListChange {
  std::string words;      ///< of its key
  std::string_view kind;  ///< of a list that has a row of frequencies for each axis
};

OrderedJson negated(const OrderedJson& number) {
  if (number.is_array()) {
    auto list = OrderedJson::array();
    std::ranges::transform(number, std::back_inserter(list), negated);
    return list;
  }
  if (number.is_string()) {
    const auto text = number.get<std::string>();
    return text.starts_with('-') ? text.substr(1) : "-" + text;
  }
  if (number == 0) {
    return number;
  }
  return number.is_number_integer() ? OrderedJson(-number.get<std::int64_t>())
                                    : OrderedJson(-number.get<double>());
}

/// Nothing where it is none of the few that have words.
std::optional<ListChange> list_change(const OrderedJson& had, const OrderedJson& has, std::string_view key) {
  if (!had.is_array() || !has.is_array() || had.size() != has.size()) {
    return std::nullopt;
  }
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < had.size(); ++i) {
    if (had[i] != has[i]) {
      others.push_back(i);
    }
  }
  const bool is_of_axes = key == "frequencies" || key == "block_order";
  if (others.size() == 2 && had[others[0]] == has[others[1]] && had[others[1]] == has[others[0]]) {
    const auto exchanged = fmt::format("{} and {}", others[0], others[1]);
    return ListChange{is_of_axes ? fmt::format("axes {} are exchanged", exchanged)
                                 : fmt::format("entries {} of {} are exchanged", exchanged, key),
                      "mapping/axes"};
  }
  if (has == negated(had)) {
    return ListChange{fmt::format("{} are negated", key), "direction/sign"};
  }
  if (others.size() == 1 && has[others[0]] == negated(had[others[0]])) {
    return ListChange{is_of_axes ? fmt::format("{} of axis {} are negated", key, others[0])
                                 : fmt::format("entry {} of {} is negated", others[0], key),
                      "position/reversed"};
  }
  if (std::equal(had.begin(), had.end(), has.rbegin())) {
    return ListChange{fmt::format("{} are in reverse order", key), "mapping/axes"};
  }
  return std::nullopt;
}

/// Of a change of one such key; else that the spec is another.
std::string_view kind_of_change(const OrderedJson& before, const std::vector<OrderedJson>& told) {
  std::set<std::string_view> kinds;
  for (const auto& change : told) {
    const auto path = change.at("path").get<std::string>();
    if (path == "/frequencies" && change.contains("value")) {
      const auto of_list =
          list_change(before.value("frequencies", OrderedJson()), change.at("value"), "frequencies");
      kinds.insert(of_list ? of_list->kind : "spec/key");
      continue;
    }
    if (path == "/sequence_length" && before.contains("/rope_scaling/long_factor"_json_pointer)) {
      kinds.insert("frequency/other-list");
      continue;
    }
    const auto one = std::ranges::find_if(key_kinds(), [&](const KeyKind& kind) {
      const bool is_key = kind.key == last_part(path) ||
                          (kind.key.ends_with('/') && std::string_view(path).substr(1).starts_with(kind.key));
      const OrderedJson::json_pointer pointer(path);
      return is_key && (kind.scheme.empty() || kind.scheme == before.value("scheme", "")) &&
             (kind.value.empty() || change.value("value", OrderedJson()) == kind.value ||
              (before.contains(pointer) && before.at(pointer) == kind.value));
    });
    kinds.insert(one == key_kinds().end() ? std::string_view("spec/key") : one->kind);
  }
  return kinds.size() == 1 ? *kinds.begin() : "spec/key";
}

/// "axes.0.dims"; of those of all axes "axes[*].dims"
std::string key_words(const OrderedJson& told) {
  const auto pointer = told.at("path").get<std::string>();
  auto words = pointer.substr(1);
  std::ranges::replace(words, '/', '.');
  if (told.contains("of_all")) {
    const auto item = object_of(pointer).size() - 1;
    const auto list = object_of(object_of(pointer)).size() - 1;
    words.replace(list, item - list, "[*]");
  }
  return words;
}

/// Of an object its choice, which all else in it goes with.
std::string value_words(const OrderedJson& value) {
  constexpr std::size_t longest = 40;
  const auto choice = std::ranges::find_if(value, [](const OrderedJson& one) { return one.is_string(); });
  if (value.is_object() && choice != value.end()) {
    return choice->get<std::string>();
  }
  auto words = value.is_string() ? value.get<std::string>() : value.dump();
  return words.size() <= longest ? words : words.substr(0, longest - 3) + "...";
}

/// Appends what takes one spec to another, key by key: a list of numbers is one value, of objects each has
/// its keys.
void append_changes(const OrderedJson& before, const OrderedJson& after, const std::string& path,
                    OrderedJson& patch) {
  const auto has_objects = [](const OrderedJson& list) {
    return list.is_array() && !list.empty() && list.front().is_object();
  };
  if (before.is_object() && after.is_object()) {
    for (const auto& [key, value] : before.items()) {
      const auto of_key = path.empty() ? key : path + "/" + key;
      if (after.contains(key)) {
        append_changes(value, after.at(key), of_key, patch);
      } else {
        patch.push_back(removal(of_key).front());
      }
    }
    for (const auto& [key, value] : after.items()) {
      if (!before.contains(key)) {
        patch.push_back(replacement(path.empty() ? key : path + "/" + key, value).front());
      }
    }
  } else if (has_objects(before) && has_objects(after) && before.size() == after.size()) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      append_changes(before[i], after[i], fmt::format("{}/{}", path, i), patch);
    }
  } else if (before != after) {
    patch.push_back(replacement(path, after).front());
  }
}

/// The changes of a patch that are told: keys that come and go with the value of one beside them are not, and
/// what several objects get alike is told once.
std::vector<OrderedJson> told_changes(const OrderedJson& before, const OrderedJson& patch) {
  const auto is_replaced = [&](const OrderedJson& change) {
    return change.at("op") == "add" &&
           before.contains(OrderedJson::json_pointer(change.at("path").get<std::string>()));
  };
  std::set<std::string> replaced;
  for (const auto& change : patch) {
    if (is_replaced(change)) {
      replaced.insert(std::string(object_of(change.at("path").get_ref<const std::string&>())));
    }
  }
  std::vector<OrderedJson> told;
  for (const auto& change : patch) {
    const auto path = change.at("path").get<std::string>();
    const bool is_needed = !is_replaced(change) && replaced.contains(std::string(object_of(path)));
    const auto alike = std::ranges::find_if(told, [&](const OrderedJson& one) {
      const auto other = one.at("path").get<std::string>();
      return one.value("value", OrderedJson()) == change.value("value", OrderedJson()) &&
             last_part(other) == last_part(path) &&
             object_of(object_of(other)) == object_of(object_of(path)) && object_of(other) != object_of(path);
    });
    if (alike != told.end()) {
      (*alike)["of_all"] = true;
    } else if (!is_needed) {
      told.push_back(change);
    }
  }
  return told;
}

/// Of another length of sequence, which takes LongRoPE's other list: any such length does. Else empty.
std::string other_list_words(const OrderedJson& before, const OrderedJson& told) {
  if (told.at("path") != "/sequence_length" || !before.contains("/rope_scaling/long_factor"_json_pointer)) {
    return {};
  }
  const auto original = before.value("/rope_scaling/original_max_position_embeddings"_json_pointer, 0.0);
  const auto longest = before.value("max_position_embeddings", 0.0);
  const auto had = before.value("sequence_length", longest);
  const bool is_long = told.value("value", longest) > original;
  return is_long == (had > original)
             ? std::string()
             : fmt::format("the {} factors are used, not the {} ones of {} {}", is_long ? "long" : "short",
                           is_long ? "short" : "long",
                           before.contains("sequence_length") ? "sequence_length" : "max_position_embeddings",
                           had);
}

/// "mode is bicubic, not bilinear, and antialias is left out"
std::string words_of(const OrderedJson& before, const std::vector<OrderedJson>& told) {
  std::string text;
  for (const auto& change : told) {
    const auto path = change.at("path").get<std::string>();
    const auto key = key_words(change);
    const OrderedJson::json_pointer pointer(path);
    const auto had = before.contains(pointer) ? value_words(before.at(pointer)) : std::string();
    if (!text.empty()) {
      text += ", and ";
    }
    if (const auto other_list = other_list_words(before, change); !other_list.empty()) {
      text += other_list;
    } else if (const auto of_list = change.contains("value") && before.contains(pointer)
                                        ? list_change(before.at(pointer), change.at("value"), key)
                                        : std::nullopt) {
      text += of_list->words;
    } else if (change.at("op") == "remove") {
      text += before.at(pointer).is_object() ? fmt::format("{} is left out", key)
                                             : fmt::format("{} ({}) is left out", key, had);
    } else {
      const auto has = value_words(change.at("value"));
      text += had.empty() ? fmt::format("{} is {}, where the spec has none", key, has)
                          : fmt::format("{} is {}, not {}", key, has, had);
    }
  }
  return text;
}

/// Of all numbers in a value.
double numbers_bits(const OrderedJson& value) {
  if (value.is_structured()) {
    return std::accumulate(value.begin(), value.end(), 0.0,
                           [](double sum, const OrderedJson& one) { return sum + numbers_bits(one); });
  }
  return value.is_number() ? number_bits(value.get<double>()) : 0;
}

double bits_of(const OrderedJson& before, const OrderedJson& patch, const std::vector<OrderedJson>& told,
               ChangedValue kind) {
  constexpr double choice_bits = flag_bits + 0.25;  // an edit that has words of its own is told instead
  constexpr double further_change_bits = 2;
  constexpr double needed_change_bits = 0.5;
  constexpr double new_key_bits = 4;
  constexpr double listed_number_bits = variant_bits + 0.5;
  double bits = needed_change_bits * static_cast<double>(patch.size() - told.size());
  for (const auto& change : patch) {
    const bool is_fitted = kind == ChangedValue::any && change.at("op") == "add" &&
                           !before.contains(OrderedJson::json_pointer(change.at("path").get<std::string>()));
    bits += is_fitted ? numbers_bits(change.at("value")) : 0;
  }
  for (const auto& change : told) {
    const auto value = change.value("value", OrderedJson());
    const OrderedJson::json_pointer pointer(change.at("path").get<std::string>());
    bits += &change == &told.front() ? 0 : further_change_bits;
    bits += before.contains(pointer) ? 0 : new_key_bits;
    const double digits = value.is_number() ? number_bits(value.get<double>()) : 0;
    bits += kind == ChangedValue::choice    ? choice_bits
            : kind == ChangedValue::variant ? variant_bits
            : !value.is_number()            ? variant_bits + 1
            : kind == ChangedValue::listed  ? listed_number_bits + 0.15 * digits
                                            : flag_bits + digits;
  }
  return bits;
}

}  // namespace

OrderedJson patch_between(const OrderedJson& before, const OrderedJson& after) {
  auto patch = OrderedJson::array();
  append_changes(before, after, "", patch);
  return patch;
}

SpecChange change_between(const Encoding& declared, std::shared_ptr<const Encoding> other,
                          ChangedValue value) {
  const auto& before = declared.spec();
  auto patch = patch_between(before, other->spec());
  const auto told = told_changes(before, patch);
  const auto& kind = fault_kind(kind_of_change(before, told));
  const bool is_choice = value == ChangedValue::choice || value == ChangedValue::variant;
  const double bits = bits_of(before, patch, told, value);
  return {{&kind, words_of(before, told), std::move(patch)}, bits, std::move(other), is_choice};
}

void tell_held_defaults(const Encoding& declared, SpecChange& change) {
  constexpr double held_default_bits = 6;  // a further change, of a key that the spec need not have
  const auto& after = change.encoding->spec();
  const auto is_default = [](const OrderedJson& spec, const std::string& key) {
    const auto without = encoding_of(patched_spec(spec, removal(key)));
    return without != nullptr && without->spec() == spec;
  };
  for (const auto& [key, value] : declared.spec().items()) {
    if (change.is_choice && !value.is_structured() && after.value(key, OrderedJson()) == value &&
        is_default(declared.spec(), key) && !is_default(after, key)) {
      change.finding.sentence += fmt::format(", and {} stays {}", key, value_words(value));
      change.finding.edit.push_back(replacement(key, value).front());
      change.bits += held_default_bits;
    }
  }
}

}  // namespace vernier
