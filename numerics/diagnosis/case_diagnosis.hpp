#pragma once

#include <vector>

#include "numerics/computation/finding.hpp"
#include "numerics/tensors/case.hpp"

namespace vernier {

/// Why the tensors of a case fail: one diagnosis of those that one computation makes; nothing of those no
/// element of which does.
///
/// What each kind of tensor shows is told by the searches of that kind. What is the same for all is tried of
/// all: what the failing elements are (shown_elements.cpp), and every key of the spec with its other values
/// (spec_search.cpp).
/// \param threads how many may work; the result does not depend on it
std::vector<Diagnosis> diagnose(const Case& subject, unsigned threads);

}  // namespace vernier
