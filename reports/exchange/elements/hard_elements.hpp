#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "numerics/searches/near_midpoints.hpp"
#include "reports/exchange/elements/element_value.hpp"
#include "reports/words/progress.hpp"

namespace vernier {

/// A position at which the phase of a pair is hard to reduce.
struct HardPhase {
  std::int64_t position = 0;
  int pair = 0;
  ReducedPhase reduced = {};
};

/// Elements of a format that are hard to round.
struct HardRoundings {
  Format format = Format::binary32;
  std::vector<NearMidpoint> elements = {};  ///< of each pair's sine and cosine the hardest
};

/// The hardest elements of a table of sines and cosines at positions 1 to `last`. Those below 0 are as hard.
struct HardElements {
  std::int64_t last = 0;
  std::uint64_t elements = 0;          ///< how many were looked at, of each format
  std::vector<HardPhase> phases = {};  ///< of each pair that turns by pi/4 and more the nearest to pi/2 k
  std::vector<HardRoundings> roundings = {};
};

/// \param table of tables_of_sines()  \param last in [1, 2^31)
HardElements hard_elements(const TrigTable& table, std::int64_t last, std::span<const Format> formats,
                           unsigned threads, Progress& progress);

/// In words, of each kind so many, the hardest first.
std::string hard_elements_text(const Encoding& encoding, HardElements hard, std::size_t most);

/// All of them as JSON, by pair.
std::string hard_elements_json(const Encoding& encoding, const HardElements& hard);

}  // namespace vernier
