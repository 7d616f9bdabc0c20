#pragma once

#include <chrono>

#include "reference/json.hpp"
#include "reports/verdict.hpp"

namespace vernier {

/// How long drafted waivers hold: long enough to mend a kernel, short enough to be asked again.
inline constexpr std::chrono::days drafted_for{90};

/// A file of waivers for everything that fails in this run, which somebody has to complete: each entry covers
/// its failure where it lies and as bad as it is, rounded up to three digits, and its reason and issue say
/// that they are to be replaced.
OrderedJson drafted_waivers(const Verdict& verdict, std::chrono::year_month_day today);

}  // namespace vernier
