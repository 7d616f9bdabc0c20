#pragma once

#include "props/judging/check.hpp"
#include "props/laws/law.hpp"

namespace vernier {

/// Draws cases of a law in a domain, and makes a case simpler: small dimensions, base 2, default conventions,
/// small positions, vectors of few, short numbers. \param law must outlive the generator \param domain holds
/// 0 and 1  \param stored vectors are made of values of this format
Generator<LawCase> case_generator(const Law& law, const LawDomain& domain, Format stored);

}  // namespace vernier
