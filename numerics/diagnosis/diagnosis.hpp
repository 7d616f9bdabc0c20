#pragma once

#include <optional>

#include "numerics/computation/finding.hpp"
#include "numerics/tensors/case.hpp"

namespace vernier {

/// Names what is wrong with tables of sines and cosines of a case, all together: by one position or several,
/// or scaled by it (xPos).
///
/// Recover, propose, predict, accept, rank. The frequency, phase and modulus of every pair are measured;
/// every stage of a computation proposes edits of the declared one, with parameters from the measurements; an
/// edit is accepted only if the edited computation predicts every conclusive element within its budget, more
/// than a fifth being conclusive; what is accepted is ranked by description length. Where no single edit
/// does, a few damaged elements, rows or columns beside it are tried, then two edits of different stages.
/// Nothing is said that did not predict.
///
/// \param threads how many may work; the result does not depend on it
/// \param known what vectors of the same implementation were found to be, which is tried first
/// \pre an element of them fails
Diagnosis diagnose_tables(const Case& subject, unsigned threads, const Diagnosis* known = nullptr);

/// The same of rotated vectors. \param known of the tables that they are rotated by
Diagnosis diagnose_vectors(const Encoding& encoding, const RotatedTensor& vectors, unsigned threads,
                           const Diagnosis* known = nullptr);

/// \name Whether the tables of a case, or rotated vectors, are what an edited spec declares
/// Nothing where that takes the positions otherwise, or is not known. \param patch JSON patch (RFC 6902)
/// @{
std::optional<bool> tables_agree(const Case& subject, const OrderedJson& patch);
std::optional<bool> vectors_agree(const Encoding& encoding, const RotatedTensor& vectors,
                                  const OrderedJson& patch);
/// @}

}  // namespace vernier
