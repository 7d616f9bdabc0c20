// SLEEF's functions whose error is bounded by 1.0 ulp.

#include "reports/implementations/plugins/sleef.hpp"

namespace interop {

const Trigonometry trigonometry = {"SLEEF, 1.0 ulp", sleef_version(), in_float32<Sleef_sincosf4_u10>,
                                   in_float64<Sleef_sincosd2_u10>};

}  // namespace interop
