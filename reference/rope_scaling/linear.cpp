#include "reference/rope_scaling/linear.hpp"

#include "reference/rope_scaling/scaling_parameters.hpp"

namespace vernier {

void LinearScaling::keys(KeyVisitor& visit, const RotaryContext&) {
  visit_scaling_factor(visit, factor);
}

std::string LinearScaling::summary() const {
  return "linear scaling by " + to_string(factor);
}

}  // namespace vernier
