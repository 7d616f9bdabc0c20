#pragma once

namespace vernier {

/// What a RoPE scaling does with a pair: leaves its frequency as it is, divides it by the whole factor, or
/// something between.
enum class PairTreatment { unchanged, blended, divided };

}  // namespace vernier
