#pragma once

#include <cfenv>

#include "reports/library/vernier.h"
#include "reports/verdict.hpp"

namespace vernier {

/// What a call of the library asks, and whom.
struct LiveCall {
  const char* spec;
  const char* options;
  VernierImplementation function;
  void* user;
  const std::fenv_t& environment;  ///< of the caller
};

/// As vernier_validate() says. \throws InputError, StoppedByCaller
Verdict judge_called(const LiveCall& call);

/// As vernier_questions() says. \throws InputError, StoppedByCaller
void tell_questions(const LiveCall& call);

}  // namespace vernier
