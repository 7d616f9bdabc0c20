#pragma once

#include <string>
#include <vector>

#include "reports/verdict.hpp"

namespace vernier {

/// Which share of the positions was asked for, by which seed, and how questions were put: a sentence each.
/// Empty of a run that asked nobody.
std::vector<std::string> asking_sentences(const Verdict& verdict);

/// What must stand beside the outcome where a small sample was wanted: "QUICK LOOK at 4.7 % of the positions,
/// not the full question". Empty otherwise.
std::string caution(const Verdict& verdict);

}  // namespace vernier
