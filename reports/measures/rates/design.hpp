#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/asking/covering/coordinates.hpp"
#include "numerics/elements/quantization.hpp"
#include "numerics/formats/tensor.hpp"
#include "numerics/processes/response.hpp"
#include "numerics/recipes/recipe.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier::rates {

/// The whole question that a sequence is of.
struct InConversation {
  const QuestionPoint* question = nullptr;  ///< null where it has no rows
  const Coordinates* coordinates = nullptr;
  const QuestionPoint* last = nullptr;  ///< the question before; null: none
};

/// One sequence of what is asked: the rows of a table, or the vectors of one head of one batch.
struct Question {
  std::string_view role;
  std::vector<std::int64_t> positions;  ///< one a row; of the stream that is meant, where there are several
  std::size_t sequence = 0;             ///< which of the leading copies
  std::size_t batch = 0;                ///< its index in the first of the leading dimensions
  std::span<const double> input = {};   ///< [rows, width], of rotated vectors
  InConversation conversation = {};
};

/// A cosine and a sine.
struct Turn {
  double cosine = 1;
  double sine = 0;
};

/// \name Stages of a computation
/// Each of a design's is the honest one, until a fault takes its place or follows it.
/// @{
/// The numbers that the positions of the rows become. \param places those of the question on entry
using Placing = std::function<void(const Question&, std::vector<double>& places)>;
/// The frequencies, where they depend on the question.
using Tuning = std::function<void(const Question&, std::vector<double>& frequencies, double& amplitude)>;
/// What the phase becomes. \param phase position times frequency, as the design rounds it
using Phasing = std::function<double(double place, std::size_t pair, double phase)>;
using Trigonometry = std::function<Turn(double phase)>;
/// What becomes of a cosine and a sine, times the amplitude and unrounded.
using Turning = std::function<Turn(std::int64_t position, std::size_t pair, Turn turn)>;
/// What becomes of an element of the input when it is read.
using Reading = std::function<double(double x)>;
/// The rotated pair. \param round to the format of the arithmetic
using Mixing = std::function<std::pair<double, double>(double x0, double x1, Turn turn)>;
/// What becomes of the values of a sequence before they are stored. \param values [rows, width]
using Finishing = std::function<void(const Question&, std::size_t width, std::span<double> values)>;
/// The number that is stored.
using Storing = std::function<double(double value)>;
/// Why a question is not answered; nothing where it is.
using Refusing = std::function<std::optional<Response>(const Question&)>;
/// The bucket of a relative position.
using Bucketing = std::function<std::int64_t(std::int64_t relative)>;
/// The slope of a head.
using Sloping = std::function<double(std::size_t head)>;
/// What multiplies a slope. \param at the positions of the keys \param queries how many stand at the last of
/// them \param factor what should
using Distancing = std::function<double(const std::vector<std::int64_t>& at, std::size_t queries,
                                        std::size_t query, std::size_t key, std::int64_t factor)>;
/// The axis along which a pair has the position that it turns by, where tokens have several. \param axis that
/// which it should be
using Steering = std::function<int(std::size_t pair, int axis)>;
/// What cosine and sine are multiplied by, where that depends on the position.
using Growing = std::function<double(double place, std::size_t pair, bool of_keys)>;
/// @}

/// An implementation, as data and functions: what it is of, what it computes how, and through which
/// interface. Honest when it is drawn; faults replace stages or append to them.
struct Design {
  std::string spec;                                    ///< JSON text
  std::shared_ptr<const Encoding> encoding;            ///< what it says
  std::optional<std::string> contract = std::nullopt;  ///< else the default of the type
  ElementType type = ElementType::float32;
  std::optional<Quantization> quantization = std::nullopt;  ///< of a type of eight bits
  PositionRange positions;              ///< the context that is judged, consecutive positions
  std::vector<std::string> words = {};  ///< what was chosen, one clause each
  bool contiguous_only = false;         ///< it refuses all but one block of consecutive positions
  bool plain_product = true;            ///< its phases are products of positions and frequencies

  Format compute = Format::binary32;
  bool rounds_phase = true;  ///< to `compute`
  std::vector<double> frequencies = {};
  double amplitude = 1;
  std::shared_ptr<const PhaseRule> rule = nullptr;  ///< where phases are carried from pair to pair
  std::vector<std::pair<std::size_t, std::size_t>> pairs = {};  ///< the dimensions of rotated vectors
  std::size_t rotary_dim = 0;
  double direction = 1;
  bool doubles_columns = false;  ///< its tables of cosines and sines have a column a dimension, not a pair

  std::vector<Placing> placing = {};
  std::vector<Tuning> tuning = {};
  std::vector<Phasing> phasing = {};
  Trigonometry trigonometry = {};
  std::vector<Turning> turning = {};
  std::vector<Reading> reading = {};
  Mixing mixing = {};
  std::vector<Finishing> finishing = {};
  Storing storing = {};
  std::vector<Refusing> refusing = {};
  Bucketing bucketing = {};
  Sloping sloping = {};
  Distancing distancing = {};  ///< none: the honest one
  Steering steering = {};      ///< likewise
  Growing growing = {};        ///< none: nothing grows

  Format stored() const { return *traits(type).format; }
  std::int64_t length() const { return positions.count; }
  bool rotates() const { return !pairs.empty(); }
  bool has_turns() const { return !frequencies.empty(); }
};

}  // namespace vernier::rates
