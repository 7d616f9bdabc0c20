#pragma once

#include "numerics/arithmetic/finding.hpp"
#include "numerics/arithmetic/search.hpp"

namespace vernier {

/// Says of every open stage of a table why it is open: its ways give the same frequencies; they are equal at
/// every position of the declared context, or at as many as were asked; or a position that would tell.
/// \param space with what is left of it
void explain_table_stages(std::vector<StageFinding>& stages, const TableSpace& space, const StoredBits& bits,
                          bool whole_context);

/// The same of the stages of a rotation. Asked are designed inputs, for ordinary ones leave hundreds of pairs
/// of rotations untold: near cancellation, and one in three next to a tie.
/// \param sets what is left, of y0 and of y1 \param table some rows to turn by
void explain_rotation_stages(std::vector<StageFinding>& stages, const RotationSpace& space,
                             const RotationSets& sets, const StoredVectors& vectors,
                             const RowOfPosition& rows);

/// Inputs at which rotations part, for a turn by one sine and cosine. \param number of the input, from 0
TurnedPair designed_input(std::uint64_t number, Format input, Format output, const StoredSine& by,
                          double sign);
/// An input that was made for y0, for a component: y1 = x1 cos - sign x0 sin.
inline TurnedPair made_for(std::size_t component, const TurnedPair& of) {
  return component == 0 ? of : TurnedPair{-of.x1, of.x0, 0, 0};
}

}  // namespace vernier
