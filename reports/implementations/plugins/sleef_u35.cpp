// SLEEF's functions whose error is bounded by 3.5 ulp.

#include "reports/implementations/plugins/sleef.hpp"

namespace interop {

const Trigonometry trigonometry = {"SLEEF, 3.5 ulp", sleef_version(), in_float32<Sleef_sincosf4_u35>,
                                   in_float64<Sleef_sincosd2_u35>};

}  // namespace interop
