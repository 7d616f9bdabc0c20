#include "reference/rope_scaling/linear.hpp"

#include "reference/rope_scaling/scaling_parameters.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {

LinearScaling LinearScaling::read(ObjectReader& reader, const RotaryContext&) {
  return {read_scaling_factor(reader)};
}

OrderedJson LinearScaling::parameters() const {
  return {{"factor", json_number(factor)}};
}

std::string LinearScaling::summary() const {
  return "linear scaling by " + to_string(factor);
}

}  // namespace vernier
