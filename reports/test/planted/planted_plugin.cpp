// A kernel of RoPE that is wrong where a predicate holds, which it reads from the environment when it is
// loaded. It tells questions apart by the coordinates that Vernier chooses them by, read off the tensors.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>

#include "numerics/plugin/vernier_plugin.h"
#include "numerics/processes/data_type.hpp"
#include "reference/numbers/format.hpp"
#include "reports/test/planted/planted_kernel.hpp"

namespace vernier::planted {
namespace {

using PlantedTurns = std::array<std::complex<double>, planted_pairs>;

/// What one process is, and what it was asked.
struct PlantedState {
  PlantedKernel kernel;
  AskedBefore before{0};
  std::optional<QuestionPoint> last = std::nullopt;
  std::uint64_t calls = 0;
};

PlantedState& state() {
  static auto all = [] {
    const char* text = std::getenv(planted_variable);
    return PlantedState{text == nullptr ? PlantedKernel() : parse_planted_kernel(text)};
  }();
  return all;
}

/// Elements of a tensor as doubles; rows may be apart.
class Elements {
 public:
  explicit Elements(const VernierTensor& tensor)
      : tensor_(tensor),
        type_(*element_type_of(tensor.dtype)),
        format_(*traits(type_).format),
        bytes_(traits(type_).bytes) {}

  ElementType type() const { return type_; }
  std::size_t size(std::int32_t dimension) const {
    return static_cast<std::size_t>(tensor_.shape[dimension]);
  }
  std::byte* row(std::size_t index) const {
    std::size_t offset = index * size(tensor_.ndim - 1);
    if (tensor_.strides != nullptr) {
      offset = 0;
      for (auto dimension = tensor_.ndim - 2; dimension >= 0; --dimension) {
        offset += index % size(dimension) * static_cast<std::size_t>(tensor_.strides[dimension]);
        index /= size(dimension);
      }
    }
    return static_cast<std::byte*>(tensor_.data) + offset * bytes_;
  }
  void read(std::size_t index, std::span<double> values) const {
    const auto* at = row(index);
    for (auto& value : values) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, bytes_);
      value = decode_bits(format_, bits);
      at += bytes_;
    }
  }
  void write(std::size_t index, std::span<const double> values) const {
    auto* at = row(index);
    for (const auto value : values) {
      const auto bits = encode_bits(format_, round_to(format_, value));
      std::memcpy(at, &bits, bytes_);
      at += bytes_;
    }
  }

 private:
  const VernierTensor& tensor_;
  ElementType type_;
  Format format_;
  std::size_t bytes_;
};

/// Which numbers that are not finite there are among the vectors.
NotFinite not_finite_of(const Elements& input, std::size_t count) {
  auto found = NotFinite::none;
  std::array<double, planted_head_dim> vector{};
  for (std::size_t index = 0; index < count; ++index) {
    input.read(index, vector);
    for (std::size_t i = 0; i < vector.size(); ++i) {
      if (std::isnan(vector[i]) && i >= 2 * planted_pairs) {
        return NotFinite::nan_in_passing;
      }
      if (std::isnan(vector[i]) || (std::isinf(vector[i]) && found == NotFinite::none)) {
        found = std::isnan(vector[i]) ? NotFinite::nan_in_pair : NotFinite::infinity_in_pair;
      }
    }
  }
  return found;
}

/// Uniform in [0, 1), always the same for the same two numbers.
double hashed_share(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15 + b * 0xd1b54a32d192ed03;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  x ^= x >> 31;
  return std::ldexp(static_cast<double>(x >> 11), -53);
}

std::complex<double> turn_of(std::int64_t position, std::size_t pair, bool in_float32) {
  const double phase = planted_phase(position, pair);
  if (in_float32) {
    const auto narrow = static_cast<float>(position) * static_cast<float>(planted_phase(1, pair));
    return {static_cast<double>(std::cos(narrow)), static_cast<double>(std::sin(narrow))};
  }
  return {std::cos(phase), std::sin(phase)};
}

/// One question being answered.
class PlantedCall {
 public:
  PlantedCall(const PlantedState& process, const QuestionPoint& question)
      : process_(process),
        kernel_(process.kernel),
        question_(question),
        coordinates_(process.before.coordinates_of(question)),
        in_float32_(kernel_.computes_in_float32 && question.type != ElementType::float64),
        may_be_wrong_(kernel_.is_faulty && may_hold(kernel_.where, coordinates_)) {
    for (const auto& atom : kernel_.where) {
      (atom.coordinate == Coordinate::pair ? of_pairs_ : of_vectors_).push_back(atom);
    }
  }

  /// Calls `answer` with the index and the turns of every vector.
  template <class Answer>
  void for_each_vector(Answer answer) {
    const auto copies = question_.own_positions ? question_.batches : 1;
    const auto sequences = question_.heads * question_.batches / copies;
    for (std::size_t copy = 0; copy < copies; ++copy) {
      for (std::size_t row = 0; row < question_.rows; ++row) {
        PlantedTurns right{};
        for (std::size_t pair = 0; pair < planted_pairs; ++pair) {
          right[pair] = turn_of(question_.position(copy, row), pair, in_float32_);
        }
        for (std::size_t sequence = copy * sequences; sequence < (copy + 1) * sequences; ++sequence) {
          const auto index = sequence * question_.rows + row;
          answer(index, may_be_wrong_ ? turns_of(index, right) : right);
        }
      }
    }
  }

