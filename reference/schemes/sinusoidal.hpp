#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference/frequencies/frequency_families.hpp"
#include "reference/schemes/encoding.hpp"
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

  static constexpr std::string_view scheme = "sinusoidal";

  std::int64_t d_model = 1;
  Rational base = 10000;
  Layout layout = Layout::interleaved;
  Order order = Order::sin_cos;
  FrequencyRule frequency = FrequencyRule::paper;
  /// s of diffusers' timestep embeddings: w_i = base^(-i/(floor(d/2) - s)). Then an odd width ends in zeros.
  std::optional<Rational> downscale_freq_shift = std::nullopt;
  /// Of the rules geometric and linear: as many as half of the width, rounded up unless it is padded.
  std::optional<BoundedFrequencies> bounds = std::nullopt;
  OddWidth odd_width = OddWidth::lone;
  std::int64_t first_position = 0;
  std::optional<std::int64_t> padding_idx = std::nullopt;
  Rational scale = 1;
  RealPositions positions = {};

  void keys(KeyVisitor& visit);
  /// What several sinusoids may have in common: base, layout and order. \param is_common whether it is of
  /// all, and told by each \param no_layout why there is no layout, where there is none
  void visit_style(KeyVisitor& visit, bool is_common, std::string_view no_layout);
  /// Those of a sinusoid, all but its positions and what it does to rows. \param width_key "d_model"
  void visit_sinusoid(KeyVisitor& visit, std::string_view width_key, std::string_view no_layout = {});
  std::string summary() const;
  /// Of the sinusoid alone: "base 10000, halves, cosine first"
  std::string summary_of_sinusoid() const;
  TrigTable table() const;
  std::vector<TensorDefinition> tensors() const { return {table()}; }
  PositionRange default_positions(std::int64_t rows) const { return {first_position, 1, rows}; }
  const PositionMap& positions_along(std::size_t /*axis*/) const { return positions.map; }

  /// The frequencies w_i of all pairs that have a column, before `positions` scales them.
  /// \pre there are no bounds
  GeometricFrequencies frequencies() const;
  /// The same whether or not there are.
  Frequencies::Family family() const {
    return bounds ? Frequencies::Family(*bounds) : Frequencies::Family(frequencies());
  }
  int pairs() const { return static_cast<int>(pads_odd_widths() ? d_model / 2 : (d_model + 1) / 2); }
  std::vector<Column> columns() const;
  /// Whether an odd width leaves its last column zero.
  bool pads_odd_widths() const {
    return odd_width == OddWidth::zero || frequency == FrequencyRule::tensor2tensor || downscale_freq_shift;
  }
  /// Refuses a shift that leaves nothing to divide by.
  void require_divisor(KeyVisitor& visit) const;

 private:
  void visit_shift(KeyVisitor& visit, std::string_view width_key);
  void require_width(KeyVisitor& visit, std::string_view width_key) const;
};

using SinusoidalEncoding = EncodingOf<SinusoidalSpec>;

}  // namespace vernier
