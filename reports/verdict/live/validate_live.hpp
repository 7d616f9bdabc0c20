#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "numerics/asking/questions.hpp"
#include "numerics/processes/live_implementation.hpp"
#include "reference/tables/phases.hpp"
#include "reports/verdict/live/live_session.hpp"
#include "reports/verdict/validate.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

struct LiveOptions {
  std::string name;    ///< of the verdict
  std::string source;  ///< what to call the spec in errors
  QuestionOptions questions = {};
  std::optional<std::string> contract = std::nullopt;  ///< else each format's default
  int cases = 100;                                     ///< of each law, >= 1
  bool bitwise = false;                 ///< whether other bits of the same answer are a failure
  bool all = false;                     ///< whether everything is asked after a failure too
  std::string reproduce = {};           ///< the command that does this again
  std::function<void()> pause = [] {};  ///< called before each question; may throw
  PhaseListener progress = {};          ///< told the phases of asking and judging
  VerdictDetails details = {};
  /// Told the verdict so far as soon as a check fails, until it answers that the failure counts: that it is
  /// not put up with.
  std::function<bool(const Verdict&)> on_failure = [](const Verdict& /*so_far*/) { return true; };
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

/// Asks an implementation for all that its encoding defines, judges the answers as those of a case, and asks
/// further to judge how it behaves. A crash ends only the check that asked. Once a failure counts, other
/// checks are asked for as long again as it took to find it, and at least ten seconds; why it fails is looked
/// for last. \throws InputError
Verdict validate_live(LiveImplementation& implementation, std::unique_ptr<Encoding> encoding,
                      const LiveOptions& options);

/// Judges answers that were got elsewhere, as those of a case. \param producer who answered
Verdict validate_answers(std::span<const Asked> asked, std::unique_ptr<Encoding> encoding,
                         const LiveOptions& options, const std::string& producer);

}  // namespace vernier
