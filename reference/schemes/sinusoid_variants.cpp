#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/real_positions.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/schemes/sinusoid_keys.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// (t/C) f(t), with f(t) the encoding of the paper: a sinusoid whose amplitude grows with the position.
struct ScaledSinusoidSpec {
  static constexpr std::string_view scheme = "scaled_sinusoid";

  SinusoidalSpec sinusoid;  ///< f: interleaved, sine first, the paper's frequencies
  Rational divisor = 1;     ///< C

  void keys(KeyVisitor& visit) {
    visit.required("d_model", sinusoid.d_model, integer(1, largest_dimension));
    visit.defaulted("base", sinusoid.base, number(base_range()));
    visit.needed("divisor", "the number C that positions are divided by");
    visit.required("divisor", divisor, number(positive_range()));
  }

  std::string summary() const {
    return fmt::format("sinusoid times position over {}, d_model {}, base {}", to_string(divisor),
                       sinusoid.d_model, to_string(sinusoid.base));
  }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [by = divisor](std::int64_t position, std::size_t) {
      return Rational(position / by);
    };
    return {ExactTable{.role = "encoding",
                       .columns = static_cast<std::size_t>(sinusoid.d_model),
                       .factor = factor,
                       .making = ExactTable::Making::quotient,
                       .sines = sinusoid.table()}};
  }
};

/// The sinusoids R of Transformer-XL (Dai et al. 2019), section 3.3: the row of the offset i - j of a query i
/// from a key j. The paper's frequencies, all sines before all cosines; the rows of K keys descend from the
/// offset K - 1 to 0, as the authors' code makes them.
struct TransformerXlSpec {
  static constexpr std::string_view scheme = "transformer_xl";

  std::int64_t d_model = 2;
  Rational base = 10000;
  std::optional<std::int64_t> clamp_len = std::nullopt;

  void keys(KeyVisitor& visit) {
    visit.required("d_model", d_model, integer(2, largest_dimension));
    visit.require(d_model % 2 == 0, "d_model",
                  "an even number, as half of the columns are sines and half are cosines");
    visit.defaulted("base", base, number(base_range()));
    visit.optional("clamp_len", clamp_len, integer(1, largest_position));
  }

  std::string summary() const {
    return fmt::format("Transformer-XL offsets, d_model {}, base {}{}", d_model, to_string(base),
                       clamp_len ? ", clamped at " + std::to_string(*clamp_len) : std::string());
  }

  /// A table of values where it is clamped.
  std::vector<TensorDefinition> tensors() const {
    const auto table =
        SinusoidalSpec{.d_model = d_model, .base = base, .layout = SinusoidalSpec::Layout::halves}.table();
    if (!clamp_len) {
      return {table};
    }
    return {ExactTable{.role = "encoding",
                       .columns = static_cast<std::size_t>(d_model),
                       .factor = [](std::int64_t, std::size_t) { return Rational(1); },
                       .sines = table,
                       .last_sine_position = clamp_len}};
  }

  PositionRange default_positions(std::int64_t rows) const { return {rows - 1, -1, rows}; }
};

constexpr std::array<std::string_view, 4> sine_reading_names{"descending", "ascending_to_one",
                                                             "ascending_from_one", "descending_to_one"};
constexpr std::array<std::string_view, 4> sine_exponents{"-i/(d - 1)", "i/d - 1", "i/(d - 1)", "1 - i/d"};

/// One sine a column and no cosines: PE(t, i) = sin(w_i t), i = 0 .. d-1. A text that arrives at it writes
/// w_i = 1/10000^{i/d-1} and sin(t/w_i), which says something else however it is read.
struct SineOnlySpec {
  /// descending: w_i = base^(-i/(d-1)), from 1 to 1/base, which is meant. The literal readings:
  /// ascending_to_one: sin(t/w_i) with the exponent (i/d) - 1, so base^(i/d - 1).
  /// ascending_from_one: sin(t/w_i) with the exponent i/(d-1), so base^(i/(d-1)), up to the base.
  /// descending_to_one: sin(w_i t) with the exponent (i/d) - 1, so base^(1 - i/d), from the base down.
  enum class Reading { descending, ascending_to_one, ascending_from_one, descending_to_one };

  static constexpr std::string_view scheme = "sine_only";

  std::int64_t d_model = 2;
  Rational base = 10000;
  Reading reading = Reading::descending;

  void keys(KeyVisitor& visit) {
    visit.required("d_model", d_model, integer(1, largest_dimension));
    visit.defaulted("base", base, number(base_range()));
    visit.defaulted("reading", reading, one_of(sine_reading_names));
    const bool divides_by_less_one = reading == Reading::descending || reading == Reading::ascending_from_one;
    visit.require(!divides_by_less_one || d_model > 1, "d_model",
                  "at least 2, as the frequencies divide by d_model - 1");
  }

