#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "reference/keys/domain.hpp"

namespace vernier {

/// Goes through the keys of a spec, one after another: reads them, writes them, draws them, lists them.
///
/// A spec is a struct with one function,
///     void keys(KeyVisitor& visit) {
///       visit.required("num_heads", num_heads, integer(1, 1024));
///       visit.defaulted("max_bias", max_bias, number(up_to_64));
///     }
/// which is all that its keys are declared by; what they mean stands in schemes.json. Keys above decide which
/// follow and what these take; where two do not go together, `require` refuses. Defaults are what members
/// hold.
class KeyVisitor {
 public:
  /// Whether a key has to be there, and what is done where it is not.
  enum class Presence {
    required,   ///< it is refused if missing
    defaulted,  ///< it keeps its value where it is missing, and is always written
    optional    ///< the same, but written only where it says something
  };

  KeyVisitor() = default;
  KeyVisitor(const KeyVisitor&) = delete;
  KeyVisitor& operator=(const KeyVisitor&) = delete;
  virtual ~KeyVisitor() = default;

  /// \name A key whose value is an integer, a Rational, a Constant, a bool, an enumeration in the order of
  /// the domain's choices, a list or rows of numbers, or an optional of these
  /// @{
  template <class T>
  void required(std::string_view key, T& value, const KeyDomain& domain) {
    visit(key, value, domain, Presence::required);
  }
  template <class T>
  void defaulted(std::string_view key, T& value, const KeyDomain& domain) {
    visit(key, value, domain, Presence::defaulted);
  }
  /// \param usual what a spec need not say
  template <class T>
  void optional(std::string_view key, T& value, const KeyDomain& domain,
                const std::type_identity_t<T>& usual = {}) {
    if (!fills() && value == usual) {
      not_written(key, domain);
      return;
    }
    visit(key, value, domain, Presence::optional);
  }
  /// @}

  /// A key whose value is an object of keys of its own. \returns whether it is there
  template <class Body>
  bool object(std::string_view key, bool is_there, const Body& body) {
    const auto within = enter(key, is_there);
    if (within) {
      body(*within);
      within->finish();
    }
    return within != nullptr;
  }
  /// The same of a list of objects. \param item what one is unless its keys say otherwise \param words of the
  /// list in a refusal
  template <class Item, class Body>
  void objects(std::string_view key, std::vector<Item>& items, ListCount count, std::string_view words,
               const Item& item, const Body& body) {
    visit_each(enter_each(key, items.size(), Presence::required, count, words), items, item, body);
  }
  /// The same of a list that is there only where it has items.
  template <class Item, class Body>
  void optional_objects(std::string_view key, std::vector<Item>& items, ListCount count,
                        std::string_view words, const Item& item, const Body& body) {
    visit_each(enter_each(key, items.size(), Presence::optional, count, words), items, item, body);
  }

  /// What a member is unless a key says otherwise, where that depends on keys above.
  template <class T>
  void fallback(T& member, const std::type_identity_t<T>& value) {
    if (fills()) {
      member = value;
    }
  }
  /// Refuses the value of a key unless `holds`. \param expected "an even number, as dimensions rotate in
  /// pairs"
  virtual void require(bool /*holds*/, std::string_view /*key*/, std::string_view /*expected*/) {}
  /// Refuses all, with a sentence, unless `holds`.
  virtual void require_all(bool /*holds*/, std::string_view /*sentence*/) {}
  /// Refuses a document without the key, in words of its own.
  virtual void needed(std::string_view /*key*/, std::string_view /*expected*/) {}
  /// A key that is known, and that nothing may have because of keys above.
  virtual void forbidden(std::string_view /*key*/, std::string_view /*expected*/) {}
  /// Whether a document that is read has the key.
  virtual bool has(std::string_view /*key*/) const { return false; }
  /// Whether members get their values here, or have them. Who fills gives values of the domain, and lists of
  /// as many elements as it says; what `require` refuses it may let pass.
  virtual bool fills() const = 0;
  /// Called once behind the last key.
  virtual void finish() {}

 protected:
  /// \param value what the key has, and what it is given if this fills
  virtual void visit_value(std::string_view key, KeyValue& value, const KeyDomain& domain,
                           Presence presence) = 0;
  /// A key that would be written, if it said anything.
  virtual void not_written(std::string_view /*key*/, const KeyDomain& /*domain*/) {}
  /// For the keys of an object; null where there is none.
  virtual std::unique_ptr<KeyVisitor> enter(std::string_view key, bool is_there) = 0;
  virtual std::vector<std::unique_ptr<KeyVisitor>> enter_each(std::string_view key, std::size_t present,
                                                              Presence presence, ListCount count,
                                                              std::string_view words) = 0;

 private:
  template <class T>
  void visit(std::string_view key, T& value, const KeyDomain& domain, Presence presence);

  template <class Item, class Body>
  static void visit_each(const std::vector<std::unique_ptr<KeyVisitor>>& within, std::vector<Item>& items,
                         const Item& item, const Body& body) {
    items.resize(within.size(), item);
    for (std::size_t i = 0; i < within.size(); ++i) {
      body(*within[i], items[i]);
      within[i]->finish();
    }
  }
};

namespace key_values {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// What a KeyValue holds as it is.
template <class T>
inline constexpr bool is_held = std::is_same_v<T, bool> || std::is_same_v<T, Constant> ||
                                std::is_same_v<T, NumberRows> || std::is_same_v<T, std::vector<NumberRows>>;

template <class T>
KeyValue stored(const T& value) {
  if constexpr (is_optional<T>) {
    return value ? stored(*value) : KeyValue();
  } else if constexpr (is_held<T> || std::is_same_v<T, Rational>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<std::size_t>(value);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(value);
  } else {
    return std::vector<Rational>(value.begin(), value.end());
  }
}

template <class T>
void take(T& member, const KeyValue& value) {
  if constexpr (is_optional<T>) {
    if (std::holds_alternative<std::monostate>(value)) {
      member.reset();
    } else {
      take(member.emplace(), value);
    }
  } else if constexpr (std::is_same_v<T, Rational>) {
    const auto* of_constant = std::get_if<Constant>(&value);
    member = of_constant != nullptr ? of_constant->factor : std::get<Rational>(value);
  } else if constexpr (is_held<T>) {
    member = std::get<T>(value);
  } else if constexpr (std::is_enum_v<T>) {
    member = static_cast<T>(std::get<std::size_t>(value));
  } else if constexpr (std::is_integral_v<T>) {
    member = static_cast<T>(std::get<std::int64_t>(value));
  } else {
    const auto& elements = std::get<std::vector<Rational>>(value);
    if constexpr (requires { member.resize(elements.size()); }) {
      member.resize(elements.size());
    }
    assert(member.size() == elements.size());
    std::ranges::transform(elements, member.begin(), [](const Rational& x) {
      using Element = typename T::value_type;
      if constexpr (std::is_integral_v<Element>) {
        return static_cast<Element>(*as_integer(x));
      } else {
        return x;
      }
    });
  }
}

}  // namespace key_values

template <class T>
void KeyVisitor::visit(std::string_view key, T& value, const KeyDomain& domain, Presence presence) {
  auto stored = key_values::stored(value);
  visit_value(key, stored, domain, presence);
  if (fills()) {
    key_values::take(value, stored);
  }
}

}  // namespace vernier
