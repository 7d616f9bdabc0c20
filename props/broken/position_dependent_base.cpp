#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_position_dependent_base() {
  return {
      .id = "position-dependent-base",
      .description =
          "the base grows with the position beyond 128, as when dynamic NTK scaling is recomputed at every"
          " step",
      .caught_by = {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/shift-group",
                    "sinusoidal/offset-only", "sinusoidal/symmetric"},
      .escapes = {"sinusoidal/bounded", "sinusoidal/constant-norm", "sinusoidal/unique"},
      .table = [](const SinusoidalSpec& spec) {
        return table_of(spec, [spec](std::int64_t t, const Element& e) {
          const double length = std::fabs(static_cast<double>(t));
          const double growth =
              length > 128
                  ? std::pow(length / 128, -static_cast<double>(e.pair) / static_cast<double>(spec.d_model))
                  : 1;
          return honest_value(static_cast<double>(t) * e.frequency * growth, e);
        });
      }};
}

}  // namespace vernier
