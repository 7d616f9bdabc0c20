#include "numerics/contracts/contracts.hpp"

namespace vernier {

Contract exact_contract() {
  return {"exact",
          "equality: for buckets, and for slopes and biases that their format holds",
          "nothing",
          nullptr,
          [](const Slope&, Format stored) { return BiasBudget{stored, 0, 0}; },
          BucketTolerance::none};
}

}  // namespace vernier
