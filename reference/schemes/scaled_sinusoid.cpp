#include <cstdint>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// (t/C) f(t), with f(t) the encoding of the paper: a sinusoid whose amplitude grows with the position.
struct ScaledSinusoidSpec {
  SinusoidalSpec sinusoid;  ///< f: interleaved, sine first, the paper's frequencies
  Rational divisor = 1;     ///< C > 0
};

class ScaledSinusoidEncoding final : public Encoding {
 public:
  explicit ScaledSinusoidEncoding(ScaledSinusoidSpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "scaled_sinusoid"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  ScaledSinusoidSpec spec_;
};

std::unique_ptr<Encoding> parse_scaled_sinusoid(ObjectReader& reader) {
  ScaledSinusoidSpec spec;
  spec.sinusoid.d_model = reader.integer("d_model", 1, largest_dimension);
  spec.sinusoid.base = read_base(reader, "base").value_or(spec.sinusoid.base);
  const auto divisor = read_positive(reader, "divisor");
  if (!divisor) {
    reader.refuse("divisor", "the number C that positions are divided by");
  }
  spec.divisor = *divisor;
  return std::make_unique<ScaledSinusoidEncoding>(std::move(spec));
}

std::vector<TensorDefinition> ScaledSinusoidEncoding::define_tensors() const {
  const auto factor = [divisor = spec_.divisor](std::int64_t position, std::size_t) {
    return Rational(position / divisor);
  };
  return {ExactTable{.role = "encoding",
                     .columns = static_cast<std::size_t>(spec_.sinusoid.d_model),
                     .factor = factor,
                     .making = ExactTable::Making::quotient,
                     .sines = SinusoidalEncoding(spec_.sinusoid).table()}};
}

std::string ScaledSinusoidEncoding::summary() const {
  return fmt::format("sinusoid times position over {}, d_model {}, base {}", to_string(spec_.divisor),
                     spec_.sinusoid.d_model, to_string(spec_.sinusoid.base));
}

OrderedJson ScaledSinusoidEncoding::spec() const {
  return {{"scheme", "scaled_sinusoid"},
          {"d_model", spec_.sinusoid.d_model},
          {"base", json_number(spec_.sinusoid.base)},
          {"divisor", json_number(spec_.divisor)}};
}

}  // namespace

Scheme scaled_sinusoid_scheme() {
  return {"scaled_sinusoid",
          "the sinusoid of the paper, multiplied by position/C: it grows without bound",
          parse_scaled_sinusoid,
          {R"({"scheme":"scaled_sinusoid","d_model":12,"divisor":100})"}};
}

}  // namespace vernier
