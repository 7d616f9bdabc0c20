#include "reference/specs/key_edit.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "reference/json/json_tree.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/specs/key_draw.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// At first each refusal gives up a key that a new value does not go with, or adds one that it needs; then
/// keys are added at random.
constexpr int attempts_by_key = 10;
constexpr int most_attempts = 50;
/// A value that is refused so often whatever else is there is none of the key: a key that it may need is
/// added with probability 1/4 at each attempt, and left out by 14 of them with probability 0.75^14 = 0.018.
constexpr int most_refusals = 14;

/// Neighbours of a number, and those that people write.
std::vector<KeyValue> other_numbers(const KeyValue& value, const KeyDomain& domain) {
  std::vector<Rational> numbers{0, Rational(1, 2), 1, 2, 64, 128, 4096, 10000, 500000, 1000000};
  if (const auto number = number_of(value)) {
    const auto& x = *number;
    numbers.insert(numbers.begin(), {x - 1, x + 1, x / 2, x * 2, x == 0 ? x : Rational(1 / x)});
  }
  auto result = mapped(numbers, [&](const Rational& x) { return number_as_value(x, domain); });
  if (const auto* constant = std::get_if<Constant>(&value)) {
    result.emplace_back(Constant{constant->factor, 1 - constant->power_of_pi});
  }
  return result;
}

Rational negated(const Rational& x) {
  return -x;
}
template <class Element>
std::vector<Element> negated(const std::vector<Element>& list) {
  return mapped(list, [](const Element& one) { return negated(one); });
}

/// In the other order, negated; of a few elements also each negated, and each two exchanged; without the
/// last, and with the first once more.
template <class Element>
std::vector<KeyValue> other_lists(const std::vector<Element>& list) {
  constexpr std::size_t few = 4;
  std::vector<KeyValue> result{std::vector(list.rbegin(), list.rend()), negated(list)};
  for (std::size_t a = 0; a < list.size() && list.size() <= few; ++a) {
    auto other = list;
    other[a] = negated(list[a]);
    result.emplace_back(other);
    for (std::size_t b = 0; b < a; ++b) {
      other = list;
      std::swap(other[a], other[b]);
      result.emplace_back(other);
    }
  }
  if (!list.empty()) {
    result.emplace_back(std::vector(list.begin(), list.end() - 1));
    result.emplace_back(list);
    std::get<std::vector<Element>>(result.back()).push_back(list.front());
  }
  return result;
}

std::vector<KeyValue> other_values(const KeyDescription& key) {
  if (!key.domain) {  // one object more or less of a list; or one object
    const auto* count = std::get_if<std::int64_t>(&key.value);
    return count != nullptr ? std::vector<KeyValue>{*count - 1, *count + 1} : std::vector<KeyValue>{true};
  }
  std::vector<KeyValue> result;
  switch (key.domain->kind) {
    case KeyDomain::Kind::integer:
    case KeyDomain::Kind::number:
    case KeyDomain::Kind::constant:
      return other_numbers(key.is_there() ? key.value : key.usual, *key.domain);
    case KeyDomain::Kind::boolean:
      return {true, false};
    case KeyDomain::Kind::choice:
      for (std::size_t i = 0; i < key.domain->choices.size(); ++i) {
        result.emplace_back(i);
      }
      return result;
    case KeyDomain::Kind::numbers:
    case KeyDomain::Kind::rows:
    case KeyDomain::Kind::heads:
      return std::visit(
          [](const auto& list) -> std::vector<KeyValue> {
            if constexpr (requires { other_lists(list); }) {
              return other_lists(list);
            }
            return {};
          },
          key.value);
  }
  return result;
}

class Editing {
 public:
  explicit Editing(const Encoding& encoding)
      : way_(way_of_writing(encoding)), values_(values_of(encoding)), seen_{encoding.spec().dump()} {}

  void try_value(const KeyDescription& key, const KeyValue& value) {
    const auto edited = add(key, {{key.path, value}});
    for (const auto& other : edited) {
      if (other.domain && other.domain->kind == KeyDomain::Kind::choice && !values_.contains(other.path)) {
        for (std::size_t i = 0; i < other.domain->choices.size(); ++i) {
          add(key, {{key.path, value}, {other.path, i}});
        }
      }
    }
  }

  /// The same value of a key of each object of a list, where all have the same.
  void try_value_of_all(const KeyDescription& key, const KeyValue& value) {
    KeyValues changed;
    for (const auto& [path, had] : values_) {
      if (generic_path(path) == generic_path(key.path)) {
        if (had != key.value) {
          return;
        }
        changed.emplace(path, value);
      }
    }
    if (changed.size() > 1 && changed.begin()->first == key.path) {
      add(key, changed);
    }
  }

