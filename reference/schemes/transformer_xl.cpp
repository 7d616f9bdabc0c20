#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// The sinusoids R of Transformer-XL (Dai et al. 2019), section 3.3: the row of the offset i - j of a query i
/// from a key j. The paper's frequencies, all sines before all cosines; the rows of K keys descend from the
/// offset K - 1 to 0, as the authors' code makes them. relative_shift.hpp says how scores by offset become
/// scores by key.
struct TransformerXlSpec {
  std::int64_t d_model = 0;  ///< even, [2, 2^20]
  Rational base = 10000;     ///< > 1
  /// Offsets beyond it have the row of this one; [1, 2^31].
  std::optional<std::int64_t> clamp_len = std::nullopt;

  TrigTable table() const;
};

class TransformerXlEncoding final : public Encoding {
 public:
  explicit TransformerXlEncoding(TransformerXlSpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "transformer_xl"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  /// A table of values where it is clamped.
  std::vector<TensorDefinition> define_tensors() const override;
  PositionRange default_positions(std::int64_t rows) const override { return {rows - 1, -1, rows}; }

 private:
  TransformerXlSpec spec_;
};

std::unique_ptr<Encoding> parse_transformer_xl(ObjectReader& reader) {
  TransformerXlSpec spec;
  spec.d_model = reader.integer("d_model", 2, largest_dimension);
  if (spec.d_model % 2 != 0) {
    reader.refuse("d_model", "an even number, as half of the columns are sines and half are cosines");
  }
  spec.base = read_base(reader, "base").value_or(spec.base);
  spec.clamp_len = reader.optional_integer("clamp_len", 1, largest_position);
  return std::make_unique<TransformerXlEncoding>(std::move(spec));
}

TrigTable TransformerXlSpec::table() const {
  return SinusoidalEncoding({.d_model = d_model, .base = base, .layout = SinusoidalSpec::Layout::halves})
      .table();
}

std::vector<TensorDefinition> TransformerXlEncoding::define_tensors() const {
  if (!spec_.clamp_len) {
    return {spec_.table()};
  }
  return {ExactTable{.role = "encoding",
                     .columns = static_cast<std::size_t>(spec_.d_model),
                     .factor = [](std::int64_t, std::size_t) { return Rational(1); },
                     .sines = spec_.table(),
                     .last_sine_position = spec_.clamp_len}};
}

std::string TransformerXlEncoding::summary() const {
  return fmt::format("Transformer-XL offsets, d_model {}, base {}{}", spec_.d_model, to_string(spec_.base),
                     spec_.clamp_len ? ", clamped at " + std::to_string(*spec_.clamp_len) : std::string());
}

OrderedJson TransformerXlEncoding::spec() const {
  OrderedJson result{
      {"scheme", "transformer_xl"}, {"d_model", spec_.d_model}, {"base", json_number(spec_.base)}};
  if (spec_.clamp_len) {
    result["clamp_len"] = *spec_.clamp_len;
  }
  return result;
}

}  // namespace

Scheme transformer_xl_scheme() {
  return {"transformer_xl",
          "sinusoids of the offset of a query from a key, from the farthest down (Dai et al. 2019)",
          parse_transformer_xl,
          {R"({"scheme":"transformer_xl","d_model":16})"}};
}

}  // namespace vernier
