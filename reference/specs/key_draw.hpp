#pragma once

#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "reference/keys/value_draw.hpp"
#include "reference/specs/key_list.hpp"

namespace vernier {

struct DrawnSpec {
  JsonValue spec;
  std::vector<KeyDescription> keys;  ///< those that could be there, in the order in which they are read
  std::optional<std::string> fault;  ///< the path of the key that a refusal has to name; "" of the whole
  std::set<std::string> finished;    ///< paths of the objects of which `keys` has all; "" of the whole
};

/// How a spec is drawn.
struct SpecDraw {
  Mood mood = Mood::usual;
  std::int64_t greatest_size = 64;   ///< as of ValueDraw
  KeyValues fixed = {};              ///< what keys have, where they are there
  std::set<std::string> given = {};  ///< generic paths of keys that are there, with any value
  /// Of eight other keys that may be left out, so many are there.
  std::uint64_t given_of_eight = mood == Mood::hostile ? 7 : 3;
};

/// A spec of the scheme, every one with some probability. Draws that keys refuse are repeated.
DrawnSpec drawn_spec(const Scheme& scheme, const SpecDraw& how, std::mt19937_64& engine);
/// The same of one form.
DrawnSpec drawn_spec(const Scheme& scheme, const SpecForm& form, const SpecDraw& how,
                     std::mt19937_64& engine);
/// The same, tried once: it may have a fault, as keys may not go together, or not take what is fixed.
DrawnSpec attempt(const Scheme& scheme, const SpecForm& form, const SpecDraw& how, std::mt19937_64& engine);
/// How the spec of an encoding is written.
struct WayOfWriting {
  const Scheme& scheme;
  const SpecForm& form;
};
WayOfWriting way_of_writing(const Encoding& encoding);

}  // namespace vernier
