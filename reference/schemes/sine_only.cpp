#include <array>
#include <cstdint>

#include <fmt/core.h>

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

  std::int64_t d_model = 0;  ///< [1, 2^20]; at least 2 for the readings that divide by d - 1
  Rational base = 10000;     ///< > 1
  Reading reading = Reading::descending;

  GeometricFrequencies frequencies() const;
};

class SineOnlyEncoding final : public Encoding {
 public:
  explicit SineOnlyEncoding(SineOnlySpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "sine_only"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  SineOnlySpec spec_;
};

constexpr std::array<std::string_view, 4> sine_reading_names{"descending", "ascending_to_one",
                                                             "ascending_from_one", "descending_to_one"};
constexpr std::array<std::string_view, 4> exponents{"-i/(d - 1)", "i/d - 1", "i/(d - 1)", "1 - i/d"};

std::unique_ptr<Encoding> parse_sine_only(ObjectReader& reader) {
  SineOnlySpec spec;
  spec.d_model = reader.integer("d_model", 1, largest_dimension);
  spec.base = read_base(reader, "base").value_or(spec.base);
  spec.reading = static_cast<SineOnlySpec::Reading>(reader.choice(
      "reading", {sine_reading_names[0], sine_reading_names[1], sine_reading_names[2], sine_reading_names[3]},
      0));
  const bool divides_by_less_one = spec.reading == SineOnlySpec::Reading::descending ||
                                   spec.reading == SineOnlySpec::Reading::ascending_from_one;
  if (divides_by_less_one && spec.d_model == 1) {
    reader.refuse("d_model", "at least 2, as the frequencies divide by d_model - 1");
  }
  return std::make_unique<SineOnlyEncoding>(std::move(spec));
}

GeometricFrequencies SineOnlySpec::frequencies() const {
  const auto d = static_cast<int>(d_model);
  switch (reading) {
    case SineOnlySpec::Reading::ascending_to_one:
      return {base, Rational(-1, d), d, -1};
    case SineOnlySpec::Reading::ascending_from_one:
      return {base, Rational(-1, d - 1), d, 0};
    case SineOnlySpec::Reading::descending_to_one:
      return {base, Rational(1, d), d, 1};
    case SineOnlySpec::Reading::descending:
      break;
  }
  return {base, Rational(1, d - 1), d, 0};
}

std::vector<TensorDefinition> SineOnlyEncoding::define_tensors() const {
  return {
      TrigTable{"encoding", spec_.frequencies(), 1, sines_of(static_cast<int>(spec_.d_model)), std::nullopt}};
}

std::string SineOnlyEncoding::summary() const {
  return fmt::format("sines only, d_model {}, frequencies {}^({})", spec_.d_model, to_string(spec_.base),
                     exponents[static_cast<std::size_t>(spec_.reading)]);
}

OrderedJson SineOnlyEncoding::spec() const {
  return {{"scheme", "sine_only"},
          {"d_model", spec_.d_model},
          {"base", json_number(spec_.base)},
          {"reading", sine_reading_names[static_cast<std::size_t>(spec_.reading)]}};
}

}  // namespace

Scheme sine_only_scheme() {
  return {"sine_only",
          "a sine a column, no cosines, frequencies in a geometric progression",
          parse_sine_only,
          {R"({"scheme":"sine_only","d_model":12,"reading":"descending"})"}};
}

}  // namespace vernier
