#include <array>
#include <cstdint>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/columns.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

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

  void keys(KeyVisitor& visit);
  std::string summary() const;
  std::vector<TensorDefinition> tensors() const;
  GeometricFrequencies frequencies() const;
};

constexpr std::array<std::string_view, 4> sine_reading_names{"descending", "ascending_to_one",
                                                             "ascending_from_one", "descending_to_one"};
constexpr std::array<std::string_view, 4> exponents{"-i/(d - 1)", "i/d - 1", "i/(d - 1)", "1 - i/d"};

void SineOnlySpec::keys(KeyVisitor& visit) {
  visit.required({"d_model", "d, how many sines there are", "dimensions"}, d_model,
                 integer(1, largest_dimension));
  visit.defaulted({"base", "what frequencies are powers of"}, base, number(base_range()));
  visit.defaulted({"reading", "the exponent of frequency i: -i/(d - 1), i/d - 1, i/(d - 1) or 1 - i/d"},
                  reading, one_of(sine_reading_names));
  const bool divides_by_less_one = reading == Reading::descending || reading == Reading::ascending_from_one;
  visit.require(!divides_by_less_one || d_model > 1, "d_model",
                "at least 2, as the frequencies divide by d_model - 1");
}

GeometricFrequencies SineOnlySpec::frequencies() const {
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

std::vector<TensorDefinition> SineOnlySpec::tensors() const {
  return {TrigTable{"encoding", frequencies(), 1, sines_of(static_cast<int>(d_model)), std::nullopt}};
}

std::string SineOnlySpec::summary() const {
  return fmt::format("sines only, d_model {}, frequencies {}^({})", d_model, to_string(base),
                     exponents[static_cast<std::size_t>(reading)]);
}

}  // namespace

Scheme sine_only_scheme() {
  return {"sine_only",
          "a sine a column, no cosines, frequencies in a geometric progression",
          {R"({"scheme":"sine_only","d_model":12,"reading":"descending"})"},
          {form_of<SineOnlySpec>()}};
}

}  // namespace vernier
