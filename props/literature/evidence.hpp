#pragma once

#include <span>
#include <string>
#include <string_view>

#include "props/judging/method.hpp"
#include "reference/json/json.hpp"

namespace vernier {

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

/// A computation that establishes or refutes statements about positional encodings: an entry of
/// evidence.json.
struct Evidence {
  std::string_view id;   ///< stable: "wavelengths/top"
  std::string computes;  ///< what, in words
  Method method = Method::exact;
  const OrderedJson* text;

  EvidenceResult compute() const;
};

/// Computes the facts of an entry. All must come out for what it "finds" to follow; one that does not leaves
/// the whole undecided, and is told. A fact is
///   "d = 8: PE(1, 2) is {code(1, 2) ~ 0.099833}"  a sentence: each formula in braces must round to its
///       decimal, which is shown; {formula: 4} shows four digits of a number, {c_library} whose functions
///       were called
///   {"says": sentence, "if": condition}  what is proved, if the sentence does not say it
///   {"law": id}  which must hold on the reference, over its random cases, or fail {"on":
///   "broken:wrong-sign"}
///   {"property": id, "of": row of the matrix or model, "is": answer}
/// "for" and "rows" repeat a sentence with other numbers: {"for": "d k", "rows": [[2, 7]], "says": ...}.
/// Formulas (interval_formula.hpp) call what quantities.hpp lists, and the models that the entry names; the
/// entry's "let" names numbers. "bits" is the working precision, 128 if there is none.
/// \throws std::invalid_argument for a formula that is none
EvidenceResult computed(const OrderedJson& entry);

/// All evidence, in the order of evidence.json.
std::span<const Evidence> evidence();

/// The evidence of this id, if there is one.
const Evidence* evidence_named(std::string_view id);

}  // namespace vernier
