#pragma once

#include <string>

#include "numerics/cases/case.hpp"
#include "reports/verdict.hpp"

namespace vernier {

/// Judges a case by every kind of check that concerns it, and names the likely fault if the tensors agree
/// with another reading of the spec. \param reproduce the command that does this again
Verdict validate(const Case& subject, std::string reproduce);

}  // namespace vernier
