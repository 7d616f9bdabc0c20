#pragma once

#include <cstdint>
#include <optional>

#include "reference/encoding.hpp"

namespace vernier {

/// The sinusoids R of Transformer-XL (Dai et al. 2019), section 3.3: the row of the offset i - j of a query i
/// from a key j. The paper's frequencies, all sines before all cosines; the rows of K keys descend from the
/// offset K - 1 to 0, as the authors' code makes them. relative_shift.hpp says how scores by offset become
/// scores by key.
struct TransformerXlSpec {
  std::int64_t d_model = 0;  ///< even, [2, 2^20]
  Rational base = 10000;     ///< > 1
  /// Offsets beyond it have the row of this one; [1, 2^31].
  std::optional<std::int64_t> clamp_len = std::nullopt;

  TrigTable table() const;
};

class TransformerXlEncoding final : public Encoding {
 public:
  explicit TransformerXlEncoding(TransformerXlSpec spec) : spec_(std::move(spec)) {}

  std::string_view scheme() const override { return "transformer_xl"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TrigTable> tables() const override;
  /// The table where it is clamped.
  std::vector<ValueTable> values() const override;
  PositionRange default_positions(std::int64_t rows) const override { return {rows - 1, -1, rows}; }

 private:
  TransformerXlSpec spec_;
};

Scheme transformer_xl_scheme();

}  // namespace vernier
