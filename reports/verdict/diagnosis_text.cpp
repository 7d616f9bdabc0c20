#include "reports/verdict/diagnosis_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/core.h>

#include "numerics/computation/spec_changes.hpp"
#include "numerics/computation/spec_patch.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/schemes/scheme_texts.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/words/cost_words.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_characters_of_a_value = 60;

/// What the declared computation does not predict.
struct DeclaredFailures {
  std::uint64_t failing = 0;
  double largest_budget_ratio = 0;
};

DeclaredFailures declared_failures(const Verdict& verdict, const Diagnosis& diagnosis) {
  DeclaredFailures result;
  for (const auto& check : verdict.checks) {
    const bool is_of_elements = check.id.starts_with("accuracy/") || check.id.starts_with("pass-through/");
    if (is_of_elements && is_about(check, diagnosis)) {
      result.failing += check.counts.failing;
      result.largest_budget_ratio =
          std::max(result.largest_budget_ratio, check.greatest_budget_ratio.value_or(0));
    }
  }
  return result;
}

std::string as_declared_text(const DeclaredFailures& declared) {
  if (declared.failing == 0) {
    return "";
  }
  const auto ratio = declared.largest_budget_ratio;
  const bool is_one = declared.failing == 1;
  if (!(ratio > 0)) {
    return fmt::format(" Without it {} {}.", declared.failing, is_one ? "differs" : "differ");
  }
  const auto how_far =
      std::isfinite(ratio) ? fmt::format("by {} budgets", times_text(ratio)) : "without bound";
  return fmt::format(" Without it {} {}{}.", declared.failing, is_one ? "misses " : "miss, the worst ",
                     how_far);
}

std::string explained_text(const Verdict& verdict, const Diagnosis& diagnosis) {
  const auto& prediction = diagnosis.explanations.front().prediction;
  const auto elements = prediction.elements;
  const auto conclusive = prediction.conclusive;
  const double ratio = prediction.largest_budget_ratio;
  if (conclusive == 0) {
    return "";
  }
  const auto which = conclusive == elements
                         ? fmt::format("all {} elements", elements)
                         : fmt::format("all {} elements that can be judged (of {})", conclusive, elements);
  constexpr double in_percent = 100;
  const auto how_well =
      ratio == 0 ? " exactly"
                 : fmt::format(", using at most {} % of the budget", bound_text(in_percent * ratio, 2));
  return fmt::format("With this fault {} are reproduced{}.{}", which, how_well,
                     as_declared_text(declared_failures(verdict, diagnosis)));
}

std::string unexplained_text(const Diagnosis& diagnosis) {
  std::string text =
      fmt::format("{} tried; none reproduces every element.",
                  counted(diagnosis.searched, "faulty computation was", "faulty computations were"));
  if (!diagnosis.partial.empty()) {
    const auto& best = diagnosis.partial.front();
    text += fmt::format(" The closest leaves {} of {} elements beyond their budgets: {}.",
                        best.prediction.failing, best.prediction.conclusive, sentence_of(best));
  }
  if (!diagnosis.rest.empty()) {
    text += " " + diagnosis.rest + (diagnosis.rest.ends_with('.') ? "" : ".");
  }
  return text;
}

/// The first finding stands for its explanation: the others follow from it or are lesser.
const FaultKind& main_kind(const Diagnosis& diagnosis) {
  return diagnosis.is_explained() ? *diagnosis.explanations.front().findings.front().kind
                                  : fault_kind("unexplained");
}

std::string shortened(std::string value) {
  if (value.size() > most_characters_of_a_value) {
    value.resize(most_characters_of_a_value);
    value = one_line(value) + "…";
  }
  return value;
}

/// An operation on "/scaling/factor" is one on "factor" in "scaling".
std::string operation_text(const OrderedJson& operation) {
  const auto path = operation.at("path").get<std::string>();
  const auto last = path.rfind('/');
  const bool is_removal = operation.at("op") == "remove";
  const auto edited =
      in_quotes(path.substr(last + 1)) + (is_removal ? "" : " to " + shortened(operation.at("value").dump()));
  return fmt::format("{} {}{}", is_removal ? "remove" : "set", edited,
                     last == std::string::npos || last == 0
                         ? ""
                         : fmt::format(" {} {}", is_removal ? "from" : "in", path.substr(1, last - 1)));
}

