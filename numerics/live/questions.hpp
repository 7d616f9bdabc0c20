#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numerics/live/request.hpp"
#include "reference/encoding.hpp"
#include "reference/position_range.hpp"

namespace vernier {

struct QuestionOptions {
  ElementType type = ElementType::float32;  ///< of what is no integer by nature; a floating-point type
  std::optional<PositionRange> positions = std::nullopt;  ///< else those of `probing_positions`
  std::uint64_t seed = 1;
  std::vector<std::string> roles = {};  ///< only these; empty for all
};

/// Tensors that are computed together, in the shapes in which implementations lay them out: one request for
/// each, the likeliest first. Who does not do the first may do another.
struct Question {
  std::vector<Request> ways;
};

/// Everything that an implementation of the encoding can be asked, all at the same positions.
/// \throws InputError for a role that the encoding does not have, and for positions at which it is not
/// defined
std::vector<Question> questions_of(const Encoding& encoding, const QuestionOptions& options);

/// Positions that show most: the first 4096, the neighbours of powers of two, and a sample as dense near zero
/// as near the end in proportion; ascending, each once.
/// \param first, last the range, ends included \param most how many at most, at least 16
std::vector<std::int64_t> probing_positions(std::int64_t first, std::int64_t last, std::size_t most,
                                            std::uint64_t seed);

/// The last position of an encoding that is worth asking for: what its spec says, else 131071.
std::int64_t last_probed_position(const Encoding& encoding);

/// One request for all that several want. \pre at the same positions, and with one input at most
Request merged(const std::vector<Request>& requests);

}  // namespace vernier
