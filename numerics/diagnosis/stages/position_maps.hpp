#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {

/// Appends the base with every place mapped.
void propose_map(const Clues& clues, const FaultKind& kind, std::string sentence, double bits, Proposals& out,
                 const std::function<double(double)>& map, const OrderedJson& patch = nullptr);

/// The same, every position larger by as much.
void propose_offset_by(const Clues& clues, const FaultKind& kind, std::int64_t by, double bits,
                       Proposals& out);

/// What positions p along an axis become: s p + o.
struct CoordinateLine {
  double scale;
  double offset;
};
/// The line of an axis, had its positions other ones. \param positions of the axis, 0 .. positions - 1
using OtherLine = std::function<CoordinateLine(const CoordinateLine& own, double positions)>;

/// Appends the base with coordinates of other lines; nothing where all stay the same.
/// \param of_all whether axes are meant too whose positions are coordinates as they are
void propose_lines(const Clues& clues, const FaultKind& kind, std::string sentence, const OtherLine& other,
                   bool of_all, Proposals& out);

/// Maps of positions, read off the rows: which positions each may hold by all of the base but its places.
/// Nothing where all may hold their own. Of tokens that have several positions, one map of all.
void propose_position_maps(const Clues& clues, Proposals& out);

/// Places that are multiplied. By itself that is a factor of the frequencies.
struct ScaledPlaces {
  Proposal proposal;
  double factor;
};
/// By the short factors that measured frequencies are of the declared ones.
void propose_scaled_places(const Clues& clues, std::vector<ScaledPlaces>& out);

}  // namespace vernier
