#include <cstdint>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// (t/C) f(t), with f(t) the encoding of the paper: a sinusoid whose amplitude grows with the position.
struct ScaledSinusoidSpec {
  static constexpr std::string_view scheme = "scaled_sinusoid";

  SinusoidalSpec sinusoid;  ///< f: interleaved, sine first, the paper's frequencies
  Rational divisor = 1;     ///< C

  void keys(KeyVisitor& visit) {
    visit.required({"d_model", "the width of a row", "dimensions"}, sinusoid.d_model,
                   integer(1, largest_dimension));
    visit.defaulted({"base", "that of the sinusoid's frequencies"}, sinusoid.base, number(base_range()));
    visit.needed("divisor", "the number C that positions are divided by");
    visit.required({"divisor", "C, that positions are divided by"}, divisor, number(positive_range()));
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

}  // namespace

Scheme scaled_sinusoid_scheme() {
  return {"scaled_sinusoid",
          "the sinusoid of the paper, multiplied by position/C: it grows without bound",
          {R"({"scheme":"scaled_sinusoid","d_model":12,"divisor":100})"},
          {form_of<ScaledSinusoidSpec>()}};
}

}  // namespace vernier
