#pragma once

#include <string>
#include <vector>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// Significant digits of frequencies: those of float32.
inline constexpr int frequency_digits = 9;

/// What proves it, in a sentence or two: how many elements the explanation predicts and how well, how many
/// the declared computation does not; of unexplained tensors, how many computations were tried and what the
/// best of them says. Empty where nothing was counted.
std::string evidence_text(const Verdict& verdict, const Diagnosis& diagnosis);

/// The computations that were tried, the nearest first: bits, outcome and edit, a line each. Empty where none
/// was.
std::string search_text(const Diagnosis& diagnosis);

/// The other explanations that are as likely as the first, and what would predict its parts as well.
std::vector<std::string> equal_explanations(const Diagnosis& diagnosis);

/// Of keys that no kind of fault is of what each stands for, a sentence a key with a space before it.
/// \param spec that was declared
std::string key_meanings(const OrderedJson& spec, const Finding& finding);

/// What it does to a model: in figures where they are known, else as any fault of the kind; of tables that
/// have no explanation what they cost attention.
std::string effect_text(const Verdict& verdict, const Diagnosis& diagnosis);

/// What to write in the spec, where all that was found is a matter of it, and where to look in the code.
std::string advice_text(const Verdict& verdict, const Diagnosis& diagnosis);

/// Public bugs of the kinds that were found, each once.
std::vector<std::string> similar_bugs(const Diagnosis& diagnosis);

/// The text, after what was found in the tensors that the check is of where it fails or is waived: "the base
/// is 10001, not 10000. 12 of 64 elements ...".
std::string with_finding(const Verdict& verdict, const Check& check, const std::string& text);

/// A JSON patch of a spec, for people: "\"base\": 500000, without \"scaling\"".
std::string patch_text(const OrderedJson& patch);

/// The share of the conclusive elements that a computation predicts, of 1.
double predicted_share(const Prediction& prediction);

/// The frequencies, those first that differ from the declared ones.
std::vector<RecoveredFrequency> differing_first(std::vector<RecoveredFrequency> frequencies);
/// found / declared; nothing where zero is declared.
std::optional<double> ratio_of(const RecoveredFrequency& frequency);

/// A spec with what was found in it.
struct CorrectedSpec {
  OrderedJson spec = nullptr;  ///< with all defaults; null if no spec is known that the tensors agree with
  /// Why there is none, or what the tensors have beside it that is no matter of a spec. May be empty.
  std::string remark = {};
};

/// The spec of the verdict after the edits of the likeliest explanation.
CorrectedSpec corrected_spec(const Verdict& verdict);

}  // namespace vernier
