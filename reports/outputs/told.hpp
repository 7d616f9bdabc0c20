#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// Which share of the positions was asked for, by which seed, and how questions were put: a sentence each.
/// Empty of a run that asked nobody.
std::vector<std::string> asking_sentences(const Verdict& verdict);

/// What must stand beside the outcome where a small sample was wanted: "QUICK LOOK at 4.7 % of the positions,
/// not the full question". Empty otherwise.
std::string caution(const Verdict& verdict);

/// The verdict with every text in it, names given by strangers among them, on one line and safe to show: see
/// `one_line`. JSON alone tells texts as they are, as it can quote all of them.
Verdict visible(Verdict verdict);

/// What a check measured, as names and values for a tool's key-value list: "worst used", "0.47". Numbers that
/// are not finite read "inf" and "nan".
std::vector<std::pair<std::string, std::string>> measurements(const Check& check);

}  // namespace vernier
