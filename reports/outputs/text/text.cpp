#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <fmt/format.h>

#include "reference/support/mapped.hpp"
#include "reference/support/told_apart.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/text/lines.hpp"
#include "reports/outputs/told.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/verdict/verdict.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr int value_digits = 4;

/// In few characters: "0.9997", "1.65e+07".
std::string short_text(double value, int digits) {
  return fmt::format("{:.{}g}", value, digits);
}

/// The same of a decimal in words of its own, as it is where it is no number.
std::string short_text(const std::string& decimal, int digits) {
  char* end = nullptr;
  const double value = std::strtod(decimal.c_str(), &end);
  return end == decimal.c_str() + decimal.size() ? short_text(value, digits) : decimal;
}

/// \param tells_budgets whether the error is given in budgets too
std::string worst_text(const ElementWitness& e, bool tells_budgets) {
  const auto [got, truth] =
      e.expected ? told_apart(e.got, *e.expected, value_digits)
                 : std::pair(short_text(e.got, value_digits), short_text(e.truth, value_digits));
  const auto copy =
      e.leading_index.empty() ? "" : fmt::format("row {}, ", to_string(RowPlace{e.leading_index, e.row}));
  return fmt::format("worst at {}position {}, column {}: expected {}, got {}{}", copy, e.position_text(),
                     e.column, truth, got,
                     tells_budgets && std::isfinite(e.budget_ratio)
                         ? fmt::format(" ({} budgets)", times_text(e.budget_ratio))
                         : "");
}

/// "0.5 = 0x1p-1 = 0x3f000000" is 0.5 in a line.
std::string in_decimal(const std::string& value) {
  return value.substr(0, std::min(value.find(" = 0x"), value.find(" = -0x")));
}

/// "position 5, column 3, expected 0.5"; of questions, which have commas, "question 1: ...; question 2: ...".
std::string counterexample_text(const Check& check) {
  const bool is_of_questions = std::ranges::any_of(
      check.counterexample, [](const auto& entry) { return entry.first.starts_with("question "); });
  std::string text;
  for (const auto& [name, value] : check.counterexample) {
    text += fmt::format("{}{}{} {}",
                        text.empty()      ? ""
                        : is_of_questions ? "; "
                                          : ", ",
                        name, is_of_questions ? ":" : "", in_decimal(value));
  }
  return text;
}

/// Where it is, what was expected and what is there, without the input and what follows from these.
std::string short_counterexample_text(Check check) {
  auto& told = check.counterexample;
  const auto name = &std::pair<std::string, std::string>::first;
  if (const auto got = std::ranges::find(told, "got", name); got != told.end()) {
    told.erase(got + 1, told.end());
  }
  constexpr std::array<std::string_view, 3> unimportant{"pair", "input", "tensors"};
  std::erase_if(told, [&](const auto& entry) { return std::ranges::count(unimportant, entry.first) > 0; });
  return counterexample_text(check);
}

/// What failed in as many words as there is room for.
std::string failure_text(const Check& check, std::size_t room) {
  const auto counts =
      check.counts.failing == 0 ? "" : fmt::format("{} of {}", check.counts.failing, check.counts.judged);
  const auto after = [](const std::string& text, std::string_view separator, const std::string& more) {
    return text.empty() ? more : text + std::string(separator) + more;
  };
  if (check.worst) {
    const auto whole = after(counts, "; ", worst_text(*check.worst, true));
    return characters(whole) <= room ? whole : after(counts, "; ", worst_text(*check.worst, false));
  }
  if (check.counterexample.empty()) {
    return check.reason;
  }
  const auto with_reason = after(check.reason, ": ", counterexample_text(check));
  const bool has_values = with_reason.find(" got ") != std::string::npos;
  return characters(with_reason) <= room || counts.empty() || !has_values
             ? with_reason
             : after(counts, "; ", short_counterexample_text(check));
}

