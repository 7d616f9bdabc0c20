#include "numerics/contracts/contracts.hpp"

namespace vernier {

Contract exact_contract() {
  return {"exact",
          "equality: for buckets and integers, and for slopes, biases and values that their format holds",
          "nothing",
          nullptr,
          [](const Slope&, Format stored) {
            return BiasBudget{stored, 0, 0};
          },
          BucketTolerance::none,
          [](const ExactTable&, Format stored) {
            return BiasBudget{stored, 0, 0};
          },
          [](const ComputedReal&, Format stored) {
            return BiasBudget{stored, 0, 0};
          }};
}

}  // namespace vernier
