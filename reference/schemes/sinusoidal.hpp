#pragma once

#include <cstdint>
#include <optional>

#include "reference/encoding.hpp"
#include "reference/schemes/real_positions.hpp"

namespace vernier {

/// The absolute encoding of "Attention Is All You Need" (2017), section 3.5, and the variants people ship.
///
/// PE(p, 2i) = sin(p w_i), PE(p, 2i+1) = cos(p w_i), with w_i = base^(-2i/d).
struct SinusoidalSpec {
  /// interleaved: each pair in two neighbouring columns. halves: the columns of even index first, then those
  /// of odd index (tensor2tensor, fairseq, Marian).
  enum class Layout { interleaved, halves };
  enum class Order { sin_cos, cos_sin };
  /// paper: w_i = base^(-2i/d). tensor2tensor: w_i = base^(-i/(floor(d/2) - 1)), which reaches 1/base exactly
  /// (fairseq too).
  enum class FrequencyRule { paper, tensor2tensor };

  /// The last column of an odd width with the paper's frequencies. lone: a sine (a cosine, where that comes
  /// first) without its partner, as the formula has it. zero: zeros, as code leaves them that fills as many
  /// sines as cosines; tensor2tensor's does, after the halves. Other code refuses odd widths.
  enum class OddWidth { lone, zero };

  std::int64_t d_model = 0;  ///< [1, 2^20]; at least 2 where a last column is zero
  Rational base = 10000;     ///< > 1
  Layout layout = Layout::interleaved;
  Order order = Order::sin_cos;
  FrequencyRule frequency = FrequencyRule::paper;
  /// s of diffusers' timestep embeddings: w_i = base^(-i/(floor(d/2) - s)), below the number of pairs. Then
  /// an odd width ends in zeros.
  std::optional<Rational> downscale_freq_shift = std::nullopt;
  OddWidth odd_width = OddWidth::lone;
  std::int64_t first_position = 0;
  std::optional<std::int64_t> padding_idx = std::nullopt;  ///< the row of this position is zero
  Rational scale = 1;                                      ///< > 0, multiplies the output
  RealPositions positions = {};

  /// The frequencies w_i of all pairs that have a column, before `positions` scales them.
  GeometricFrequencies frequencies() const;
  std::vector<Column> columns() const;
  /// Whether an odd width leaves its last column zero.
  bool pads_odd_widths() const {
    return odd_width == OddWidth::zero || frequency == FrequencyRule::tensor2tensor || downscale_freq_shift;
  }
};

class SinusoidalEncoding final : public Encoding {
 public:
  explicit SinusoidalEncoding(SinusoidalSpec spec) : spec_(std::move(spec)) {}

  const SinusoidalSpec& parameters() const { return spec_; }
  TrigTable table() const;

  std::string_view scheme() const override { return "sinusoidal"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override { return {table()}; }
  PositionRange default_positions(std::int64_t rows) const override {
    return {spec_.first_position, 1, rows};
  }
  const PositionMap& positions() const override { return spec_.positions.map; }

 private:
  SinusoidalSpec spec_;
};

}  // namespace vernier
