#include "reference/specs/key_list.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "reference/specs/key_draw.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// So many draws without news are the end, as soon as each key was met often enough to tell what it depends
/// on.
constexpr int draws_without_news = 500;
constexpr int enough_rows = 16;
constexpr int most_rows = 500;
constexpr int most_list_draws = 8000;

std::string parent(const std::string& path) {
  const auto dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

/// What conditions say of a key's value.
std::string told_value(const KeyDescription& key) {
  const auto& effective = key.is_there() ? key.value : key.usual;
  if (const auto* choice = std::get_if<std::size_t>(&effective)) {
    return std::string(key.domain->choices[*choice]);
  }
  if (const auto* truth = std::get_if<bool>(&effective); truth != nullptr && key.domain) {
    return *truth ? "true" : "false";
  }
  return key.is_there() ? "given" : "missing";
}

/// The keys of one object of one draw, and of those that it is in: what they have, by generic path.
struct Row {
  std::string scope;
  std::map<std::string, std::string> values;
};

/// Of the objects that are finished.
std::vector<Row> rows_of(const DrawnSpec& drawn) {
  std::map<std::string, Row> rows{{"", {}}};  // by the object's path
  for (const auto& key : drawn.keys) {
    rows[parent(key.path)].values[generic_path(key.path)] = told_value(key);
  }
  std::vector<Row> result;
  for (auto& [path, row] : rows) {
    row.scope = generic_path(path);
    if (!path.empty()) {
      const auto& outer = rows[parent(path)];  // which comes before
      row.values.insert(outer.values.begin(), outer.values.end());
    }
    if (drawn.finished.contains(path)) {
      result.push_back(row);
    }
  }
  return result;
}

/// Finds conditions that tell rows with the key from those without, one after another, each that which tells
/// most; that alone if they do not tell all. \param others the keys that are read before it
void find_conditions(SchemeKey& key, const std::vector<std::string>& others,
                     const std::vector<const Row*>& with, std::vector<const Row*> without) {
  while (!without.empty()) {
    KeyCondition best;
    auto left = without;
    for (const auto& other : others) {
      const auto value = [&](const Row* row) {
        const auto found = row->values.find(other);
        return found == row->values.end() ? std::string("missing") : found->second;
      };
      std::set<std::string> values;
      std::ranges::transform(with, std::inserter(values, values.end()), value);
      auto rest = without;
      std::erase_if(rest, [&](const Row* row) { return !values.contains(value(row)); });
      if (rest.size() < left.size()) {
        left = std::move(rest);
        best = {other, {values.begin(), values.end()}};
      }
    }
    if (best.path.empty()) {
      key.conditions.resize(with.size() < enough_rows ? 0 : std::min<std::size_t>(1, key.conditions.size()));
      key.depends_otherwise = true;
      return;
    }
    key.conditions.push_back(std::move(best));
    without = std::move(left);
  }
}

/// Lists the keys of specs of a form, spec after spec.
class FormKeys {
 public:
  explicit FormKeys(std::string_view marker) : marker_(marker) {}

  void add(const DrawnSpec& drawn) {
    const auto known = seen_.size();
    auto at = keys_.begin();
    for (const auto& key : drawn.keys) {
      const auto path = generic_path(key.path);
      seen_.insert(path + '=' + told_value(key));
      const auto found = std::ranges::find(keys_, path, [](const SchemeKey& one) { return one.key.path; });
      if (found == keys_.end()) {
        at = keys_.insert(at, {key, marker_, {}});
        at->key.path = path;
        at->key.value = {};
      } else {
        merge(*found, key);
        at = found;
      }
      ++at;
    }
    without_news_ = seen_.size() > known ? 0 : without_news_ + 1;
    for (auto& row : rows_of(drawn)) {
      bool is_rare = ++rows_with_[row.scope + ".*"] <= most_rows;
      for (const auto& [path, value] : row.values) {
        is_rare |= parent(path) == row.scope && ++rows_with_[path] <= enough_rows;
      }
      if (is_rare) {
        rows_.push_back(std::move(row));
      }
    }
  }

  bool are_all() const {
    return without_news_ >= draws_without_news && std::ranges::all_of(keys_, [&](const SchemeKey& one) {
             const auto met = rows_with_.find(one.key.path);
             return met != rows_with_.end() && met->second >= enough_rows;
           });
  }

  std::vector<SchemeKey> take() {
    std::vector<std::string> before;
    std::erase_if(keys_, [&](SchemeKey& one) {
      const auto& path = one.key.path;
      std::vector<const Row*> with;
      std::vector<const Row*> without;
      for (const auto& row : rows_) {
        if (row.scope == parent(path)) {
          (row.values.contains(path) ? with : without).push_back(&row);
        }
      }
      find_conditions(one, before, with, std::move(without));
      if (!one.depends_otherwise) {
        before.push_back(path);
      }
      return with.empty();  // it was always refused
    });
    return std::move(keys_);
  }

 private:
  static void merge(SchemeKey& into, const KeyDescription& key) {
    using enum KeyVisitor::Presence;
    if (into.key.presence == required && key.presence != required) {
      into.key.usual = key.usual;
    }
    if (key.presence != required) {
      into.usual_varies = into.usual_varies || into.key.usual != key.usual;
      into.key.presence = key.presence;
    }
    if (!key.domain) {
      return;
    }
    auto& domain = *into.key.domain;
    const auto& [least, greatest] = std::tie(key.domain->range.least, key.domain->range.greatest);
    const auto& [fewest, most] = std::tie(key.domain->count.fewest, key.domain->count.most);
    into.domain_varies = into.domain_varies || key.domain->range.words != domain.range.words ||
                         least != domain.range.least || greatest != domain.range.greatest ||
                         fewest != domain.count.fewest || most != domain.count.most;
    domain.range.least = std::min(domain.range.least, least);
    domain.count.fewest = std::min(domain.count.fewest, fewest);
    for (const auto choice : key.domain->choices) {
      add_once(domain.choices, choice);
    }
  }

  std::string_view marker_;
  std::vector<SchemeKey> keys_;
  std::set<std::string> seen_;  ///< keys with values
  int without_news_ = 0;
  std::vector<Row> rows_;
  std::map<std::string, int> rows_with_;  ///< how many there were, by scope and by key
};

/// Tells what the keys of a spec have.
class ValueLister final : public KeyVisitor {
 public:
  ValueLister(KeyValues& values, std::string path) : values_(values), path_(std::move(path)) {}

  bool fills() const override { return false; }

 private:
  void visit_value(std::string_view key, KeyValue& value, const KeyDomain& /*domain*/,
                   Presence /*presence*/) override {
    values_[key_path(path_, key)] = value;
  }
  void not_written(std::string_view key, const KeyDomain& /*domain*/) override {
    values_[key_path(path_, key)] = {};
  }
  std::unique_ptr<KeyVisitor> enter(std::string_view key, bool is_there) override {
    const auto path = key_path(path_, key);
    values_[path] = is_there ? KeyValue(true) : KeyValue();
    return is_there ? std::make_unique<ValueLister>(values_, path) : nullptr;
  }
  std::vector<std::unique_ptr<KeyVisitor>> enter_each(std::string_view key, std::size_t present,
                                                      Presence presence, ListCount /*count*/,
                                                      std::string_view /*words*/) override {
    const auto path = key_path(path_, key);
    const bool is_there = present > 0 || presence == Presence::required;
    values_[path] = is_there ? KeyValue(static_cast<std::int64_t>(present)) : KeyValue();
    std::vector<std::unique_ptr<KeyVisitor>> result;
    for (std::size_t i = 0; i < present; ++i) {
      result.push_back(std::make_unique<ValueLister>(values_, path + '[' + std::to_string(i) + ']'));
    }
    return result;
  }

  KeyValues& values_;
  std::string path_;
};

}  // namespace