/// What became of a check, in a line that has the worst element where there is one: "FAIL  accuracy/cos:
/// ...". It may be too long for a line.
std::string check_line(const Check& check) {
  if (check.status != Status::fail) {
    return fmt::format("{} {}: {}", to_string(check.status), check.id, check.reason);
  }
  const auto start = fmt::format("FAIL  {}: ", check.id);
  return start + failure_text(check, line_width - detail_indent -
                                         std::min(characters(start), line_width - detail_indent));
}

constexpr std::size_t most_text_lines = 10;  ///< after the first
constexpr std::size_t most_first_lines = 3;
constexpr std::size_t most_of_a_name = 40;
constexpr std::size_t most_of_an_entry = 5;

/// "accuracy/cos and accuracy/sin", "accuracy/cos, accuracy/sin and 3 more checks"
std::string named(std::vector<std::string> ids) {
  constexpr std::size_t most = 2;
  const auto count = ids.size();
  const bool all = count <= most;
  ids.resize(std::min(count, most));
  return joined(ids, all ? " and " : ", ") +
         (all ? "" : fmt::format(" and {}", counted(count - most, "more check", "more checks")));
}

/// "accuracy/cos fails", "accuracy/cos, accuracy/sin and 3 more checks fail"
std::string named_checks(const Verdict& verdict, Status status, std::string_view one, std::string_view many) {
  const auto ids =
      mapped(pointers_to(verdict.checks, [&](const Check& check) { return check.status == status; }),
             [](const auto* check) { return check->id; });
  return ids.empty() ? "" : fmt::format("{} {}", named(ids), ids.size() == 1 ? one : many);
}

/// What decided, where nothing was diagnosed.
std::string decided_by(const Verdict& verdict) {
  switch (outcome(verdict)) {
    case Conclusion::conforms:
      break;
    case Conclusion::does_not_conform:
      return named_checks(verdict, Status::fail, "fails", "fail");
    case Conclusion::inconclusive: {
      const auto errors = named_checks(verdict, Status::error, "could not run", "could not run");
      const auto open = named_checks(verdict, Status::inconclusive, "is inconclusive", "are inconclusive");
      return errors + (errors.empty() || open.empty() ? "" : ", ") + open;
    }
    case Conclusion::nothing_checked:
      return verdict.checks.empty() ? "there is nothing to check" : "every check was skipped or waived";
  }
  return "";
}

/// What a part says of each diagnosis, each text once, and of which tensors where texts differ.
std::string of_each_diagnosis(const std::vector<ToldDiagnosis>& diagnoses, std::string_view label,
                              std::string ToldDiagnosis::*part) {
  std::vector<std::string> texts;
  std::vector<std::string> with_roles;
  for (const auto& diagnosis : diagnoses) {
    if (const auto& text = diagnosis.*part; !text.empty()) {
      add_once(texts, text);
      add_once(with_roles, fmt::format("{}: {}", diagnosis.roles, text));
    }
  }
  return texts.empty() ? ""
                       : fmt::format("{}: {}", label, fmt::join(texts.size() == 1 ? texts : with_roles, " "));
}

std::string equally_text(const std::vector<ToldDiagnosis>& diagnoses) {
  std::vector<std::string> sentences;
  for (const auto& diagnosis : diagnoses) {
    std::ranges::copy(diagnosis.equally, std::back_inserter(sentences));
  }
  return sentences.empty() ? ""
                           : fmt::format("Equally possible: {}{}", sentences.front(),
                                         sentences.size() == 1
                                             ? ""
                                             : fmt::format("; {} more with --verbose", sentences.size() - 1));
}

std::string kept_paragraph(const Verdict& verdict) {
  if (verdict.kept_contracts.empty()) {
    return "";
  }
  const std::vector<std::string> others(verdict.kept_contracts.begin() + 1, verdict.kept_contracts.end());
  return fmt::format("The tensors keep the contract {0}: pass --contract {0} if it is intended.{1}",
                     verdict.kept_contracts.front(),
                     others.empty() ? "" : fmt::format(" The tensors keep {} too.", joined(others, " and ")));
}

