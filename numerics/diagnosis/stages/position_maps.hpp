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
