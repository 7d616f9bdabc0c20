#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "reference/frequencies/rope_scaling/rope_scaling.hpp"
#include "reference/schemes/encoding.hpp"
#include "reference/schemes/mrope_axes.hpp"
#include "reference/schemes/real_positions.hpp"

namespace vernier {

/// Rotary position embedding (J. Su et al., "RoFormer", 2021): each pair (x0, x1) of a query or key turns by
/// the angle p w_i, w_i = rope_theta^(-2i/r), where r is the number of dimensions that rotate; or by what a
/// scaling makes of w_i.
struct RopeSpec {
  /// half: pair i is (i, i + r/2) (GPT-NeoX, Hugging Face). interleaved: pair i is (2i, 2i + 1) (GPT-J,
  /// Meta's own Llama).
  enum class Layout { half, interleaved };
  /// counterclockwise: x0' = x0 c - x1 s, x1' = x0 s + x1 c. clockwise turns the other way.
  enum class Direction { counterclockwise, clockwise };

  static constexpr std::string_view scheme = "rope";

  std::int64_t head_dim = 2;
  Rational rope_theta = 10000;
  Layout layout = Layout::half;
  Rational partial_rotary_factor = 1;  ///< r = floor(head_dim * factor) must be even and at least 2; where
                                       ///< the scaling spans the head, what it leaves live
  std::int64_t rotary_offset = 0;  ///< dimensions before those that rotate: MLA has them at the end of the
                                   ///< head (qk_nope_head_dim of DeepSeek V3)
  Direction direction = Direction::counterclockwise;
  RotationOperation operation = RotationOperation::forward;  ///< of vectors; tables are those of forward
  std::optional<std::int64_t> max_position_embeddings =
      std::nullopt;  ///< the model's stated context, told in reports
  std::optional<std::int64_t> sequence_length = std::nullopt;  ///< where the scaling depends on it
  RopeScaling scaling = Unscaled{};
  std::optional<MropeAxes> mrope = std::nullopt;  ///< for M-RoPE: which of three positions a pair turns by
  RealPositions positions = {};

  void keys(KeyVisitor& visit);
  std::string summary() const;
  /// The tables of tokens with one position, and M-RoPE's in the same order and shapes; the rotation. Where a
  /// token of text has positions that differ, there are no tables of one position.
  std::vector<TensorDefinition> tensors() const;
  /// Of dynamic NTK of either kind and of LongRoPE.
  std::optional<std::int64_t> length_of_sequence() const;
  const PositionMap& positions_along(std::size_t /*axis*/) const { return positions.map; }

  /// The table of one component with one column a pair.
  TrigTable table(Component component) const;
  /// The same with the amplitude of vectors: what rotate() takes.
  TrigTable table_of_vectors(Component component) const;
  /// cos and sin, each with one column a pair and with one column a rotating dimension (both of a pair the
  /// same).
  std::vector<TrigTable> tables() const;
  HeadRotation rotation() const;

  /// r: so many dimensions rotate, from rotary_offset on; the others pass through unchanged.
  int rotary_dim() const;
  int pairs() const { return rotary_dim() / 2; }
  /// b^(-2i/r), before any scaling.
  GeometricFrequencies unscaled_frequencies() const {
    return {rope_theta, Rational(2, rotary_dim()), pairs()};
  }
  Frequencies frequencies() const;
  Amplitude amplitude() const { return vernier::amplitude(scaling); }
  /// What the operation multiplies vectors by: the amplitude, or one over it.
  Amplitude amplitude_of_vectors() const {
    return operation == RotationOperation::inverse ? amplitude().reciprocal()
           : operation == RotationOperation::shift ? Amplitude(1)
                                                   : amplitude();
  }
  /// 1 where the operation turns vectors counter-clockwise, -1 where it turns them clockwise.
  int sense() const {
    return (direction == Direction::counterclockwise) == turns_forward(operation) ? 1 : -1;
  }
  /// The spec whose operation is the transpose; nothing of an inverse, whose transpose has no name.
  std::optional<RopeSpec> transposed() const;
  /// The two dimensions of a pair. \param pair in [0, pairs())
  std::pair<int, int> dimensions(int pair) const;

  /// Rotates one head vector in the arithmetic of `Number`. \param cosine, sine of p w_i, pairs() each
  /// The amplitude of vectors, if any, is in both. \param x, y head_dim each; they may not overlap
  template <class Number>
  void rotate(std::span<const Number> cosine, std::span<const Number> sine, std::span<const Number> x,
              std::span<Number> y) const;

 private:
  /// Where the two dimensions of a pair stand among those that rotate.
  std::pair<int, int> columns(int pair) const {
    return layout == Layout::half ? std::pair(pair, pair + pairs()) : std::pair(2 * pair, 2 * pair + 1);
  }
  void visit_rotary_part(KeyVisitor& visit);
  void visit_scaling(KeyVisitor& visit);
};

using RopeEncoding = EncodingOf<RopeSpec>;

template <class Number>
void RopeSpec::rotate(std::span<const Number> cosine, std::span<const Number> sine, std::span<const Number> x,
                      std::span<Number> y) const {
  for (int pair = 0; pair < pairs(); ++pair) {
    const auto i = static_cast<std::size_t>(pair);
    const auto [first, second] = dimensions(pair);
    const auto a = static_cast<std::size_t>(first);
    const auto b = static_cast<std::size_t>(second);
    const Number s = sense() > 0 ? sine[i] : Number(-sine[i]);
    y[a] = x[a] * cosine[i] - x[b] * s;
    y[b] = x[a] * s + x[b] * cosine[i];
  }
  const auto first = static_cast<std::size_t>(rotary_offset);
  const auto behind = first + static_cast<std::size_t>(rotary_dim());
  for (std::size_t dim = 0; dim < x.size(); ++dim) {
    if (dim < first || dim >= behind) {
      y[dim] = x[dim];
    }
  }
}

}  // namespace vernier
