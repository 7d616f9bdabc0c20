#pragma once

#include <cstdint>
#include <vector>

#include "reference/encoding.hpp"

namespace vernier {

/// A learned table of positions, as it came out of training: row t is the encoding of position t, and there
/// is nothing beyond the last row (BERT, GPT-2; claims ledger, section 6, row 10).
struct LearnedSpec {
  std::vector<std::vector<Rational>> values;  ///< at least one row; rows of one length, at least 1
};

class LearnedEncoding final : public Encoding {
 public:
  explicit LearnedEncoding(LearnedSpec spec);

  std::string_view scheme() const override { return "learned"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<ValueTable> values() const override;

 private:
  std::shared_ptr<const LearnedSpec> spec_;  ///< shared with the tables, which would copy it otherwise
};

Scheme learned_scheme();

}  // namespace vernier
