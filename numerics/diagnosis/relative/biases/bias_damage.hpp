#pragma once

#include <vector>

#include "numerics/diagnosis/relative/biases/bias_model.hpp"

namespace vernier {

/// What single elements or heads that were overwritten explain of that which a computation does not.
/// \param judgement of that computation
std::vector<Explanation> damage_of(const BiasSubject& subject, const NearestModel<BiasModel>& nearest,
                                   const BiasJudgement& judgement);

}  // namespace vernier
