#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "numerics/contracts/contract.hpp"
#include "reports/checks/elements.hpp"
#include "reports/outputs/asking.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/visible.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int error_digits = 3;

std::string place_text(const ElementWitness& e) {
  std::string text = "position " + std::to_string(e.position) + ", row " +
                     to_string(RowPlace{e.leading_index, e.row}) + ", column " + std::to_string(e.column);
  if (e.meaning.component != Component::zero) {
    text += " (" + std::string(e.meaning.component == Component::sine ? "sine" : "cosine") + " of pair " +
            std::to_string(e.meaning.pair) + ")";
  }
  return text;
}

std::string value_text(Format format, double value) {
  return shortest_text(format, value) + " = " + hex_text(value) + " = " + bits_text(format, value);
}

std::string error_text(const ElementWitness& e) {
  if (!std::isfinite(e.absolute)) {
    return "not a finite number";
  }
  std::string text = significant_text(e.absolute, error_digits) + " absolute, " +
                     significant_text(e.ulps, error_digits) + " ulp, kappa " +
                     significant_text(e.kappa, error_digits);
  if (e.steps) {
    text += ", " + counted(*e.steps, "step", "steps") + " of " + std::string(traits(e.format).name);
  }
  return text;
}

std::string budget_text(const ElementWitness& e) {
  return significant_text(e.budget.total(), error_digits) + " (phase " +
         significant_text(e.budget.phase, error_digits) + ", trig " +
         significant_text(e.budget.trig, error_digits) + ", storage " +
         significant_text(e.budget.storage, error_digits) + "); " + usage_text(e.used);
}

std::string element_text(std::string_view title, const ElementWitness& e) {
  const std::string indent(9, ' ');
  return indent + std::string(title) + " at " + place_text(e) + "\n" +  //
         indent + "  truth    " + e.truth + "\n" +                      //
         indent + "  expected " + (e.expected ? value_text(e.format, *e.expected) : "undecided") + "\n" +
         indent + "  got      " + value_text(e.format, e.got) + "\n" +  //
         indent + "  error    " + error_text(e) + "\n" +                //
         indent + "  budget   " + budget_text(e) + "\n";
}

bool same_place(const ElementWitness& a, const ElementWitness& b) {
  return a.row == b.row && a.column == b.column && a.leading_index == b.leading_index;
}

std::string check_text(const Check& check) {
  std::string status(to_string(check.status));
  if (check.status == Status::fail) {
    status = "FAIL";
  }
  std::string text = "  " + status + std::string(status.size() < 6 ? 6 - status.size() : 1, ' ') + check.id +
                     ": " + check.reason;
  if (check.status != Status::fail && check.worst) {
    text += "; the worst " + usage_text(check.worst->used) + " at " + place_text(*check.worst);
  }
  return text + "\n" + (check.status == Status::fail ? explanation(check) : "");
}

std::string contracts_text(const Verdict& verdict) {
  std::string text;
  for (const auto& use : verdict.contracts) {
    text += (text.empty() ? "" : ", ") + use.role + " (" + use.stored + ") by " + use.id;
  }
  return text.empty() ? text : "judged: " + text + "\n";
}

/// Of slopes alone there are no rows to tell.
std::string rows_text(const Verdict& verdict) {
  return verdict.rows == 0 ? std::string()
                           : std::string("; ") + counted(verdict.rows, "row", "rows") + ", positions " +
                                 std::to_string(verdict.least_position) + " to " +
                                 std::to_string(verdict.greatest_position);
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
      disagreements += "  " + convention.name + ": found " + convention.found + ", declared " +
                       convention.declared + " (" + convention.evidence + ")\n";
    }
  }
  return found.empty() ? found : found + "\n" + disagreements;
}

std::string diagnosis_text(const Verdict& verdict) {
  std::string text;
  for (const auto& edit : verdict.diagnosis) {
    text += std::string(text.empty() ? "The tensors agree with this encoding instead: " : "  or equally: ") +
            edit + "\n";
  }
  return text;
}

std::string kept_text(const Verdict& verdict) {
  std::string text;
  for (const auto& id : verdict.kept_contracts) {
    text += "The tensors keep the contract " + id + ": " + std::string(contract_named(id)->meaning) +
            ". If that is what is meant, say --contract " + id + ".\n";
  }
  return text;
}

}  // namespace

std::string explanation(const Check& check) {
  std::string text = "         required: " + check.required + "\n";
  if (check.first_failing) {
    text += element_text("first", *check.first_failing);
  }
  if (check.worst && !(check.first_failing && same_place(*check.worst, *check.first_failing))) {
    text += element_text("worst", *check.worst);
  }
  if (!check.counterexample.empty()) {
    text += "         counterexample:";
    for (const auto& [name, value] : check.counterexample) {
      text += (&name == &check.counterexample.front().first ? " " : "; ") + name + " " + value;
    }
    text += "\n";
  }
  return text;
}

std::string render_text(const Verdict& original) {
  const auto verdict = visible(original);
  const auto beside = caution(verdict);
  std::string text = verdict.name + ": " + headline(verdict) + (beside.empty() ? "" : " (" + beside + ")") +
                     "\n" + verdict.encoding + rows_text(verdict) + "\n" +
                     (verdict.producer.empty() ? "" : "made by " + verdict.producer + "\n") +
                     contracts_text(verdict);
  for (const auto& sentence : asking_sentences(verdict)) {
    text += sentence + "\n";
  }
  for (const auto& check : verdict.checks) {
    text += check_text(check);
  }
  for (const auto& waiver : verdict.stale_waivers) {
    text += "  STALE waivers/" + waiver.check + " (" + waiver.issue + "): " + waiver.problem + "\n";
  }
  text += conventions_text(verdict) + diagnosis_text(verdict) + kept_text(verdict);
  if (exit_code(verdict) != 0) {
    text += "reproduce: " + verdict.reproduce + "\n";
  }
  return text;
}

Output text_output() {
  return {"text", "what the terminal shows", render_text};
}

}  // namespace vernier
