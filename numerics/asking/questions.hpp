#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "numerics/asking/position_sample.hpp"
#include "numerics/elements/quantization.hpp"
#include "numerics/formats/tensor.hpp"
#include "numerics/processes/request.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// Vectors to rotate, [rows, width], exact in their type, of magnitude below 4, each bit of the significand
/// used, some elements zero and some powers of two, where other paths are taken.
///
/// They have the type of the results, unless that only stores: then they are float32, and exact in bfloat16
/// too, so that kernels that compute in either are asked the same. They are smaller by a power of two that
/// makes up for the factor of a quantization: what is stored stays within the format.
Tensor made_vectors(ElementType of_results, std::size_t rows, std::size_t width, std::uint64_t seed,
                    const std::optional<Quantization>& quantization);

/// e >= 0 such that 2^-e makes up for the factor of a quantization.
int exponent_of(const std::optional<Quantization>& quantization);

/// The encoding as whoever takes real positions is asked for it: its positions count in a fraction 2^-k, so
/// fine that there are some 2^14 of them, at least halves, and as far as the type holds each. So a range of
/// [0, 1000) is asked in sixteenths, and [-1, 1) in parts of 2^-12, which neither bfloat16 nor float16 holds.
/// A `position_unit` of the spec is kept.
///
/// Null where only integers are asked for: the scheme takes no others, its frequencies belong to a length, or
/// its padding to an integer.
/// \param type of the positions, a floating-point type \param given the positions to be asked for; nothing:
/// all \param source of the spec, for errors
std::unique_ptr<Encoding> in_fractions(const Encoding& encoding, ElementType type,
                                       const std::optional<PositionRange>& given, const std::string& source);

/// How many of what an encoding's positions count in make up 1; 1 too where a unit is more than that.
std::int64_t numbers_of_one(const Encoding& encoding);

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