/// Without the keys that say no more than their defaults: the least that somebody wrote. \param spec with all
/// its defaults
OrderedJson without_defaults(const OrderedJson& spec) {
  auto least = spec;
  const auto flat = spec.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    auto less = patched_spec(least, removal(pointer.substr(1)));
    const auto encoding = std::isdigit(pointer.back()) != 0 ? nullptr : encoding_of(less);
    least = encoding != nullptr && encoding->spec() == spec ? std::move(less) : std::move(least);
  }
  return least;
}

/// What to write to have the spec with all edits of an explanation, whether its defaults are written or not.
/// Empty where a finding is no matter of the spec, or the scheme refuses them: what one alone leaves fails.
OrderedJson advised_patch(const OrderedJson& spec, const Explanation& explanation) {
  auto patch = OrderedJson::array();
  for (const auto& finding : explanation.findings) {
    if (finding.edit.is_null()) {
      return OrderedJson::array();
    }
    patch.insert(patch.end(), finding.edit.begin(), finding.edit.end());
  }
  const auto edited = encoding_of(patched_spec(spec, patch));
  return edited == nullptr ? OrderedJson::array()
                           : patch_between(without_defaults(spec), without_defaults(edited->spec()));
}

/// The operations of all edits, each once, and the findings that have none.
struct Edits {
  OrderedJson operations = OrderedJson::array();
  std::vector<std::string> beside = {};
  bool contradictory = false;  ///< tensors of one case agree with different specs
};

void add_edit(Edits& edits, const OrderedJson& operation) {
  const auto same_path = std::ranges::find_if(
      edits.operations, [&](const OrderedJson& other) { return other.at("path") == operation.at("path"); });
  if (same_path == edits.operations.end()) {
    edits.operations.push_back(operation);
  } else if (*same_path != operation) {
    edits.contradictory = true;
  }
}

Edits edits_of(const Verdict& verdict) {
  Edits edits;
  for (const auto& diagnosis : verdict.diagnosis) {
    for (const auto& finding : diagnosis.explanations.front().findings) {
      if (finding.edit.is_null()) {
        edits.beside.push_back(finding.sentence);
        continue;
      }
      for (const auto& operation : finding.edit) {
        add_edit(edits, operation);
      }
    }
  }
  return edits;
}

}  // namespace

double predicted_share(const Prediction& prediction) {
  return prediction.conclusive == 0 ? 0
                                    : static_cast<double>(prediction.conclusive - prediction.failing) /
                                          static_cast<double>(prediction.conclusive);
}

std::string evidence_text(const Verdict& verdict, const Diagnosis& diagnosis) {
  return diagnosis.is_explained() ? explained_text(verdict, diagnosis) : unexplained_text(diagnosis);
}

std::string search_text(const Diagnosis& diagnosis) {
  std::string text;
  for (const auto& one : diagnosis.tried) {
    text += fmt::format("  {:5.1f} bits  {}: {}\n", one.bits, one.sentence, one.outcome);
  }
  return text.empty()
             ? text
             : fmt::format("Search of {}: of {} computations that were tried, the nearest with one edit\n{}",
                           diagnosis.roles, diagnosis.searched, text);
}

std::vector<std::string> equal_explanations(const Diagnosis& diagnosis) {
  const std::span all(diagnosis.explanations);
  auto result = mapped(all.subspan(std::min<std::size_t>(1, all.size())),
                       [](const Explanation& explanation) { return sentence_of(explanation); });
  for (const auto& finding : all.empty() ? std::vector<Finding>() : all.front().findings) {
    if (finding.region) {
      std::ranges::copy(finding.region->equally, std::back_inserter(result));
    }
  }
  return result;
}

std::string key_meanings(const OrderedJson& spec, const Finding& finding) {
  constexpr std::array kinds_of_any_key{"spec/key", "mapping/parameter", "mapping/reading"};
  std::string text;
  if (std::ranges::find(kinds_of_any_key, finding.kind->id) == kinds_of_any_key.end()) {
    return text;
  }
  const KeyTexts texts(spec.value("scheme", ""), "");
  for (const auto& change : finding.edit) {
    const auto path = change.at("path").get<std::string>();
    const auto key = path.substr(path.rfind('/') + 1);
    if (const auto meaning = texts.of(key).meaning; !meaning.empty()) {
      text += fmt::format(" \"{}\" stands for {}.", key, meaning);
    }
  }
  return text;
}

