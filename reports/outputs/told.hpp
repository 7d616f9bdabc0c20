#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// What was found in some tensors, in the parts that outputs lay out. A part that says nothing is empty.
struct ToldDiagnosis {
  std::string roles;             ///< the tensors
  std::string found;             ///< a clause
  std::vector<std::string> ids;  ///< of what was found, for `vernier explain`
  std::string evidence;
  std::vector<std::string> equally;  ///< the other explanations that are as likely
  std::string effect;
  std::string fix;
  std::vector<std::string> similar;             ///< public bugs
  std::vector<RecoveredFrequency> frequencies;  ///< those that differ first; none where all are as declared
};

std::vector<ToldDiagnosis> told_diagnoses(const Verdict& verdict);

/// A check, or a waiver that is stale, as tools list what was found.
struct ToldCheck {
  std::string id;                               ///< "accuracy/cos", "waivers/accuracy/cos"
  std::optional<Status> status = std::nullopt;  ///< nothing of a waiver
  std::string kind;                             ///< "fail", "stale waiver"
  std::string found = {};  ///< what was found in its tensors, a sentence with a space after it; may be empty
  std::string message;
  std::string details = {};  ///< of one that fails, in lines
  /// What it measured, as names and values: "worst used", "0.47". Numbers that are not finite read "inf" and
  /// "nan".
  std::vector<std::pair<std::string, std::string>> measurements = {};
  std::optional<AppliedWaiver> waiver = std::nullopt;
};

/// The checks, then the waivers that are stale. \param verdict with visible texts
std::vector<ToldCheck> told_checks(const Verdict& verdict);

/// Each waiver that is stale in a line: "STALE waivers/accuracy/cos (KERNEL-7): it expired on 2026-03-31".
std::vector<std::string> stale_waiver_lines(const Verdict& verdict);

/// Which share of the positions was asked for, by which seed, and how questions were put: a sentence each.
/// Empty of a run that asked nobody.
std::vector<std::string> asking_sentences(const Verdict& verdict);

/// What must stand beside the outcome where a small sample was wanted: "QUICK LOOK at 4.7 % of the positions,
/// not the full question". Empty otherwise.
std::string caution(const Verdict& verdict);

/// "reproduce: COMMAND" where the exit code is not 0 and there is a command. Empty otherwise.
std::string reproduce_line(const Verdict& verdict);

/// "; 4096 rows, positions 0 to 4095". Of slopes alone there are no rows to tell.
std::string rows_text(const Verdict& verdict);

/// "cos (float32) by float32, sin (float32) by float32"
std::string contracts_text(const Verdict& verdict);

/// Whether the worst element of a check is the first that fails.
bool worst_is_first(const Check& check);

/// The verdict with every text in it, names given by strangers among them, on one line and safe to show: see
/// `one_line`. JSON alone tells texts as they are, as it can quote all of them.
Verdict visible(Verdict verdict);

}  // namespace vernier
