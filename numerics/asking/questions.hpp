#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "numerics/asking/asked_positions.hpp"
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

/// The share that a request asks for of what there is to be asked for. Nothing where tokens have several
/// positions.
std::optional<PositionCoverage> coverage_of(const Encoding& encoding, const Request& request);

/// What is wanted in every shape that the encoding knows for its role, the wanted one first.
std::vector<WantedTensor> in_known_widths(const Encoding& encoding, const WantedTensor& wanted);

/// One request for all that several want. \pre at the same positions, and with one input at most
Request merged(const std::vector<Request>& requests);

}  // namespace vernier
