#pragma once

#include <functional>

#include "numerics/diagnosis/computation/computation.hpp"
#include "numerics/diagnosis/computation/suspect.hpp"

namespace vernier {

/// The number near `start` with which a computation is nearest to the tensors in least squares: a few
/// Gauss-Newton steps over some hundred rows, elements that are far off left out. \param set puts the number
/// into a copy of the base \param step of the derivative
double polished(const Suspect& suspect, const Computation& base, double start, double step,
                const std::function<void(Computation&, double)>& set);

}  // namespace vernier
