#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reference/json/json.hpp"
#include "reference/support/registry.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// Of the verdict document. Its schema says what a version has.
inline constexpr int verdict_document_version = 2;
/// The first that is still read.
inline constexpr int oldest_verdict_document_version = 2;

/// A form in which a verdict is told.
struct Output {
  std::string_view name;  ///< "json"; the option of every judging command is --json, as commands.json says it
  std::string (*render)(const Verdict& verdict);
  /// The same with all details, which --verbose asks for. Null: `render` tells them all.
  std::string (*render_in_full)(const Verdict& verdict) = nullptr;
  /// The same for a file whose name ends in .json. Null: `render` makes it.
  std::string (*render_as_json)(const Verdict& verdict) = nullptr;
};

/// All outputs, as listed below.
std::span<const Output> outputs();

/// The verdict as an output writes it to a file. \param in_full whether all details are wanted
std::string text_for_file(const Output& output, const Verdict& verdict, std::string_view file, bool in_full);

/// What waives a check, as every document tells it.
OrderedJson waiver_json(const AppliedWaiver& waiver);

/// Waivers that are stale, as every document lists them.
OrderedJson stale_waivers_json(const Verdict& verdict);

/// What the terminal shows if nothing else is written to standard output: the first line with the finding,
/// then at most ten of at most 110 characters each.
std::string render_text(const Verdict& verdict);
/// The same with every check and all that was measured.
std::string render_full_text(const Verdict& verdict);
/// \name In two parts, where a failure is told as soon as it is certain. \param verdict, so_far not yet
/// visible
/// @{
/// The name, the outcome and what was found first, in at most three lines, the last without its end.
std::string render_failure(const Verdict& so_far);
/// The cause in a line of its own, if there is one, and the text below the first line.
std::string render_after_failure(const Verdict& verdict, bool in_full);
/// @}
/// The first line of both: the name, the outcome, and what was found or what decided. \param verdict with
/// visible texts
std::string first_line(const Verdict& verdict);

/// The text with every check, below its first line. \param verdict with visible texts
std::string full_text_below(const Verdict& verdict);
/// What a failing check says beyond its reason, in indented lines: what was required, the elements that show
/// it, the counterexample. \param check with visible texts
std::string explanation(const Check& check);

/// Every output. A new one is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(output_makers, Output,
    json_output,
    html_output,
    junit_output,
    sarif_output,
    badge_output,
    text_output);
// clang-format on

}  // namespace vernier
