#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/bounded_frequencies.hpp"
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
  /// (fairseq too). geometric, linear: from a first to a last, as `bounds` says.
  enum class FrequencyRule { paper, tensor2tensor, geometric, linear };

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
  /// Of the rules geometric and linear: as many as half of the width, rounded up unless it is padded.
  std::optional<BoundedFrequencies> bounds = std::nullopt;
  OddWidth odd_width = OddWidth::lone;
  std::int64_t first_position = 0;
  std::optional<std::int64_t> padding_idx = std::nullopt;  ///< the row of this position is zero
  Rational scale = 1;                                      ///< > 0, multiplies the output
  RealPositions positions = {};

  /// Reads a sinusoid, all but its positions and what it does to rows. \param width_key "d_model"
  /// \param fallback what it is unless the keys say otherwise
  static SinusoidalSpec read(ObjectReader& reader, std::string_view width_key,
                             const SinusoidalSpec& fallback);
  /// Reads what several sinusoids may have in common: base, layout and order.
  void read_style(ObjectReader& reader);
  /// Writes what read() reads, all but the shift.
  void write(OrderedJson& to, std::string_view width_key) const;
  void write_shift(OrderedJson& to) const;
  /// "base 10000, halves, cosine first"
  std::string summary() const;

  /// The frequencies w_i of all pairs that have a column, before `positions` scales them.
  /// \pre there are no bounds
  GeometricFrequencies frequencies() const;
  /// The same whether or not there are.
  Frequencies::Family family() const;
  int pairs() const { return static_cast<int>(pads_odd_widths() ? d_model / 2 : (d_model + 1) / 2); }
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
  const PositionMap& positions_along(std::size_t /*axis*/) const override { return spec_.positions.map; }

 private:
  SinusoidalSpec spec_;
};

}  // namespace vernier
