#pragma once

#include "reports/verdict.hpp"

namespace vernier {

/// The verdict with every text in it, names given by strangers among them, on one line and safe to show: see
/// `one_line`. JSON alone tells texts as they are, as it can quote all of them.
Verdict visible(Verdict verdict);

}  // namespace vernier
