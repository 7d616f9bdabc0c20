#include "reports/outputs/told.hpp"

#include <cmath>

#include <fmt/core.h>

#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr double in_percent = 100;

/// Rounded down, so that not all is never told as all.
std::string asked_share_text(double share) {
  const auto least = std::floor(share * in_percent * 100) / 100;
  return least == 0 && share > 0 ? "below 0.01 %" : significant_text(least, shown_digits) + " %";
}

std::string sentence(const Coverage& coverage, const std::optional<std::uint64_t>& seed) {
  const auto& [asked, of, largest_gap] = coverage.positions;
  if (asked == of) {
    return fmt::format("{}: all {} positions were asked for.", coverage.roles, of);
  }
  return fmt::format("{}: {} of {} positions were asked for ({}; largest gap {}{}).", coverage.roles, asked,
                     of, asked_share_text(static_cast<double>(asked) / static_cast<double>(of)), largest_gap,
                     // One run that is left out was not drawn.
                     seed && largest_gap < of - asked ? "; seed " + std::to_string(*seed) : std::string());
}

template <class... Texts>
void show(Texts&... texts) {
  ((texts = one_line(texts)), ...);
}

void show(Check& check) {
  show(check.id, check.reason, check.note, check.required);
  for (auto& [name, value] : check.counterexample) {
    show(name, value);
  }
  for (auto* evidence : {&check.first_failing, &check.worst}) {
    if (*evidence) {
      show((*evidence)->role, (*evidence)->truth);
    }
  }
  if (check.waiver) {
    show(check.waiver->reason, check.waiver->issue, check.waiver->failure);
  }
}

/// Its keys are Vernier's own; its texts may be a model's.
void show(OrderedJson& json) {
  if (json.is_string()) {
    json = one_line(json.get<std::string>());
  } else if (json.is_structured()) {
    for (auto& element : json) {
      show(element);
    }
  }
}

void show(std::vector<Explanation>& explanations) {
  for (auto& explanation : explanations) {
    show(explanation.consequence);
    for (auto& finding : explanation.findings) {
      show(finding.sentence);
      show(finding.edit);
    }
  }
}

using Measurements = std::vector<std::pair<std::string, std::string>>;

std::string text(double value) {
  return shortest_text(Format::binary64, value);
}

void append_counts(const Counts& counts, Measurements& out) {
  if (counts.elements > 0) {
    out.emplace_back("elements", std::to_string(counts.elements));
    out.emplace_back("judged", std::to_string(counts.judged));
    out.emplace_back("failing", std::to_string(counts.failing));
    out.emplace_back("inconclusive", std::to_string(counts.inconclusive));
  }
}

void append_statistics(const ErrorStatistics& statistics, Measurements& out) {
  out.emplace_back("greatest error in ulp", text(statistics.ulps().greatest()));
  out.emplace_back("greatest absolute error", text(statistics.absolute().greatest()));
  out.emplace_back("greatest phase roundings", text(statistics.phase_roundings().greatest()));
  out.emplace_back("root mean square absolute error", text(statistics.absolute().rms()));
}

}  // namespace

std::vector<std::string> asking_sentences(const Verdict& verdict) {
  std::vector<std::string> sentences;
  for (const auto& coverage : verdict.asking.coverage) {
    sentences.push_back(sentence(coverage, verdict.seed));
  }
  sentences.insert(sentences.end(), verdict.asking.notes.begin(), verdict.asking.notes.end());
  return sentences;
}

std::string caution(const Verdict& verdict) {
  const auto share = verdict.asking.least_share();
  return verdict.asking.quick && share < 1
             ? fmt::format("QUICK LOOK at {} of the positions, not the full question",
                           asked_share_text(share))
             : "";
}

Verdict visible(Verdict verdict) {
  show(verdict.name, verdict.producer, verdict.encoding, verdict.source, verdict.reproduce);
  show(verdict.spec);
  for (auto& use : verdict.contracts) {
    show(use.role, use.stored, use.id, use.meaning, use.budget);
  }
  for (auto& check : verdict.checks) {
    show(check);
  }
  for (auto& waiver : verdict.stale_waivers) {
    show(waiver.check, waiver.issue, waiver.problem);
  }
  for (auto& coverage : verdict.asking.coverage) {
    show(coverage.roles);
  }
  for (auto& note : verdict.asking.notes) {
    show(note);
  }
  for (auto& diagnosis : verdict.diagnosis) {
    show(diagnosis.roles, diagnosis.rest);
    show(diagnosis.explanations);
    show(diagnosis.partial);
  }
  return verdict;
}

Measurements measurements(const Check& check) {
  Measurements result;
  append_counts(check.counts, result);
  if (check.greatest_budget_ratio) {
    result.emplace_back("greatest share of the budget used", text(*check.greatest_budget_ratio));
  }
  if (check.worst) {
    result.emplace_back("worst position", std::to_string(check.worst->position));
    result.emplace_back("worst column", std::to_string(check.worst->column));
  }
  if (check.statistics) {
    append_statistics(*check.statistics, result);
  }
  return result;
}

}  // namespace vernier
