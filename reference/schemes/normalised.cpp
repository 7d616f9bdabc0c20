#include <array>
#include <cstdint>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> share_reading_names{"zero_to_one", "zero_to_below_one",
                                                              "above_zero_to_one"};
constexpr std::array<std::string_view, 3> formulas{"t/(L - 1)", "t/L", "(t + 1)/L"};

/// The position as a share of the sequence's length L, in one column, for 0 <= t < L. Texts that "mark the
/// positions by numbers in [0, 1]" mean one of three things.
struct NormalisedSpec {
  /// zero_to_one: t/(L - 1), both ends reached, undefined at L = 1. zero_to_below_one: t/L.
  /// above_zero_to_one: (t + 1)/L.
  enum class Reading { zero_to_one, zero_to_below_one, above_zero_to_one };

  static constexpr std::string_view scheme = "normalised";

  std::int64_t length = 0;  ///< L
  Reading reading = Reading::zero_to_one;

  void keys(KeyVisitor& visit) {
    visit.required({"length", "L, the length of the sequence", "positions"}, length,
                   integer(1, largest_position));
    visit.defaulted({"reading", "t/(L - 1), t/L or (t + 1)/L"}, reading, one_of(share_reading_names));
    visit.require(reading != Reading::zero_to_one || length > 1, "length",
                  "at least 2, as t/(L - 1) is undefined for a length of 1");
  }

  std::string summary() const {
    return fmt::format("normalised position {}, length {}", formulas[static_cast<std::size_t>(reading)],
                       length);
  }

  Rational share(std::int64_t position) const {
    return Rational(position + (reading == Reading::above_zero_to_one ? 1 : 0),
                    length - (reading == Reading::zero_to_one ? 1 : 0));
  }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [spec = *this](std::int64_t position, std::size_t) { return spec.share(position); };
    return {ExactTable{.role = "encoding",
                       .columns = 1,
                       .factor = factor,
                       .making = ExactTable::Making::quotient,
                       .first_position = 0,
                       .last_position = length - 1}};
  }
};

}  // namespace

Scheme normalised_scheme() {
  return {"normalised",
          "the position as a share of the sequence's length, in [0, 1]",
          {R"({"scheme":"normalised","length":300,"reading":"zero_to_one"})"},
          {form_of<NormalisedSpec>()}};
}

}  // namespace vernier
