#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "reference/json/json.hpp"
#include "reference/keys/domain.hpp"

namespace vernier {

/// What a draw is like.
enum class Mood {
  usual,    ///< as people write it
  hostile,  ///< valid, with numbers at ends of ranges, next to them and next to powers of two and 1, long
            ///< ones
  invalid   ///< with one fault
};

/// Random choices that depend on the seed alone: results of std distributions differ between libraries.
class KeyDice {
 public:
  explicit KeyDice(std::mt19937_64& engine) : engine_(engine) {}

  /// \param n at least 1
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class Things>
  const auto& among(const Things& things) {
    return things[below(things.size())];
  }

 private:
  std::mt19937_64& engine_;
};

/// Draws values of keys.
struct ValueDraw {
  Mood mood = Mood::usual;
  /// Integers other than positions are at most this where their range allows: they cost time.
  std::int64_t greatest_size = 64;
  /// Of keys drawn before: others often have to fit them.
  std::vector<Rational> numbers = {};

  /// \param unit of the key's numbers
  KeyValue operator()(const KeyDomain& domain, std::string_view unit, KeyDice& dice) const;
  /// How many elements a list has: few.
  std::size_t size(ListCount count, KeyDice& dice) const;
};

/// The number that a value is, or that pi is multiplied by; nothing if it is none.
std::optional<Rational> number_of(const KeyValue& value);
/// A number as a key of the domain has it; nothing where it has none like it.
KeyValue number_as_value(const Rational& number, const KeyDomain& domain);
/// As a document has it; numbers with all of their digits.
JsonValue json_value(const KeyValue& value, const KeyDomain& domain);

/// Whether a key of the domain is read where it has the value.
bool takes(const KeyDomain& domain, const JsonValue& value);
/// A value that it does not take: beyond its range, of another type.
JsonValue wrong_value(const KeyDomain& domain, KeyDice& dice);

}  // namespace vernier