/// An entry for each check of a status, one for neighbours that have one reason and no counterexample.
TextBlock checks_block(const Verdict& verdict, Status status, std::size_t least = 2) {
  std::vector<Check> together;
  std::vector<std::string> ids;
  std::vector<std::ptrdiff_t> starts;
  for (const auto& check : verdict.checks) {
    if (check.status != status) {
      continue;
    }
    const bool alone = together.empty() || together.back().reason != check.reason || check.worst ||
                       !check.counterexample.empty();
    if (alone) {
      together.push_back(check);
      starts.push_back(std::ssize(ids));
    }
    ids.push_back(check.id);
    together.back().id = named({ids.begin() + starts.back(), ids.end()});
  }
  const auto others = [=](std::size_t first) {
    const std::vector<std::string> more(ids.begin() + starts[first], ids.end());
    const auto what = status == Status::fail ? (more.size() == 1 ? "fails" : "fail") : to_string(status);
    return fmt::format("and {} {}: {}", counted(more.size(), "more check", "more checks"), what,
                       joined(more));
  };
  auto block = entries(mapped(together, check_line), detail_indent, most_of_an_entry, others);
  block.least = least;
  return block;
}

/// Sentences of which those without room are only counted.
TextBlock sentences_block(std::vector<std::string> sentences, std::string_view one, std::string_view many) {
  const auto count = sentences.size();
  return entries(std::move(sentences), detail_indent, most_of_an_entry, [=](std::size_t first) {
    return fmt::format("and {} (--verbose)", counted(count - first, one, many));
  });
}

/// All that passed.
std::string passed_text(const Verdict& verdict) {
  auto text = counted(count_of(verdict, Status::pass), "check passes", "checks pass");
  const bool fails = outcome(verdict) == Conclusion::does_not_conform;
  if (const auto skipped = count_of(verdict, Status::skipped); skipped > 0) {
    text += fmt::format(", {} skipped{}", counted(skipped, "is", "are"),
                        fails ? " (reason: --verbose, or full_text in Python)" : "");
  }
  if (const auto ratio = greatest_budget_ratio(verdict); ratio && !fails) {
    text += "; the worst element " + usage_text(*ratio);
  }
  text += ".";
  for (const auto& check : verdict.checks) {
    text += check.note.empty() ? "" : fmt::format(" {}: {}.", check.id, check.note);
  }
  return text;
}

/// Which encoding, at which positions, and by which contracts.
std::string judged_text(const Verdict& verdict) {
  const auto contracts = contracts_text(verdict);
  const auto lengths = std::ranges::find(verdict.checks, "use/thresholds", &Check::id);
  const bool has_lengths = lengths != verdict.checks.end() && lengths->status == Status::pass;
  return (has_lengths ? "L" + lengths->reason.substr(1) + ". " : "") + verdict.encoding + rows_text(verdict) +
         (contracts.empty() ? "" : "; judged: " + contracts) + ".";
}

/// Nothing of a command that does not fit in a line: one that is broken cannot be run.
TextBlock reproduce_block(const Verdict& verdict) {
  const auto line = reproduce_line(verdict);
  return paragraph(characters(line) + detail_indent <= line_width ? line : "", detail_indent, 1, 0);
}

