#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// The sinusoids R of Transformer-XL (Dai et al. 2019), section 3.3: the row of the offset i - j of a query i
/// from a key j. The paper's frequencies, all sines before all cosines; the rows of K keys descend from the
/// offset K - 1 to 0, as the authors' code makes them. How scores by offset become scores by key a test says
/// (relative_shift.hpp).
struct TransformerXlSpec {
  static constexpr std::string_view scheme = "transformer_xl";

  std::int64_t d_model = 2;
  Rational base = 10000;
  std::optional<std::int64_t> clamp_len = std::nullopt;

  void keys(KeyVisitor& visit) {
    visit.required({"d_model", "the width of a row", "dimensions"}, d_model, integer(2, largest_dimension));
    visit.require(d_model % 2 == 0, "d_model",
                  "an even number, as half of the columns are sines and half are cosines");
    visit.defaulted({"base", "that of the sinusoid's frequencies"}, base, number(base_range()));
    visit.optional({"clamp_len", "the offset whose row all greater ones have", "positions"}, clamp_len,
                   integer(1, largest_position));
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

}  // namespace

Scheme transformer_xl_scheme() {
  return {"transformer_xl",
          "sinusoids of the offset of a query from a key, from the farthest down (Dai et al. 2019)",
          {R"({"scheme":"transformer_xl","d_model":16})"},
          {form_of<TransformerXlSpec>()}};
}

}  // namespace vernier
