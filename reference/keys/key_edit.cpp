#include "reference/keys/key_edit.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "reference/configs/json_tree.hpp"
#include "reference/input_error.hpp"
#include "reference/keys/key_draw.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {
namespace {

/// Each refusal gives up a key that a new value does not go with, or draws one that it needs.
constexpr int most_attempts = 12;

/// Neighbours of a number, if there is one, and those that people write.
std::vector<Rational> other_numbers(const std::optional<Rational>& number) {
  std::vector<Rational> result{0, Rational(1, 2), 1, 2, 64, 128, 4096, 10000, 500000, 1000000};
  if (number) {
    const auto& x = *number;
    result.insert(result.begin(), {x - 1, x + 1, x / 2, x * 2, x == 0 ? x : Rational(1 / x)});
  }
  return result;
}

template <class Elements>
std::vector<KeyValue> other_lists(const Elements& list, const auto& twice) {
  std::vector<KeyValue> result;
  result.emplace_back(Elements(list.rbegin(), list.rend()));
  if (!list.empty()) {
    result.emplace_back(Elements(list.begin(), list.end() - 1));
  }
  auto doubled = list;
  std::ranges::for_each(doubled, twice);
  result.emplace_back(std::move(doubled));
  return result;
}

std::vector<KeyValue> other_values_of_list(const KeyValue& value) {
  const auto twice = [](Rational& x) { x *= 2; };
  if (const auto* list = std::get_if<std::vector<Rational>>(&value)) {
    return other_lists(*list, twice);
  }
  if (const auto* rows = std::get_if<std::vector<std::vector<Rational>>>(&value)) {
    return other_lists(*rows, [&](std::vector<Rational>& row) { std::ranges::for_each(row, twice); });
  }
  return {};
}

/// Of an object that there is one or none, of a list that there is one more or less.
std::vector<KeyValue> other_objects(const KeyValue& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) {
    return {*count - 1, *count + 1};
  }
  return {true};
}

std::vector<KeyValue> other_values(const KeyDescription& key) {
  std::vector<KeyValue> result;
  if (!key.domain) {
    return other_objects(key.value);
  }
  switch (key.domain->kind) {
    case Domain::Kind::integer: {
      const auto* x = std::get_if<std::int64_t>(&key.value);
      for (const auto& other : other_numbers(x == nullptr ? std::nullopt : std::optional<Rational>(*x))) {
        if (const auto integer = as_integer(other)) {
          result.emplace_back(*integer);
        }
      }
      return result;
    }
    case Domain::Kind::number: {
      const auto* x = std::get_if<Rational>(&key.value);
      std::ranges::move(other_numbers(x == nullptr ? std::nullopt : std::optional(*x)),
                        std::back_inserter(result));
      return result;
    }
    case Domain::Kind::constant: {
      const auto* x = std::get_if<Constant>(&key.value);
      for (const auto& other : other_numbers(x == nullptr ? std::nullopt : std::optional(x->factor))) {
        result.emplace_back(Constant{other, x == nullptr ? 0 : x->power_of_pi});
      }
      if (x != nullptr) {
        result.emplace_back(Constant{x->factor, 1 - x->power_of_pi});
      }
      return result;
    }
    case Domain::Kind::boolean:
      return {true, false};
    case Domain::Kind::choice:
      for (std::size_t i = 0; i < key.domain->choices.size(); ++i) {
        result.emplace_back(i);
      }
      return result;
    case Domain::Kind::numbers:
    case Domain::Kind::rows:
      return other_values_of_list(key.value);
  }
  return result;
}

class Editing {
 public:
  explicit Editing(const Encoding& encoding)
      : encoding_(encoding), before_(encoding.spec()), values_(values_of(encoding)), seen_{before_.dump()} {}

  void try_value(const KeyDescription& key, const KeyValue& value) {
    const auto edited = add(key, {{key.path, value}});
    for (const auto& other : edited) {
      if (other.domain && other.domain->kind == Domain::Kind::choice && !values_.contains(other.path)) {
        for (std::size_t i = 0; i < other.domain->choices.size(); ++i) {
          add(key, {{key.path, value}, {other.path, i}});
        }
      }
    }
  }

  std::vector<SpecEdit> take() { return std::move(edits_); }

 private:
  /// \return the keys of the edited spec; none if it is refused
  std::vector<KeyDescription> add(const KeyDescription& key, const KeyValues& changed) {
    auto how = SpecDraw{.fixed = changed, .leaves_out = true};
    how.fixed.insert(values_.begin(), values_.end());
    for (int i = 0; i < most_attempts; ++i) {
      auto drawn = attempt(encoding_, how, engine_);
      if (!drawn.fault) {
        keep(key, changed.at(key.path), drawn.spec);
        return std::move(drawn.keys);
      }
      if (!changed.contains(*drawn.fault)) {
        how.fixed.erase(*drawn.fault);
      }
    }
    return {};
  }

  void keep(const KeyDescription& key, const KeyValue& value, const JsonValue& spec) {
    auto edited = parse_spec(ObjectReader(spec, "edited spec", ""));
    const auto after = edited->spec();
    if (seen_.insert(after.dump()).second) {
      edits_.push_back({key, value, OrderedJson::diff(before_, after), std::move(edited)});
    }
  }

  const Encoding& encoding_;
  OrderedJson before_;
  KeyValues values_;
  std::set<std::string> seen_;  ///< specs
  std::mt19937_64 engine_;
  std::vector<SpecEdit> edits_;
};

}  // namespace

std::vector<SpecEdit> edits_of(const Encoding& encoding) {
  Editing editing(encoding);
  for (const auto& key : keys_of(encoding)) {
    if (key.presence != KeyVisitor::Presence::required) {
      editing.try_value(key, {});
    }
    for (const auto& value : other_values(key)) {
      editing.try_value(key, value);
    }
  }
  return editing.take();
}

}  // namespace vernier