/// What was found, what it means and what failed; where nothing failed, or what failed is waived, what was
/// judged and what became of it.
Lines lines_below(const Verdict& verdict, std::size_t room) {
  const bool fails = outcome(verdict) == Conclusion::does_not_conform;
  const auto diagnoses = fails ? told_diagnoses(verdict) : std::vector<ToldDiagnosis>();
  const auto part = [&](std::string_view label, std::string ToldDiagnosis::*text, std::size_t most) {
    return paragraph(of_each_diagnosis(diagnoses, label, text), detail_indent, most);
  };
  const auto unless_it_fails = [&](TextBlock block) {
    block.wanted = fails ? 0 : block.wanted;
    return block;
  };
  const std::array blocks{
      part("Evidence", &ToldDiagnosis::evidence, 3),
      paragraph(equally_text(diagnoses), detail_indent, 2),
      part("Effect", &ToldDiagnosis::effect, 2),
      part("Fix", &ToldDiagnosis::fix, 2),
      unless_it_fails(paragraph(judged_text(verdict), detail_indent, 3)),
      paragraph(kept_paragraph(verdict), detail_indent, fails ? 1 : 2),
      unless_it_fails(sentences_block(asking_sentences(verdict), "more sentence on what was asked",
                                      "more sentences on what was asked")),
      checks_block(verdict, Status::fail, 3),
      checks_block(verdict, Status::error),
      checks_block(verdict, Status::inconclusive),
      checks_block(verdict, Status::waived),
      sentences_block(stale_waiver_lines(verdict), "more stale waiver", "more stale waivers"),
      paragraph(passed_text(verdict), detail_indent, fails ? 1 : 3),
      unless_it_fails(checks_block(verdict, Status::skipped)),
      reproduce_block(verdict)};
  using Ranks = std::array<std::size_t, blocks.size()>;
  static constexpr Ranks of_failing{0, 3, 2, 7, 11, 12, 8, 1, 5, 9, 10, 14, 4, 6, 13};
  static constexpr Ranks of_others{11, 8, 9, 5, 12, 4, 10, 6, 13, 14, 0, 1, 2, 3, 7};
  return laid_out(blocks, fails ? of_failing : of_others, room);
}

std::string first_line_with(const Verdict& verdict, std::string_view conclusion, const std::string& found) {
  const auto beside = caution(verdict);
  return fmt::format("{}: {}{}{}", verdict.name, conclusion, beside.empty() ? "" : " (" + beside + ")",
                     found.empty() ? "" : ": " + found);
}

/// In at most three lines; a name that has no room is cut, for what was found comes after it.
/// \param line what it is of a verdict
Lines first_lines(Verdict verdict, std::string (*line)(const Verdict&) = first_line) {
  if (characters(line(verdict)) > line_width) {
    verdict.name = cut(verdict.name, most_of_a_name);
  }
  return fitted(line(verdict), 0, most_first_lines);
}

/// The outcome alone, as what is waived may still change, and the finding of a check or its own sentence.
std::string failure_line(const Verdict& so_far) {
  auto found = sentence_of(so_far);
  if (found.empty()) {
    const auto& check = *std::ranges::find(so_far.checks, Status::fail, &Check::status);
    found = fmt::format("{} ({})", check.reason, check.id);
  }
  return first_line_with(so_far, in_words(outcome(so_far)), found);
}

/// Under the first lines. \param verdict with visible texts
Lines rest_below(Lines lines, const Verdict& verdict) {
  std::ranges::move(fitted(verdict.as_written, detail_indent, most_first_lines), std::back_inserter(lines));
  const auto room = most_text_lines + 1 - std::max<std::size_t>(lines.size(), 1);
  std::ranges::move(lines_below(verdict, room), std::back_inserter(lines));
  return lines;
}

}  // namespace

std::string first_line(const Verdict& verdict) {
  const auto found = sentence_of(verdict);
  return first_line_with(verdict, headline(verdict), found.empty() ? decided_by(verdict) : found);
}

std::string render_text(const Verdict& original) {
  const auto verdict = visible(original);
  return lines_text(rest_below(first_lines(verdict), verdict));
}

std::string render_failure(const Verdict& so_far) {
  return fmt::format("{}", fmt::join(first_lines(visible(so_far), failure_line), "\n"));
}

std::string render_after_failure(const Verdict& original, bool in_full) {
  const auto verdict = visible(original);
  const auto cause = verdict.diagnosis.empty()
                         ? Lines()
                         : first_lines(verdict, [](const Verdict& v) { return "Cause: " + sentence_of(v); });
  return in_full ? lines_text(cause) + full_text_below(verdict) : lines_text(rest_below(cause, verdict));
}

Output text_output() {
  return {"text", render_text, render_full_text};
}

}  // namespace vernier
