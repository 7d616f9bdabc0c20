#pragma once

#include <functional>
#include <optional>
#include <string>

#include "props/judging/check.hpp"
#include "props/laws/law.hpp"

namespace vernier {

/// One case, judged.
struct JudgedCase {
  LawCase instance;
  std::optional<Residual> residual;  ///< the one that uses most of what it is allowed
};

/// "d_model = 4, base = 2, t = 3, k = 1: pair 0, sine: residual in [0.12, 0.13] excludes 0"
std::string to_string(const JudgedCase& judged);

/// What became of one law on one subject. The seed is the base seed.
struct LawResult : CheckCounts {
  std::string law;  ///< ids
  std::string subject;
  std::string domain;                        ///< the law's, then the subject's
  std::optional<JudgedCase> worst;           ///< the conclusive case that uses most of its allowance
  std::optional<JudgedCase> counterexample;  ///< shrunk, if the law fails
};

/// Judges one case; nothing if that cannot be done yet, and the case counts as inconclusive.
using JudgeCase = std::function<std::optional<Judgement>(const LawCase& instance)>;

/// Judges a law on a subject over drawn cases. \pre applies(law, subject)
LawResult run_law(const Law& law, const LawTarget& subject, const CheckOptions& options);
/// The same with a way of judging cases, of which judge_case is the plain one, and of searching for them.
LawResult run_law(const Law& law, const LawTarget& subject, const CheckOptions& options,
                  const JudgeCase& judge_one, const Search<LawCase>& search = draw_and_simplify<LawCase>);

/// Judges one case, which may lie outside the subject's domain: known limits are replayed so.
/// \pre applies(law, subject), and the case has the law's variables
Judgement judge_case(const Law& law, const LawTarget& subject, const LawCase& instance);

/// The classes of inputs that coverage counts: "beyond 2^16", "odd dimension", "negative position", "decimal
/// base", "dimension above 64".
std::vector<std::string> classes_of(const Law& law, const LawCase& instance);

}  // namespace vernier
