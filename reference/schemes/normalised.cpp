#include <array>
#include <cstdint>

#include <fmt/core.h>

#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The position as a share of the sequence's length L, in one column, for 0 <= t < L. Texts that "mark the
/// positions by numbers in [0, 1]" mean one of three things.
struct NormalisedSpec {
  /// zero_to_one: t/(L - 1), both ends reached, undefined at L = 1. zero_to_below_one: t/L.
  /// above_zero_to_one: (t + 1)/L.
  enum class Reading { zero_to_one, zero_to_below_one, above_zero_to_one };

  std::int64_t length = 0;  ///< L, [1, 2^31]; at least 2 for zero_to_one
  Reading reading = Reading::zero_to_one;

  Rational share(std::int64_t position) const;
};

class NormalisedEncoding final : public Encoding {
 public:
  explicit NormalisedEncoding(const NormalisedSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "normalised"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  NormalisedSpec spec_;
};

constexpr std::array<std::string_view, 3> normalised_reading_names{"zero_to_one", "zero_to_below_one",
                                                                   "above_zero_to_one"};
constexpr std::array<std::string_view, 3> formulas{"t/(L - 1)", "t/L", "(t + 1)/L"};

std::unique_ptr<Encoding> parse_normalised(ObjectReader& reader) {
  NormalisedSpec spec;
  spec.length = reader.integer("length", 1, largest_position);
  spec.reading = static_cast<NormalisedSpec::Reading>(reader.choice(
      "reading", {normalised_reading_names[0], normalised_reading_names[1], normalised_reading_names[2]}, 0));
  if (spec.reading == NormalisedSpec::Reading::zero_to_one && spec.length == 1) {
    reader.refuse("length", "at least 2, as t/(L - 1) is undefined for a length of 1");
  }
  return std::make_unique<NormalisedEncoding>(spec);
}

Rational NormalisedSpec::share(std::int64_t position) const {
  switch (reading) {
    case NormalisedSpec::Reading::zero_to_below_one:
      return Rational(position, length);
    case NormalisedSpec::Reading::above_zero_to_one:
      return Rational(position + 1, length);
    case NormalisedSpec::Reading::zero_to_one:
      break;
  }
  return Rational(position, length - 1);
}

std::vector<TensorDefinition> NormalisedEncoding::define_tensors() const {
  const auto factor = [spec = spec_](std::int64_t position, std::size_t) { return spec.share(position); };
  return {ExactTable{.role = "encoding",
                     .columns = 1,
                     .factor = factor,
                     .making = ExactTable::Making::quotient,
                     .first_position = 0,
                     .last_position = spec_.length - 1}};
}

std::string NormalisedEncoding::summary() const {
  return fmt::format("normalised position {}, length {}", formulas[static_cast<std::size_t>(spec_.reading)],
                     spec_.length);
}

OrderedJson NormalisedEncoding::spec() const {
  return {{"scheme", "normalised"},
          {"length", spec_.length},
          {"reading", normalised_reading_names[static_cast<std::size_t>(spec_.reading)]}};
}

}  // namespace

Scheme normalised_scheme() {
  return {"normalised",
          "the position as a share of the sequence's length, in [0, 1]",
          parse_normalised,
          {R"({"scheme":"normalised","length":300,"reading":"zero_to_one"})"}};
}

}  // namespace vernier
