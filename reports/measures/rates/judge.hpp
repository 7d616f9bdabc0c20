#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/measures/rates/design.hpp"
#include "reports/verdict/live/live_session.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier::rates {

/// Asks the design. \param seed of the questions and the laws \param cases of each law
Verdict judge_live(const Design& design, std::uint64_t seed, int cases);

/// The tensors that it makes of one question about its context. \param roles only these; empty for all
std::vector<Asked> answers_of(const Design& design, std::vector<std::string> roles, std::uint64_t seed);

/// Judges the tensors that it makes of one question about its context, as those of a case: see answers_of().
Verdict judge_tensors(const Design& design, std::vector<std::string> roles, std::uint64_t seed);

/// The first check that failed or was not concluded, and its reason; empty if there is none.
std::string finding_of(const Verdict& verdict);
/// Every check with its counterexample, as text.
std::string checks_of(const Verdict& verdict);

}  // namespace vernier::rates
