#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "numerics/contracts/contract.hpp"
#include "reference/word_list.hpp"
#include "reports/checks/elements.hpp"
#include "reports/outputs/asking.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/visible.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int error_digits = 3;

std::string place_text(const ElementWitness& e) {
  std::string text = fmt::format("position {}, row {}, column {}", e.position,
                                 to_string(RowPlace{e.leading_index, e.row}), e.column);
  if (e.meaning.component != Component::zero) {
    text += fmt::format(" ({} of pair {})", e.meaning.component == Component::sine ? "sine" : "cosine",
                        e.meaning.pair);
  }
  return text;
}

std::string error_text(const ElementWitness& e) {
  if (!std::isfinite(e.absolute)) {
    return "not a finite number";
  }
  std::string text =
      fmt::format("{} absolute, {} ulp, {} phase roundings", significant_text(e.absolute, error_digits),
                  significant_text(e.ulps, error_digits), significant_text(e.phase_roundings, error_digits));
  if (e.steps) {
    text += fmt::format(", {} of {}", counted(*e.steps, "step", "steps"), traits(e.format).name);
  }
  return text;
}

std::string budget_text(const ElementWitness& e) {
  return fmt::format(
      "{} (phase {}, trig {}, storage {}); {}", significant_text(e.budget.total(), error_digits),
      significant_text(e.budget.phase, error_digits), significant_text(e.budget.trig, error_digits),
      significant_text(e.budget.storage, error_digits), usage_text(e.budget_ratio));
}

std::string element_text(std::string_view title, const ElementWitness& e) {
  return fmt::format(
      "         {} at {}\n"
      "           truth    {}\n"
      "           expected {}\n"
      "           got      {}\n"
      "           error    {}\n"
      "           budget   {}\n",
      title, place_text(e), e.truth, e.expected ? exact_text(e.format, *e.expected) : "undecided",
      exact_text(e.format, e.got), error_text(e), budget_text(e));
}

bool same_place(const ElementWitness& a, const ElementWitness& b) {
  return a.row == b.row && a.column == b.column && a.leading_index == b.leading_index;
}

std::string check_text(const Check& check) {
  std::string status(to_string(check.status));
  if (check.status == Status::fail) {
    status = "FAIL";
  }
  std::string text =
      fmt::format("  {}{}{}: {}", status, std::string(status.size() < 6 ? 6 - status.size() : 1, ' '),
                  check.id, check.reason);
  if (check.status != Status::fail && check.worst) {
    text +=
        fmt::format("; the worst {} at {}", usage_text(check.worst->budget_ratio), place_text(*check.worst));
  }
  return text + "\n" + (check.status == Status::fail ? explanation(check) : "");
}

std::string contracts_text(const Verdict& verdict) {
  const auto uses = joined(verdict.contracts, [](const ContractUse& use) {
    return fmt::format("{} ({}) by {}", use.role, use.stored, use.id);
  });
  return uses.empty() ? uses : fmt::format("judged: {}\n", uses);
}

/// Of slopes alone there are no rows to tell.
std::string rows_text(const Verdict& verdict) {
  return verdict.rows == 0 ? std::string()
                           : fmt::format("; {}, positions {} to {}", counted(verdict.rows, "row", "rows"),
                                         verdict.least_position, verdict.greatest_position);
}

/// What was found on one line, then a line for each convention that is not as declared. What tables and
/// rotated vectors both show is told once.
std::string conventions_text(const Verdict& verdict) {
  std::string found;
  std::string disagreements;
  std::set<std::string> told;
  for (const auto& convention : verdict.conventions) {
    const auto text = convention.name + " " + convention.found;
    if (told.insert(text).second) {
      found += (found.empty() ? "found: " : ", ") + text;
    }
    if (!convention.agrees) {
      disagreements += fmt::format("  {}: found {}, declared {} ({})\n", convention.name, convention.found,
                                   convention.declared, convention.evidence);
    }
  }
  return found.empty() ? found : found + "\n" + disagreements;
}

std::string diagnosis_text(const Verdict& verdict) {
  std::string text;
  for (const auto& edit : explanations_of(verdict)) {
    text += fmt::format(
        "{}{}\n", text.empty() ? "The tensors agree with this encoding instead: " : "  or equally: ", edit);
  }
  return text;
}

std::string kept_text(const Verdict& verdict) {
  std::string text;
  for (const auto& id : verdict.kept_contracts) {
    text +=
        fmt::format("The tensors keep the contract {}: {}. If that is what is meant, say --contract {}.\n",
                    id, contract_named(id)->meaning, id);
  }
  return text;
}

}  // namespace

std::string explanation(const Check& check) {
  std::string text = fmt::format("         required: {}\n", check.required);
  if (check.first_failing) {
    text += element_text("first", *check.first_failing);
  }
  if (check.worst && !(check.first_failing && same_place(*check.worst, *check.first_failing))) {
    text += element_text("worst", *check.worst);
  }
  if (!check.counterexample.empty()) {
    text += "         counterexample:";
    for (const auto& [name, value] : check.counterexample) {
      text += fmt::format("{}{} {}", &name == &check.counterexample.front().first ? " " : "; ", name, value);
    }
    text += "\n";
  }
  return text;
}

std::string render_text(const Verdict& original) {
  const auto verdict = visible(original);
  const auto beside = caution(verdict);
  std::string text = fmt::format(
      "{}: {}{}\n{}{}\n{}{}", verdict.name, headline(verdict), beside.empty() ? "" : " (" + beside + ")",
      verdict.encoding, rows_text(verdict),
      verdict.producer.empty() ? "" : fmt::format("made by {}\n", verdict.producer), contracts_text(verdict));
  for (const auto& sentence : asking_sentences(verdict)) {
    text += sentence + "\n";
  }
  for (const auto& check : verdict.checks) {
    text += check_text(check);
  }
  for (const auto& waiver : verdict.stale_waivers) {
    text += fmt::format("  STALE waivers/{} ({}): {}\n", waiver.check, waiver.issue, waiver.problem);
  }
  text += conventions_text(verdict) + diagnosis_text(verdict) + kept_text(verdict);
  if (exit_code(verdict) != 0) {
    text += fmt::format("reproduce: {}\n", verdict.reproduce);
  }
  return text;
}

Output text_output() {
  return {"text", "what the terminal shows", render_text};
}

}  // namespace vernier
