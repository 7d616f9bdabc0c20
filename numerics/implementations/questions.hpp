#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "numerics/cases/quantization.hpp"
#include "numerics/implementations/position_sample.hpp"
#include "numerics/implementations/request.hpp"
#include "reference/encoding.hpp"
#include "reference/position_range.hpp"

namespace vernier {

struct QuestionOptions {
  ElementType type = ElementType::float32;  ///< of what is no integer by nature; a floating-point type
  std::optional<PositionRange> positions = std::nullopt;  ///< else the declared context: see asked_range()
  /// How tensors of eight bits are stored: vectors are so small that their products stay within the format.
  std::optional<Quantization> quantization = std::nullopt;
  std::uint64_t seed = 1;               ///< of vectors, and of the sample where not all is asked
  std::vector<std::string> roles = {};  ///< only these; empty for all
  bool gradients = false;               ///< where all are asked for, gradients of vectors as well
  bool quick = false;                   ///< ask a small sample of the positions
  bool thorough = false;                ///< ten times the questions of the covering design
  bool by_hand = false;                 ///< one request for all tensors, as large as a file may be
};

/// Tensors that are computed together, in the shapes in which implementations lay them out: one request for
/// each, the likeliest first. Who does not do the first may do another.
struct Question {
  std::vector<Request> ways = {};
  PositionRange range = {};             ///< of all positions that there are to be asked for
  std::vector<std::int64_t> rows = {};  ///< of the range, which the ways ask for; ascending
  /// The same at fewer positions, for whom this is too much: a small sample, and one in few runs. To be
  /// called while the encoding lives.
  std::vector<std::function<Question()>> smaller = {};

  PositionCoverage coverage() const { return coverage_of(rows, static_cast<std::uint64_t>(range.count)); }
};

/// Everything that an implementation of the encoding can be asked. Tables are asked for whole, unless all
/// together take more than a GiB: the answer is then held twice, compared with itself, once more where it is
/// shared with a plug-in, and so stays within the memory of small machines. What is beyond is sampled, and so
/// are vectors to rotate, each element of which costs several of a table.
/// \throws InputError for a role that the encoding does not have, and for positions at which it is not
/// defined
std::vector<Question> questions_of(const Encoding& encoding, const QuestionOptions& options);

/// The positions that there are to be asked for: those given, else from the encoding's first to
/// last_probed_position(), the relative ones of both signs. Where the encoding counts in a fraction, so does
/// the result, and the fractions after each position are among them; unless those given are further apart, or
/// tokens have several, whose positions beside each other are drawn. \throws InputError for given ones beyond
/// the length that the encoding's frequencies belong to
PositionRange asked_range(const Encoding& encoding, const std::optional<PositionRange>& given);

/// The last position of an encoding that is asked for: that of the sequence whose length its frequencies
/// depend on, or of the context that its spec states, else 131071; in what its positions count in.
std::int64_t last_probed_position(const Encoding& encoding);
/// The first one, likewise.
std::int64_t first_probed_position(const Encoding& encoding);
/// Whether the spec says how far positions go.
bool declares_context(const Encoding& encoding);

/// The share that a request asks for of what there is to be asked for. Nothing where tokens have several
/// positions.
std::optional<PositionCoverage> coverage_of(const Encoding& encoding, const Request& request);

/// What is wanted in every shape that the encoding knows for its role, the wanted one first.
std::vector<WantedTensor> in_known_widths(const Encoding& encoding, const WantedTensor& wanted);

/// One request for all that several want. \pre at the same positions, and with one input at most
Request merged(const std::vector<Request>& requests);

}  // namespace vernier
