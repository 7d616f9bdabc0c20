#include <cmath>

#include <fmt/format.h>

#include "numerics/contracts/contract.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/told.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string place_text(const ElementWitness& e) {
  std::string text = fmt::format("position {}, row {}, column {}", e.position_text(),
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

/// A line for each stage that errors stem from.
std::string split_text(const ErrorSplit& split) {
  std::string text = fmt::format(
      "         errors, at most {}, stem from (shares of their squares; below 0 if a stage cancels others)\n",
      significant_text(split.greatest, error_digits));
  for (const auto& [stage, share, greatest, left] : split.stages) {
    if (const auto percent = std::lround(100 * share); percent != 0) {
      text += fmt::format("           {:12} {:3} %, at most {}; were it exact, at most {}\n", stage, percent,
                          significant_text(greatest, error_digits), significant_text(left, error_digits));
    }
  }
  return text;
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
  return text + "\n" + (check.status == Status::fail ? explanation(check) : "") +
         (check.split ? split_text(*check.split) : "");
}

std::string frequencies_text(const std::vector<RecoveredFrequency>& frequencies) {
  std::string text = frequencies.empty() ? "" : "  Recovered frequencies, in radians per position:\n";
  for (const auto& frequency : frequencies) {
    const auto ratio = ratio_of(frequency);
    text +=
        fmt::format("    pair {}: declared {}, found {} +- {}{}{}\n", frequency.pair,
                    significant_text(frequency.declared, frequency_digits),
                    significant_text(frequency.found, frequency_digits), bound_text(frequency.uncertainty, 2),
                    ratio ? ", ratio " + significant_text(*ratio, frequency_digits) : "",
                    frequency.differs() ? "" : " (as declared)");
  }
  return text;
}

std::string diagnosis_text(const ToldDiagnosis& told) {
  std::string text = fmt::format("finding ({}): {}\n", told.roles, told.found);
  const auto add = [&](std::string_view label, const std::string& sentence) {
    text += sentence.empty() ? "" : fmt::format("  {}: {}\n", label, sentence);
  };
  add("See", joined(told.ids, [](const std::string& id) { return "vernier explain " + id; }));
  add("Evidence", told.evidence);
  for (const auto& sentence : told.equally) {
    add("Equally possible", sentence);
  }
  add("Effect", told.effect);
  add("Fix", told.fix);
  add("Similar", joined(told.similar));
  return text + frequencies_text(told.frequencies);
}

std::string kept_sentence(const std::string& id) {
  return fmt::format("The tensors keep the contract {}: {}. Pass --contract {} if it is intended.\n", id,
                     contract_named(id)->meaning, id);
}

}  // namespace

std::string explanation(const Check& check) {
  std::string text = fmt::format("         required: {}\n", check.required);
  if (check.first_failing) {
    text += element_text("first", *check.first_failing);
  }
  if (check.worst && !worst_is_first(check)) {
    text += element_text("worst", *check.worst);
  }
  if (!check.counterexample.empty()) {
    const auto entries =
        mapped(check.counterexample, [](const auto& entry) { return entry.first + " " + entry.second; });
    text += fmt::format("         counterexample: {}\n", fmt::join(entries, "; "));
  }
  return text;
}

std::string full_text_below(const Verdict& verdict) {
  std::string text;
  const auto add = [&](const std::string& label, const std::string& words) {
    text += words.empty() ? "" : label + words + "\n";
  };
  const auto add_each = [&](const auto& things, const auto& words) {
    text += fmt::format("{}", fmt::join(mapped(things, words), ""));
  };
  add("", verdict.as_written);
  add("", verdict.encoding + rows_text(verdict));
  add("made by ", verdict.producer);
  add("judged: ", contracts_text(verdict));
  add("arithmetic: ", verdict.arithmetic);
  add_each(asking_sentences(verdict), [](const std::string& sentence) { return sentence + "\n"; });
  add_each(told_diagnoses(verdict), diagnosis_text);
  add_each(verdict.checks, [](const Check& check) { return check_text(check); });
  add_each(stale_waiver_lines(verdict), [](const std::string& line) { return "  " + line + "\n"; });
  add_each(verdict.kept_contracts, kept_sentence);
  add("", reproduce_line(verdict));
  return text;
}

std::string render_full_text(const Verdict& original) {
  const auto verdict = visible(original);
  return first_line(verdict) + "\n" + full_text_below(verdict);
}

}  // namespace vernier
