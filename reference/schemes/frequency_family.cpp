#include <array>
#include <cstdint>

#include <fmt/core.h>

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

  std::int64_t d_model = 0;  ///< even, [2, 2^20]
  Family family = Family::exponential;
  Rational base = 10000;  ///< of the exponential, > 1
  Rational exponent = 1;  ///< of the power, > 0 and at most 100
  PairOrder order = PairOrder::sin_cos;
  RealPositions positions = {};

  int pairs() const { return static_cast<int>(d_model / 2); }
  Frequencies frequencies() const;
};

class FrequencyFamilyEncoding final : public Encoding {
 public:
  explicit FrequencyFamilyEncoding(FrequencyFamilySpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "frequency_family"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;
  const PositionMap& positions_along(std::size_t /*axis*/) const override { return spec_.positions.map; }

 private:
  FrequencyFamilySpec spec_;
};

using Family = FrequencyFamilySpec::Family;

constexpr std::array<std::string_view, 2> family_names{"exponential", "power"};

std::unique_ptr<Encoding> parse_frequency_family(ObjectReader& reader) {
  FrequencyFamilySpec spec;
  spec.d_model = reader.integer("d_model", 2, largest_dimension);
  if (spec.d_model % 2 != 0) {
    reader.refuse("d_model", "an even number, two columns a frequency");
  }
  spec.family = static_cast<Family>(reader.choice("family", {family_names[0], family_names[1]}, 0));
  if (spec.family == Family::exponential) {
    spec.base = read_base(reader, "base").value_or(spec.base);
  } else {
    spec.exponent = reader.number(
        "exponent", [](const Rational& x) { return x > 0 && x <= 100; },
        "a number greater than 0 and at most 100");
  }
  spec.order = read_pair_order(reader);
  spec.positions = RealPositions::read(reader);
  return std::make_unique<FrequencyFamilyEncoding>(std::move(spec));
}

Frequencies FrequencyFamilySpec::frequencies() const {
  if (family == Family::exponential) {
    return positions.of(GeometricFrequencies{base, Rational(1, pairs()), pairs()});
  }
  return positions.of(PowerFrequencies{exponent, pairs()});
}

std::vector<TensorDefinition> FrequencyFamilyEncoding::define_tensors() const {
  return {TrigTable{"encoding", spec_.frequencies(), 1, interleaved_pairs(spec_.pairs(), spec_.order),
                    std::nullopt, spec_.positions.map}};
}

std::string FrequencyFamilyEncoding::summary() const {
  return fmt::format(
      "pairs of frequencies {}, d_model {}{}{}",
      spec_.family == Family::exponential ? to_string(spec_.base) + "^-t" : "t^" + to_string(spec_.exponent),
      spec_.d_model, spec_.order == PairOrder::cos_sin ? ", cosine first" : "", spec_.positions.summary());
}

OrderedJson FrequencyFamilyEncoding::spec() const {
  OrderedJson result{{"scheme", "frequency_family"},
                     {"d_model", spec_.d_model},
                     {"family", family_names[static_cast<std::size_t>(spec_.family)]}};
  if (spec_.family == Family::exponential) {
    result["base"] = json_number(spec_.base);
  } else {
    result["exponent"] = json_number(spec_.exponent);
  }
  result["order"] = name_of(spec_.order);
  spec_.positions.write(result);
  return result;
}

}  // namespace

Scheme frequency_family_scheme() {
  return {"frequency_family",
          "pairs of sine and cosine of frequencies that sample c^-t or t^a on [0, 1)",
          parse_frequency_family,
          {R"({"scheme":"frequency_family","d_model":12,"family":"power","exponent":2})"}};
}

}  // namespace vernier
