#include <array>
#include <cstdint>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/columns.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/real_positions.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// Pairs whose frequencies sample a function of t in [0, 1) at t = i/(d/2), sine and cosine side by side:
/// the families whose limits of many pairs are integrals.
struct FrequencyFamilySpec {
  /// exponential: w = base^-t, which is the paper's progression. power: w = t^exponent, 0 at t = 0.
  enum class Family { exponential, power };

  static constexpr std::string_view scheme = "frequency_family";

  std::int64_t d_model = 2;
  Family family = Family::exponential;
  Rational base = 10000;  ///< of the exponential
  Rational exponent = 1;  ///< of the power
  PairOrder order = PairOrder::sin_cos;
  RealPositions positions = {};

  void keys(KeyVisitor& visit);
  std::string summary() const;
  std::vector<TensorDefinition> tensors() const;
  const PositionMap& positions_along(std::size_t /*axis*/) const { return positions.map; }
  int pairs() const { return static_cast<int>(d_model / 2); }
  Frequencies frequencies() const;
};

using Family = FrequencyFamilySpec::Family;

constexpr std::array<std::string_view, 2> family_names{"exponential", "power"};

void FrequencyFamilySpec::keys(KeyVisitor& visit) {
  static const NumberRange exponents{0, 100, "a number greater than 0 and at most 100", true};
  visit.required({"d_model", "the width of a row", "dimensions"}, d_model, integer(2, largest_dimension));
  visit.require(d_model % 2 == 0, "d_model", "an even number, two columns a frequency");
  visit.defaulted({"family", "the function of t in [0, 1) that frequencies sample: base^-t, or t^exponent"},
                  family, one_of(family_names));
  if (family == Family::exponential) {
    visit.defaulted({"base", "what frequencies are powers of"}, base, number(base_range()));
  } else {
    visit.required({"exponent", "that of t"}, exponent, number(exponents));
  }
  visit_pair_order(visit, order);
  positions.keys(visit);
}

Frequencies FrequencyFamilySpec::frequencies() const {
  if (family == Family::exponential) {
    return positions.of(GeometricFrequencies{base, Rational(1, pairs()), pairs()});
  }
  return positions.of(PowerFrequencies{exponent, pairs()});
}

std::vector<TensorDefinition> FrequencyFamilySpec::tensors() const {
  return {TrigTable{"encoding", frequencies(), 1, interleaved_pairs(pairs(), order), std::nullopt,
                    positions.map}};
}

std::string FrequencyFamilySpec::summary() const {
  return fmt::format("pairs of frequencies {}, d_model {}{}{}",
                     family == Family::exponential ? to_string(base) + "^-t" : "t^" + to_string(exponent),
                     d_model, order == PairOrder::cos_sin ? ", cosine first" : "", positions.summary());
}

}  // namespace

Scheme frequency_family_scheme() {
  return {"frequency_family",
          "pairs of sine and cosine of frequencies that sample c^-t or t^a on [0, 1)",
          {R"({"scheme":"frequency_family","d_model":12,"family":"power","exponent":2})"},
          {form_of<FrequencyFamilySpec>()}};
}

}  // namespace vernier