  std::vector<SpecEdit> take() { return std::move(edits_); }

 private:
  /// \return the keys of the edited spec; none if it is refused
  std::vector<KeyDescription> add(const KeyDescription& key, const KeyValues& changed) {
    auto how = SpecDraw{.fixed = changed, .given_of_eight = 0};
    how.fixed.insert(values_.begin(), values_.end());
    int refusals = 0;  // of the changed key itself
    for (int i = 0; i < most_attempts && refusals < most_refusals; ++i) {
      if (i == attempts_by_key) {  // who refuses does not say what is needed
        how.given.clear();
        how.given_of_eight = 2;
        std::erase_if(how.fixed, [&](const auto& one) {
          return std::holds_alternative<std::monostate>(one.second) && !changed.contains(one.first);
        });
      }
      auto drawn = attempt(way_.scheme, way_.form, how, engine_);
      if (!drawn.fault) {
        drawn = without_needless(std::move(drawn), changed);
        keep(key, changed, drawn);
        return std::move(drawn.keys);
      }
      const bool stays = changed.contains(*drawn.fault) || key.path.starts_with(*drawn.fault);
      refusals += stays ? 1 : 0;
      if (stays && i < attempts_by_key) {  // nothing was given up: the same would be tried again
        i = attempts_by_key - 1;
      }
      if (i < attempts_by_key && !stays) {  // what has a value loses it, and what has none is needed
        const auto fixed = how.fixed.find(*drawn.fault);
        if (fixed == how.fixed.end() || std::holds_alternative<std::monostate>(fixed->second)) {
          how.given.insert(generic_path(*drawn.fault));
        }
        how.fixed.erase(*drawn.fault);
      }
    }
    return {};
  }

  /// The same without keys that were added and may be left out.
  DrawnSpec without_needless(DrawnSpec drawn, const KeyValues& changed) {
    for (const auto& key : std::vector(drawn.keys)) {
      const auto before = values_.find(key.path);
      const bool is_new = before == values_.end() || std::holds_alternative<std::monostate>(before->second);
      if (is_new && key.is_there() && !changed.contains(key.path)) {
        SpecDraw how{.fixed = values_of(drawn.keys), .given_of_eight = 0};
        how.fixed[key.path] = {};
        if (auto smaller = attempt(way_.scheme, way_.form, how, engine_); !smaller.fault) {
          drawn = std::move(smaller);
        }
      }
    }
    return drawn;
  }

  /// An edit, unless the value was not taken, or a number that the spec has was drawn anew to go with it.
  void keep(const KeyDescription& key, const KeyValues& changed, const DrawnSpec& drawn) {
    const auto is_drawn_anew = [&](const KeyDescription& one) {
      const auto wanted = changed.find(one.path);
      if (wanted != changed.end()) {
        return one.domain && !std::holds_alternative<std::monostate>(wanted->second) &&
               one.value != wanted->second;
      }
      const auto had = values_.find(one.path);
      const bool is_number = one.domain && one.domain->kind != KeyDomain::Kind::choice &&
                             one.domain->kind != KeyDomain::Kind::boolean;
      return is_number && one.is_there() && had != values_.end() &&
             !std::holds_alternative<std::monostate>(had->second) && had->second != one.value;
    };
    if (std::ranges::any_of(drawn.keys, is_drawn_anew)) {
      return;
    }
    auto edited = parse_spec(ObjectReader(drawn.spec, "edited spec", ""));
    if (seen_.insert(edited->spec().dump()).second) {
      edits_.push_back({key, changed.at(key.path), drawn.keys, std::move(edited)});
    }
  }

  WayOfWriting way_;
  KeyValues values_;
  std::set<std::string> seen_;  ///< specs
  std::mt19937_64 engine_;
  std::vector<SpecEdit> edits_;
};

}  // namespace

std::vector<SpecEdit> edits_of(const Encoding& encoding, const WantsEdit& wants) {
  Editing editing(encoding);
  for (const auto& key : keys_of(encoding)) {
    if (key.presence != KeyVisitor::Presence::required && (!wants || wants(key, {}))) {
      editing.try_value(key, {});
    }
    for (const auto& value : other_values(key)) {
      if ((wants && !wants(key, value)) ||
          (key.domain && !takes(*key.domain, json_value(value, *key.domain)))) {
        continue;
      }
      editing.try_value(key, value);
      editing.try_value_of_all(key, value);
    }
  }
  return editing.take();
}

}  // namespace vernier
