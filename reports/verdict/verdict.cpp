#include "reports/verdict/verdict.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reference/numbers/format.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string stale_waivers_text(const Verdict& verdict) {
  const auto texts = mapped(verdict.stale_waivers, [](const StaleWaiver& waiver) {
    return fmt::format("{}: {}", waiver.check, waiver.problem);
  });
  return texts.empty() ? "" : fmt::format(" Waivers to update: {}.", fmt::join(texts, "; "));
}

/// Not of a key of the spec, such as original_max_position_embeddings.
std::string capitalised(std::string text) {
  const bool is_key = text.substr(0, text.find(' ')).find('_') != std::string::npos;
  if (!is_key && !text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

/// Whether the tensors keep a contract that says something of them: most keep one of 16 bits.
bool keeps_a_telling_contract(const Verdict& verdict) {
  const auto computed =
      verdict.kept_contracts.empty() ? std::nullopt : format_named(verdict.kept_contracts.front());
  return !verdict.kept_contracts.empty() &&
         !(computed && traits(*computed).precision < traits(Format::binary32).precision);
}

/// Of the tensors that fail: where nothing explains them, the contract that they keep in place of theirs.
/// Empty where none is diagnosed.
std::string diagnosed_sentence(const Verdict& verdict) {
  if (!verdict.diagnosis.empty() && keeps_a_telling_contract(verdict) &&
      std::ranges::none_of(verdict.diagnosis, &Diagnosis::is_explained)) {
    return fmt::format("the tensors keep the contract {}, not the one that they are judged by",
                       verdict.kept_contracts.front());
  }
  std::vector<std::string> found;
  for (const auto& diagnosis : verdict.diagnosis) {
    add_once(found, sentence_of(diagnosis));
  }
  if (found.size() <= 1) {
    return joined(found);
  }
  const auto texts = mapped(verdict.diagnosis, [](const Diagnosis& diagnosis) {
    return fmt::format("{}: {}", diagnosis.roles, sentence_of(diagnosis));
  });
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

double Asking::least_share() const {
  double share = 1;
  for (const auto& [roles, positions] : coverage) {
    share = std::min(share, static_cast<double>(positions.asked) / static_cast<double>(positions.of));
  }
  return share;
}

std::uint64_t count_of(const Verdict& verdict, Status status) {
  return static_cast<std::uint64_t>(std::ranges::count(verdict.checks, status, &Check::status));
}

std::string_view to_string(Status status) {
  static constexpr std::array<std::string_view, 6> names{"pass",         "fail",    "waived",
                                                         "inconclusive", "skipped", "error"};
  return names[static_cast<std::size_t>(status)];
}

Status status_of(std::uint64_t failing, std::uint64_t inconclusive) {
  return failing > 0 ? Status::fail : inconclusive > 0 ? Status::inconclusive : Status::pass;
}

std::string_view to_string(Conclusion outcome) {
  static constexpr std::array<std::string_view, 4> names{"conforms", "does_not_conform", "inconclusive",
                                                         "nothing_checked"};
  return names[static_cast<std::size_t>(outcome)];
}

std::string_view in_words(Conclusion outcome) {
  static constexpr std::array<std::string_view, 4> names{"conforms", "does not conform", "inconclusive",
                                                         "nothing checked"};
  return names[static_cast<std::size_t>(outcome)];
}

Conclusion outcome(const Verdict& verdict) {
  if (count_of(verdict, Status::fail) > 0) {
    return Conclusion::does_not_conform;
  }
  if (count_of(verdict, Status::inconclusive) > 0 || count_of(verdict, Status::error) > 0) {
    return Conclusion::inconclusive;
  }
  return count_of(verdict, Status::pass) > 0 ? Conclusion::conforms : Conclusion::nothing_checked;
}

std::string headline(const Verdict& verdict) {
  const auto waived = count_of(verdict, Status::waived);
  std::vector<std::string> with;
  if (waived > 0) {
    with.push_back(counted(waived, "waived failure", "waived failures"));
  }
  if (!verdict.stale_waivers.empty()) {
    with.push_back(counted(verdict.stale_waivers.size(), "stale waiver", "stale waivers"));
  }
  const bool is_silent = outcome(verdict) == Conclusion::inconclusive && !sentence_of(verdict).empty();
  return std::string(is_silent ? "cannot be judged" : in_words(outcome(verdict))) +
         (with.empty() ? "" : ", with " + joined(with, " and "));
}

int exit_code(const Verdict& verdict) {
  const auto conclusion = outcome(verdict);
  return !verdict.stale_waivers.empty()               ? 5
         : conclusion == Conclusion::conforms         ? 0
         : conclusion == Conclusion::does_not_conform ? 1
         : count_of(verdict, Status::error) > 0       ? 3
                                                      : 4;
}

std::string ids_of(const Verdict& verdict, std::initializer_list<Status> statuses) {
  std::vector<std::string> found;
  for (const auto& check : verdict.checks) {
    if (std::ranges::find(statuses, check.status) != statuses.end()) {
      found.push_back(check.id);
    }
  }
  return joined(found);
}

std::optional<double> greatest_budget_ratio(const Verdict& verdict) {
  std::optional<double> greatest;
  for (const auto& check : verdict.checks) {
    const auto budget_ratio = check.greatest_budget_ratio ? check.greatest_budget_ratio
                              : check.worst               ? std::optional(check.worst->budget_ratio)
                                                          : std::nullopt;
    if (check.status != Status::waived && budget_ratio) {
      greatest = std::max(greatest.value_or(0), *budget_ratio);
    }
  }
  return greatest;
}

std::string sentence_of(const Diagnosis& diagnosis) {
  if (diagnosis.is_explained()) {
    return sentence_of(diagnosis.explanations.front());
  }
  return diagnosis.held.empty() ? "unexplained" : diagnosis.held + "; why is unexplained";
}

std::string sentence_of(const Verdict& verdict) {
  auto diagnosed = diagnosed_sentence(verdict);
  const auto has_finding = [](const Check& check) {
    return (check.status == Status::fail || check.status == Status::error) && !check.finding.empty();
  };
  // Where values vary, what is said of them holds of some only.
  const auto varying = std::ranges::find_if(
      verdict.checks, [&](const Check& check) { return has_finding(check) && check.values_vary; });
  const auto first =
      varying != verdict.checks.end() ? varying : std::ranges::find_if(verdict.checks, has_finding);
  if (first == verdict.checks.end()) {
    return diagnosed;
  }
  if (diagnosed.empty()) {
    return first->finding;
  }
  if (first->values_vary) {
    return first->finding + "; " + diagnosed;
  }
  if (std::ranges::none_of(verdict.diagnosis, &Diagnosis::is_explained)) {
    return diagnosed + "; " + first->finding;
  }
  return diagnosed;
}

bool is_about(const Check& check, const Diagnosis& diagnosis) {
  const std::string_view id = check.id;
  const auto tensor = id.substr(std::min(id.find('/'), id.size() - 1) + 1);
  const auto role = fmt::format(", {}, ", tensor.substr(0, tensor.find('/')));
  return fmt::format(", {}, ", diagnosis.roles).find(role) != std::string::npos;
}

std::string summary(const Verdict& verdict) {
  std::string text;
  const auto finding = sentence_of(verdict);
  switch (outcome(verdict)) {
    case Conclusion::conforms:
      text = fmt::format("The tensors conform{}{}",
                         count_of(verdict, Status::waived) > 0 ? ", but for what is waived: " : ": ",
                         counted(count_of(verdict, Status::pass), "check passes", "checks pass"));
      break;
    case Conclusion::does_not_conform:
      text = fmt::format("The tensors do not conform: {} failed", ids_of(verdict, {Status::fail}));
      break;
    case Conclusion::inconclusive:
      text = "Nothing failed, but not everything could be decided: " +
             ids_of(verdict, {Status::inconclusive, Status::error});
      break;
    case Conclusion::nothing_checked:
      text = "Nothing was checked";
      break;
  }
  if (const auto budget_ratio = greatest_budget_ratio(verdict)) {
    text += "; the worst element " + usage_text(*budget_ratio);
  }
  text += ".";
  if (count_of(verdict, Status::skipped) > 0) {
    text += fmt::format(" Skipped: {}.", ids_of(verdict, {Status::skipped}));
  }
  if (count_of(verdict, Status::waived) > 0) {
    text += fmt::format(" Waived: {}.", ids_of(verdict, {Status::waived}));
  }
  text += stale_waivers_text(verdict);
  return finding.empty() ? text : capitalised(finding) + ". " + text;
}

}  // namespace vernier
