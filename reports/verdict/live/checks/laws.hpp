#pragma once

#include <cstdint>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "numerics/processes/live_implementation.hpp"
#include "reference/schemes/encoding.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// How laws are tried on a live implementation.
struct LivePropertyOptions {
  std::uint64_t seed = 20170612;     ///< the base seed: every law derives its own from it
  int cases = 100;                   ///< of each law, >= 1
  std::int64_t lowest_position = 0;  ///< <= 0
  std::int64_t first_position = 0;   ///< that the implementation promises: laws ask from 0 on all the same
  std::int64_t highest_position = 4095;  ///< >= 1
  const Contract* contract = nullptr;    ///< null: the default of the type
  bool has_gradients = false;            ///< RoPE: it takes gradients of rotated vectors back
  std::size_t table_width = 0;  ///< of cos and sin, as the implementation lays them out; 0: the pairs
};

/// Tries every law of the encoding's scheme on an implementation, over drawn positions and vectors, and
/// shrinks what fails against the implementation itself: checks "law/<law id>", one a law.
///
/// The cases of all laws are drawn first on an honest stand-in, what they ask for is asked in one request,
/// and so on until nothing is unknown: two requests where a law rotates what was rotated, else one. An
/// implementation that costs a process is asked at most eight times more for shrinking, all failing laws
/// together; another as often as shrinking likes, within a bound. A case is judged only where all its answers
/// are the implementation's.
///
/// An implementation that fails to answer ends in checks with status error, one that rejects positions of
/// the range or does not support what is asked in inconclusive and skipped ones.
/// Not for several threads: generators are not.
/// \param type of what is asked, floating-point
std::vector<Check> live_property_checks(LiveImplementation& implementation, const Encoding& encoding,
                                        ElementType type, const LivePropertyOptions& options = {});

}  // namespace vernier
