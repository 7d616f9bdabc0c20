#include "numerics/diagnosis/fault_kinds.hpp"

namespace vernier {

FaultKinds unexplained_kinds() {
  static constexpr FaultKind unexplained{
      .id = "unexplained",
      .stage = Stage::damage,
      .title = "no computation that was tried predicts the tensors",
      .means = "What a model makes of them cannot be said: look at where the elements fail, and by how much.",
      .advice =
          "Compare the recovered frequencies with the declared ones, and look at the rows and columns "
          "in which elements fail."};
  return {&unexplained};
}

}  // namespace vernier
