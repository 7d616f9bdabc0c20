#pragma once

// Verdict documents with chosen checks, and what becomes of a comparison of them.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/outputs/output.hpp"
#include "reports/test/program.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// A check of 100 elements that uses a share of its budget.
struct MadeCheck {
  std::string id;
  Status status = Status::pass;
  std::optional<double> budget_ratio = std::nullopt;
};

inline Verdict made_verdict(const std::vector<MadeCheck>& checks) {
  Verdict verdict{.name = "made",
                  .producer = "a library",
                  .spec = {{"scheme", "rope"}, {"head_dim", 8}},
                  .contracts = {{"cos", "float32", "float32", "meaning", "budget"}},
                  .rows = 8,
                  .greatest_position = 7};
  for (const auto& [id, status, budget_ratio] : checks) {
    verdict.checks.push_back({.id = id,
                              .status = status,
                              .reason = "so it is",
                              .counts = {100, 100, 0, 0},
                              .greatest_budget_ratio = budget_ratio});
    if (status == Status::waived) {
      verdict.checks.back().waiver = AppliedWaiver{"known", "KERNEL-7", "2999-12-31", "any", "it fails"};
    }
  }
  return verdict;
}

/// For tests of `vernier compare`.
class Compare : public Program {
 protected:
  void write(const std::string& name, const Verdict& verdict) const {
    folder_.write(name, json_output().render(verdict));
  }

  /// The first line of the comparison of two verdicts, whose files are before.json and after.json.
  std::string finding(const Verdict& before, const Verdict& after, int exit_code,
                      const std::string& options = "") const {
    write("before.json", before);
    write("after.json", after);
    const auto outcome = run("compare before.json after.json " + options);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.out << outcome.err;
    return outcome.out.substr(0, outcome.out.find('\n'));
  }

  std::string finding(const std::vector<MadeCheck>& before, const std::vector<MadeCheck>& after,
                      int exit_code, const std::string& options = "") const {
    return finding(made_verdict(before), made_verdict(after), exit_code, options);
  }
};

}  // namespace vernier