std::string generic_path(std::string_view path) {
  std::string result;
  std::ranges::copy_if(path, std::back_inserter(result), [is_index = false](char letter) mutable {
    is_index = is_index ? letter != ']' : letter == '[';
    return !is_index || letter == '[';
  });
  return result;
}

std::vector<SchemeKey> keys_of(const Scheme& scheme) {
  std::vector<SchemeKey> result;
  std::mt19937_64 engine(1);
  for (const auto& form : scheme.forms) {
    FormKeys keys(form.marker);
    for (int i = 0; i < most_list_draws && !keys.are_all(); ++i) {
      keys.add(attempt(scheme, form, {}, engine));
    }
    std::ranges::move(keys.take(), std::back_inserter(result));
  }
  return result;
}

KeyValues values_of(std::span<const KeyDescription> keys) {
  KeyValues result;
  for (const auto& key : keys) {
    result.emplace(key.path, key.value);
  }
  return result;
}

KeyValues values_of(const Encoding& encoding) {
  KeyValues values;
  ValueLister lister(values, "");
  encoding.visit_keys(lister);
  return values;
}

std::vector<KeyDescription> keys_of(const Encoding& encoding) {
  std::mt19937_64 engine;
  const auto way = way_of_writing(encoding);
  return attempt(way.scheme, way.form, {.fixed = values_of(encoding), .given_of_eight = 0}, engine).keys;
}

}  // namespace vernier
