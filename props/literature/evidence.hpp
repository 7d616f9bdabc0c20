#pragma once

#include <span>
#include <string>
#include <string_view>

#include "props/judging/method.hpp"

namespace vernier {

class Facts;

/// What a computation says of a statement somebody made.
enum class Ruling {
  holds,        ///< as stated
  conditional,  ///< under a condition; both sides of it are shown
  approximate,  ///< up to an error that is bounded
  refuted,      ///< not as stated
  undecided     ///< the computation did not come out as its author said it would
};

/// "holds", "conditional", "approximate", "refuted", "undecided"
std::string_view name_of(Ruling finding);

struct EvidenceResult {
  Ruling finding = Ruling::undecided;
  std::string told;  ///< the figures, in sentences
};

/// A computation that establishes or refutes statements about positional encodings.
struct Evidence {
  std::string_view id;              ///< stable: "wavelengths/top"
  void (*establish)(Facts& facts);  ///< every fact must come out

  // From evidence.json:
  std::string computes = {};  ///< what, in words
  Method method = Method::exact;
  Ruling finding = Ruling::undecided;  ///< what follows if all facts come out
  unsigned bits = 0;                   ///< of intervals

  EvidenceResult compute() const;
};

/// All evidence: topics.hpp lists it.
std::span<const Evidence> evidence();

/// The evidence of this id, if there is one.
const Evidence* evidence_named(std::string_view id);

}  // namespace vernier
