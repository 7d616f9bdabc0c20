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

/// As stored tensors, only those of these roles.
Verdict judge_tensors(const Design& design, std::vector<std::string> roles, std::uint64_t seed);

}  // namespace vernier::rates
