#pragma once

#include <cstdint>

#include "reports/live/live_session.hpp"
#include "reports/rates/design.hpp"
#include "reports/verdict.hpp"

namespace vernier::rates {

/// How an implementation is judged.
enum class Way {
  live,   ///< it is asked (validate_live)
  stored  ///< the tensors that it makes of one question about its context are judged as those of a case
};

/// \param seed of the questions and the laws \param cases of each law
Verdict judge(const Design& design, Way way, std::uint64_t seed, int cases);

/// The answer to one question about the whole context, and the questions.
std::vector<Asked> answers_of(const Design& design, std::uint64_t seed);

}  // namespace vernier::rates