  /// An element before it is stored: its last bit of float32 may vary.
  double stored(double value) {
    if (!kernel_.varies) {
      return value;
    }
    const double u = traits(Format::binary32).unit_roundoff();
    return value * (1 + 0.4 * u * (2 * hashed_share(process_.calls, ++stored_) - 1));
  }

 private:
  PlantedTurns turns_of(std::size_t index, const PlantedTurns& right) {
    auto values = with_vector(coordinates_, question_, index);
    if (!holds(of_vectors_, values)) {
      return right;
    }
    auto turns = right;
    const auto place = misplaced(kernel_, question_, index, process_.last ? &*process_.last : nullptr);
    for (std::size_t pair = 0; pair < planted_pairs; ++pair) {
      values[Coordinate::pair] = static_cast<std::int64_t>(pair);
      if (holds(of_pairs_, values)) {
        turns[pair] = misturned(kernel_, turn_of(place, mispaired(kernel_, pair), in_float32_));
      }
    }
    return turns;
  }

  const PlantedState& process_;
  const PlantedKernel& kernel_;
  const QuestionPoint& question_;
  Coordinates coordinates_;
  Predicate of_vectors_;
  Predicate of_pairs_;
  bool in_float32_;
  bool may_be_wrong_;
  std::uint64_t stored_ = 0;
};

template <class Answer>
std::int32_t answer_planted(const VernierTensor& positions, const VernierTensor* input,
                            const VernierTensor& out, Answer answer) {
  const Elements elements(out);
  std::optional<Elements> vectors;
  const auto* first = static_cast<const std::int64_t*>(positions.data);
  const auto count =
      std::accumulate(positions.shape, positions.shape + positions.ndim, std::int64_t{1}, std::multiplies());
  auto question = question_of(Shape(out.shape, out.shape + out.ndim), elements.type(), positions.ndim > 1,
                              {first, first + count});
  question.apart = out.strides != nullptr;
  if (input != nullptr) {
    vectors.emplace(*input);
    question.not_finite = not_finite_of(*vectors, question.count());
  }
  auto& process = state();
  const bool answers = process.kernel.answers(question);
  if (answers) {
    PlantedCall call(process, question);
    std::vector<double> values(elements.size(out.ndim - 1));
    call.for_each_vector([&](std::size_t index, const PlantedTurns& turns) {
      if (vectors) {
        vectors->read(index, values);
      }
      answer(turns, std::span(values));
      std::ranges::transform(values, values.begin(), [&](double value) { return call.stored(value); });
      elements.write(index, values);
    });
    process.last = question;
  }
  process.before.add(question, !answers);
  ++process.calls;
  return answers ? VERNIER_OK : VERNIER_UNSUPPORTED;
}

std::int32_t planted_supports(const char* spec, const char* role, VernierDataType dtype) {
  const std::string_view name(role);
  const bool has_role = name == "rotated" || (state().kernel.has_tables && (name == "cos" || name == "sin"));
  const bool has_type = (dtype.code == VERNIER_FLOAT && dtype.bits >= 16) || dtype.code == VERNIER_BFLOAT;
  return has_role && has_type && std::string_view(spec).starts_with(R"({"scheme":"rope","head_dim":64,)")
             ? VERNIER_OK
             : VERNIER_UNSUPPORTED;
}

std::int32_t planted_table(const char*, const char* role, const VernierTensor* positions,
                           const VernierTensor* out) {
  const bool is_cosine = std::string_view(role) == "cos";
  return answer_planted(*positions, nullptr, *out, [&](const PlantedTurns& turns, std::span<double> row) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      const auto& turn = turns[column % planted_pairs];
      row[column] = is_cosine ? turn.real() : turn.imag();
    }
  });
}

std::int32_t planted_rotate(const char*, const VernierTensor* positions, const VernierTensor* input,
                            const VernierTensor* out) {
  return answer_planted(*positions, input, *out, [](const PlantedTurns& turns, std::span<double> vector) {
    for (std::size_t pair = 0; pair < planted_pairs; ++pair) {
      const double x = vector[pair];
      const double y = vector[pair + planted_pairs];
      vector[pair] = x * turns[pair].real() - y * turns[pair].imag();
      vector[pair + planted_pairs] = x * turns[pair].imag() + y * turns[pair].real();
    }
  });
}

std::uint64_t planted_capabilities(const PlantedKernel& kernel) {
  std::uint64_t bits = 0;
  bits |= kernel.contiguous_only ? std::uint64_t{VERNIER_TAKES_CONTIGUOUS_ONLY} : 0;
  bits |= kernel.one_length ? std::uint64_t{VERNIER_TAKES_ONE_LENGTH} : 0;
  bits |= kernel.takes_strides ? std::uint64_t{VERNIER_TAKES_STRIDES} : 0;
  bits |= kernel.takes_own_positions ? std::uint64_t{VERNIER_TAKES_BATCHED_POSITIONS} : 0;
  return bits;
}

}  // namespace
}  // namespace vernier::planted

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  using namespace vernier::planted;
  static const VernierPlugin plugin{VERNIER_PLUGIN_ABI_VERSION,
                                    sizeof(VernierPlugin),
                                    planted_capabilities(state().kernel),
                                    "planted",
                                    "1",
                                    planted_supports,
                                    planted_table,
                                    planted_rotate,
                                    nullptr,
                                    nullptr};
  return &plugin;
}