  std::string summary() const {
    return fmt::format("sines only, d_model {}, frequencies {}^({})", d_model, to_string(base),
                       sine_exponents[static_cast<std::size_t>(reading)]);
  }

  std::vector<TensorDefinition> tensors() const {
    return {TrigTable{"encoding", frequencies(), 1, sines_of(static_cast<int>(d_model)), std::nullopt}};
  }

  GeometricFrequencies frequencies() const {
    const auto d = static_cast<int>(d_model);
    switch (reading) {
      case Reading::ascending_to_one:
        return {base, Rational(-1, d), d, -1};
      case Reading::ascending_from_one:
        return {base, Rational(-1, d - 1), d, 0};
      case Reading::descending_to_one:
        return {base, Rational(1, d), d, 1};
      case Reading::descending:
        break;
    }
    return {base, Rational(1, d - 1), d, 0};
  }
};

/// Beyond, the squares that certified sines are made of would underflow.
constexpr std::int64_t most_columns = 512;

/// PE(t, i) = sin(t 2^-i), i = 0 .. d-1: the binary digits made continuous.
struct SinePowersOfTwoSpec {
  static constexpr std::string_view scheme = "sine_powers_of_two";

  std::int64_t d_model = 1;

  void keys(KeyVisitor& visit) { visit.required("d_model", d_model, integer(1, most_columns)); }

  std::string summary() const { return std::string("sines of t 2^-i, d_model ") + std::to_string(d_model); }

  std::vector<TensorDefinition> tensors() const {
    const auto d = static_cast<int>(d_model);
    return {TrigTable{"encoding", GeometricFrequencies{2, 1, d}, 1, sines_of(d), std::nullopt}};
  }
};

/// Pairs of any frequencies at all, as trained ones are: sine and cosine
/// side by side.
struct FrequencyListSpec {
  static constexpr std::string_view scheme = "frequency_list";

  std::vector<Rational> frequencies;
  PairOrder order = PairOrder::sin_cos;
  RealPositions positions = {};

  void keys(KeyVisitor& visit) {
    static const NumberRange each{positive_range().least, positive_range().greatest,
                                  "a number from 1e-30 to 1e30, or one written as text (\"0.1\", \"1/3\")"};
    visit.required("frequencies", frequencies,
                   list_of(each, {1, largest_dimension / 2}, "an array of at least one frequency"));
    visit_pair_order(visit, order);
    positions.keys(visit);
  }

  std::string summary() const {
    return fmt::format("pairs of {} listed frequencies{}{}", frequencies.size(),
                       order == PairOrder::cos_sin ? ", cosine first" : "", positions.summary());
  }

  std::vector<TensorDefinition> tensors() const {
    const auto pairs = static_cast<int>(frequencies.size());
    return {TrigTable{"encoding", positions.of(ListedFrequencies{frequencies}), 1,
                      interleaved_pairs(pairs, order), std::nullopt, positions.map}};
  }

  const PositionMap& positions_along(std::size_t /*axis*/) const { return positions.map; }
};

constexpr std::array<std::string_view, 2> family_names{"exponential", "power"};

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

  void keys(KeyVisitor& visit) {
    static const NumberRange exponents{0, 100, "a number greater than 0 and at most 100", true};
    visit.required("d_model", d_model, integer(2, largest_dimension));
    visit.require(d_model % 2 == 0, "d_model", "an even number, two columns a frequency");
    visit.defaulted("family", family, one_of(family_names));
    if (family == Family::exponential) {
      visit.defaulted("base", base, number(base_range()));
    } else {
      visit.required("exponent", exponent, number(exponents));
    }
    visit_pair_order(visit, order);
    positions.keys(visit);
  }

  std::string summary() const {
    return fmt::format("pairs of frequencies {}, d_model {}{}{}",
                       family == Family::exponential ? to_string(base) + "^-t" : "t^" + to_string(exponent),
                       d_model, order == PairOrder::cos_sin ? ", cosine first" : "", positions.summary());
  }

  std::vector<TensorDefinition> tensors() const {
    return {TrigTable{"encoding", frequencies(), 1, interleaved_pairs(pairs(), order), std::nullopt,
                      positions.map}};
  }

  const PositionMap& positions_along(std::size_t /*axis*/) const { return positions.map; }
  int pairs() const { return static_cast<int>(d_model / 2); }

  Frequencies frequencies() const {
    if (family == Family::exponential) {
      return positions.of(GeometricFrequencies{base, Rational(1, pairs()), pairs()});
    }
    return positions.of(PowerFrequencies{exponent, pairs()});
  }
};

}  // namespace

std::vector<Scheme> sinusoid_variant_schemes() {
  return schemes_of<ScaledSinusoidSpec, TransformerXlSpec, SineOnlySpec, SinePowersOfTwoSpec,
                    FrequencyListSpec, FrequencyFamilySpec>();
}

}  // namespace vernier
