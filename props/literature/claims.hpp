#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "props/literature/evidence.hpp"

namespace vernier {

/// What becomes of a claim.
enum class ClaimVerdict {
  correct,       ///< "true"
  conditional,   ///< under the condition that the correction states
  approximate,   ///< with the error that the correction states
  wrong,         ///< "false": the correction says what is true instead
  definition,    ///< a choice of names or formulas, carried out as stated
  not_checkable  ///< by computation; `needs` says what it would take
};

/// "true", "conditional", "approximate", "false", "definition", "not checkable"
std::string_view name_of(ClaimVerdict verdict);

/// What the evidence for a claim of this verdict must have found; nothing for a claim that is not checkable.
std::optional<Ruling> demanded_finding(ClaimVerdict verdict);

/// A statement of a document. It has evidence, or says what evidence would need.
struct Claim {
  std::string id;     ///< "S1-07"
  std::string lines;  ///< of the document: "28-46"; empty where there is no document, or a place
  std::string kind;   ///< "property", "formula", "example", "figure", "code", "opinion", ...
  ClaimVerdict verdict = ClaimVerdict::not_checkable;
  std::string statement;        ///< in quotation marks what the text says word for word
  std::string place = {};       ///< in a paper: "Theorem 2.1, equation (5)"; empty if the text has lines
  std::string hypothesis = {};  ///< that the statement needs, and states; may be empty
  std::string correction;       ///< empty if there is nothing to correct or to add
  std::vector<std::string> evidence;  ///< ids of computations
  std::string needs;                  ///< the data that a check would need, or that the claim is an opinion
};

struct ClaimDocument {
  std::string name;  ///< "S1": what the ids of its claims begin with
  std::string title;
  std::vector<Claim> claims;
  std::string read = {};  ///< what of a paper was read: "the abstract"; empty if everything was

  /// Whether it is a text that somebody wrote, so that its claims have places: theorems and reference values
  /// of Vernier's own have none.
  bool is_text() const {
    return std::ranges::any_of(
        claims, [](const Claim& claim) { return !claim.lines.empty() || !claim.place.empty(); });
  }
};

/// \param text JSON as in claims/*.json: a document, or an array of several \param source what to call it in
/// errors \throws InputError
std::vector<ClaimDocument> parse_claims(std::string_view text, const std::string& source);

/// All documents, built into the library from claims/*.json.
std::vector<ClaimDocument> claim_documents();

/// Results of computations by id of evidence.
using EvidenceResults = std::map<std::string, EvidenceResult, std::less<>>;

/// Computes the evidence that the document's claims name, as far as it exists and `results` lacks it.
/// \param starting called before each computation; may be empty
void compute_evidence(const ClaimDocument& document, EvidenceResults& results,
                      const std::function<void(const Evidence&)>& starting = {});

/// Why the claim does not stand as it is written: it names no evidence and does not say what it needs, or
/// does both; it names evidence without a result; a result is not what its verdict demands. One sentence for
/// each, none if it stands.
std::vector<std::string> disagreements(const Claim& claim, const EvidenceResults& results);

}  // namespace vernier