std::string effect_text(const Verdict& verdict, const Diagnosis& diagnosis) {
  if (diagnosis.roles.starts_with("input_gradient")) {
    const bool is_of_other_rotation = std::ranges::any_of(verdict.checks, [](const Check& check) {
      return check.id.ends_with("/adjoint") && check.status == Status::fail;
    });
    return is_of_other_rotation
               ? "The gradient does not belong to the rotation of the forward pass, and training goes wrong."
               : "Training gets a gradient that is none of the declared rotation.";
  }
  if (diagnosis.is_explained()) {
    const auto& [findings, prediction, bits, in_figures, computation] = diagnosis.explanations.front();
    return (in_figures.empty() ? std::string(findings.front().kind->means) : in_figures) +
           key_meanings(verdict.spec, findings.front());
  }
  const bool is_of_vectors = diagnosis.roles.find("rotated") != std::string::npos;
  return verdict.cost && !is_of_vectors ? cost_sentence(*verdict.cost)
                                        : std::string(fault_kind("unexplained").means);
}

std::string advice_text(const Verdict& verdict, const Diagnosis& diagnosis) {
  const std::string advice(main_kind(diagnosis).advice);
  const auto patch = diagnosis.is_explained() ? advised_patch(verdict.spec, diagnosis.explanations.front())
                                              : OrderedJson::array();
  return patch.empty()
             ? advice
             : fmt::format("If this result is intended, {} in the spec. {}", patch_text(patch), advice);
}

std::vector<std::string> similar_bugs(const Diagnosis& diagnosis) {
  std::vector<std::string> bugs;
  if (!diagnosis.is_explained()) {
    return bugs;
  }
  for (const auto& finding : diagnosis.explanations.front().findings) {
    for (const auto& bug : finding.kind->similar) {
      add_once(bugs, bug);
    }
  }
  return bugs;
}

std::string with_finding(const Verdict& verdict, const Check& check, const std::string& text) {
  for (const auto& diagnosis : verdict.diagnosis) {
    if ((check.status == Status::fail || check.status == Status::waived) && is_about(check, diagnosis)) {
      return fmt::format("{}. {}", sentence_of(diagnosis), text);
    }
  }
  return text;
}

std::string patch_text(const OrderedJson& patch) {
  return joined(patch, operation_text);
}

std::optional<double> ratio_of(const RecoveredFrequency& frequency) {
  return frequency.declared == 0 ? std::nullopt : std::optional(frequency.found / frequency.declared);
}

std::vector<RecoveredFrequency> differing_first(std::vector<RecoveredFrequency> frequencies) {
  std::ranges::stable_partition(frequencies, &RecoveredFrequency::differs);
  return frequencies;
}

CorrectedSpec corrected_spec(const Verdict& verdict) {
  if (verdict.diagnosis.empty()) {
    return {.remark = outcome(verdict) == Conclusion::conforms
                          ? "the tensors conform, so the spec needs no edit"
                          : "nothing was found in the tensors that an edit of the spec could mend"};
  }
  if (!std::ranges::all_of(verdict.diagnosis, &Diagnosis::is_explained)) {
    return {.remark = "no spec is known that the tensors agree with: what is wrong with them is unexplained"};
  }
  const auto edits = edits_of(verdict);
  const auto beside = joined(edits.beside, " and ");
  if (edits.contradictory) {
    return {.remark = "the tensors agree with different specs: " + sentence_of(verdict)};
  }
  if (edits.operations.empty()) {
    return {.remark = "no edit of the spec is known that mends this: " + beside};
  }
  try {
    const auto text = verdict.spec.patch(edits.operations).dump();
    return {.spec = parse_spec(text, "the edited spec")->spec(),
            .remark = beside.empty() ? "" : "beside this spec, and no matter of it: " + beside};
  } catch (const OrderedJson::exception& error) {
    return {.remark = fmt::format("the edits do not fit the spec ({})", error.what())};
  } catch (const InputError& error) {
    return {.remark = error.what()};
  }
}

}  // namespace vernier
