#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_column_exponent() {
  return {
      .id = "column-exponent",
      .description =
          "base^(-c/d) with the index c of the column: sine and cosine of a pair get different frequencies",
      .caught_by = {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/constant-norm",
                    "sinusoidal/shift-group", "sinusoidal/offset-only"},
      .escapes = {"sinusoidal/bounded", "sinusoidal/unique"},
      .table = [](const SinusoidalSpec& spec) {
        return table_of(spec, [spec](std::int64_t t, const Element& e) {
          // Two columns make a step of the pair's own frequency, so the second one is half a step on.
          const double half_step =
              std::pow(approximately(spec.base), -1.0 / static_cast<double>(spec.d_model));
          const bool second =
              (e.component == Component::sine) != (spec.order == SinusoidalSpec::Order::sin_cos);
          return honest_value(static_cast<double>(t) * e.frequency * (second ? half_step : 1), e);
        });
      }};
}

}  // namespace vernier
