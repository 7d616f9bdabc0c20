#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "props/test/proved_laws.hpp"
#include "reference/json/json.hpp"
#include "reference/schemes/rope.hpp"

// Drawn specs of scaled RoPE, and what an implementation of one answers.

namespace vernier {

/// The types of scaling that change anything, as specs name them.
const std::vector<std::string>& scaling_types();
/// Those whose frequencies depend on the sequence's length, and the others.
const std::vector<std::string>& length_dependent_types();
const std::vector<std::string>& fixed_types();

/// A spec of a scaling of this type: 6 to 32 dimensions, at least 4 of which rotate; base 10 to 5e6; trained
/// length 64 to 32768; factor above 1, at most 64; sequence_length from 3 to nine times the trained length,
/// which it equals in one case of five.
OrderedJson drawn_rope(Dice& dice, std::string_view type);
/// The same, of one of `types`.
OrderedJson drawn_rope(Dice& dice, const std::vector<std::string>& types);

RopeSpec rope_spec(const OrderedJson& spec);
std::string type_of(const RopeSpec& spec);
/// L. \pre the spec has one
std::int64_t length_of(const RopeSpec& spec);
/// The same model when the sequence is `length` long.
RopeSpec at_length(RopeSpec spec, std::int64_t length);

/// Simpler values of one that has positions: each position halved in turn.
template <class Value>
std::vector<Value> with_nearer_positions(const Value& value,
                                         const std::vector<std::int64_t Value::*>& positions) {
  std::vector<Value> simpler;
  for (const auto position : positions) {
    if (value.*position > 1) {
      simpler.push_back(value);
      simpler.back().*position /= 2;
    }
  }
  return simpler;
}

/// An implementation's frequency of a pair.
using Frequency = std::function<Interval(const RopeSpec&, int pair)>;
Interval reference_frequency(const RopeSpec& spec, int pair);
Interval unscaled_frequency(const RopeSpec& spec, int pair);

/// What an implementation turns a pair at a position by.
using Turning = std::function<Turn(const RopeSpec&, std::int64_t position, int pair)>;
Turn reference_turn(const RopeSpec& spec, std::int64_t position, int pair);

/// A case judged, classed by the type of its scaling.
Judged judged(Outcome outcome, const RopeSpec& spec);

}  // namespace vernier
