#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/element_diagnosis.hpp"
#include "numerics/diagnosis/relative/biases/bias_model.hpp"
#include "numerics/elements/bias_source.hpp"
#include "numerics/tensors/engine_forms.hpp"
#include "numerics/views/plain_views.hpp"
#include "numerics/views/view_audit.hpp"
#include "reference/support/told_apart.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// What all biases of keys after their query hold, if that is one number no bias has.
std::optional<double> masked_value(const BiasSubject& subject) {
  constexpr double least_mask = 1e4;
  const auto declared = subject.declared();
  const auto queries = subject.bias.queries();
  std::optional<double> value;
  for (std::size_t head = 0; head < subject.heads(); ++head) {
    for (std::size_t query = 0; query < queries; ++query) {
      for (std::size_t key = 0; key < subject.bias.keys(); ++key) {
        const BiasPlace place{head, query, key};
        if (!declared.is_after_query(queries, place)) {
          continue;
        }
        const double got = subject.at(place);
        if (std::isnan(got) || (value && got != *value) || !(std::fabs(got) >= least_mask)) {
          return std::nullopt;
        }
        value = got;
      }
    }
  }
  return value;
}

std::string consequence(const BiasSubject& subject, const BiasJudgement& declared) {
  if (!declared.farthest) {
    return "";
  }
  const auto& place = *declared.farthest;
  const auto [got, truth] = told_apart(subject.at(place), declared.farthest_truth, 6);
  if (subject.is_slopes()) {
    return fmt::format("Head {} has the slope {}; correct is {}.", place.head, got, truth);
  }
  const auto own_key = subject.keys.size() - subject.bias.queries() + place.query;
  return fmt::format("Head {} adds {} to the score of position {} with key position {}; correct is {}.",
                     place.head, got, subject.keys[own_key], subject.keys[place.key], truth);
}

/// Where the elements are that nothing predicts.
std::string rest_of(const BiasJudgement& judgement) {
  const auto fails = [](std::uint64_t count) { return count > 0; };
  const auto& by_head = judgement.failing_by_head;
  const auto first = std::ranges::find_if(by_head, fails) - by_head.begin();
  const auto last = by_head.rend() - std::find_if(by_head.rbegin(), by_head.rend(), fails) - 1;
  const auto& prediction = judgement.prediction;
  return fmt::format("{} of {} elements fail, in {} of {} heads, from head {} to head {}.",
                     prediction.failing, prediction.elements, std::ranges::count_if(by_head, fails),
                     by_head.size(), first, last);
}

using Overwritten = std::map<std::size_t, HeadSlope>;

std::string place_text(const BiasSubject& subject, const BiasPlace& place) {
  if (subject.is_slopes()) {
    return fmt::format("head {}", place.head);
  }
  return subject.bias.queries() == 1
             ? fmt::format("head {}, key {}", place.head, place.key)
             : fmt::format("head {}, query {}, key {}", place.head, place.query, place.key);
}

/// The edits so far, and heads with other slopes.
std::optional<Explanation> with_heads(const BiasSubject& subject, const NearestModel<BiasModel>& nearest,
                                      const Overwritten& overwritten, Finding finding, double bits) {
  auto model = nearest.model;
  model.slope = [before = model.slope, overwritten](std::size_t head) {
    const auto found = overwritten.find(head);
    return found == overwritten.end() ? before(head) : found->second;
  };
  const auto judgement = judge(subject, model, true);
  if (!judgement.prediction.is_proved()) {
    return std::nullopt;
  }
  Explanation result{nearest.findings, judgement.prediction, nearest.bits + bits};
  result.findings.push_back(std::move(finding));
  return result;
}

std::vector<Explanation> damaged_heads(const BiasSubject& subject, const NearestModel<BiasModel>& nearest,
                                       const BiasJudgement& judgement) {
  constexpr std::size_t least_heads = 3;
  constexpr int most_digits = 7;
  std::vector<std::size_t> failing;
  for (std::size_t head = 0; head < subject.heads(); ++head) {
    if (judgement.failing_by_head[head] > 0) {
      failing.push_back(head);
    }
  }
  std::vector<Explanation> found;
  const auto add = [&](const Overwritten& overwritten, const FaultKind& kind, std::string sentence,
                       double bits) {
    if (auto explanation = with_heads(subject, nearest, overwritten, {&kind, std::move(sentence)}, bits)) {
      found.push_back(*std::move(explanation));
    }
  };
  const auto slope = [&](std::size_t head) { return nearest.model.slope(head); };
  if (subject.heads() < least_heads || failing.empty() || failing.size() > 2) {
    return found;
  }
  if (failing.size() == 2) {
    add({{failing[0], slope(failing[1])}, {failing[1], slope(failing[0])}},
        fault_kind("damage/heads-exchanged"),
        fmt::format("heads {} and {} are exchanged", failing[0], failing[1]), damaged_bits);
    return found;
  }
  const auto head = failing.front();
  const double measured = subject.found_slopes[head];
  constexpr double nearly = 0.02;
  for (std::size_t other = 0; other < subject.heads(); ++other) {
    const double expected = slope(other).approximately();
    if (other != head && std::fabs(measured - expected) <= nearly * std::fabs(expected)) {
      add({{head, slope(other)}}, fault_kind("damage/head-copy"),
          fmt::format("head {} is a copy of head {}", head, other), damaged_bits - 1);
    }
  }
  if (measured == 0) {
    add({{head, {.known = 0.0}}}, fault_kind("damage/head-zero"), fmt::format("head {} holds zeros", head),
        damaged_bits - 2);
  } else if (std::isfinite(measured) && !subject.is_slopes() && subject.bias.keys() >= least_heads) {
    for (const auto& decimal : short_decimals(measured, most_digits)) {
      add({{head, {.known = decimal.value}}}, fault_kind("slope/one-head"),
          fmt::format("the slope of head {} is {}, not {}", head, decimal.text,
                      in_sentence(slope(head).approximately())),
          damaged_bits + decimal_bits(decimal.digits));
      if (!found.empty()) {
        break;
      }
    }
  }
  return found;
}

std::optional<Explanation> damaged_elements(const BiasSubject& subject,
                                            const NearestModel<BiasModel>& nearest,
                                            const BiasJudgement& judgement) {
  constexpr std::uint64_t most_elements = 4;
  const auto& prediction = judgement.prediction;
  if (prediction.failing == 0 || prediction.failing > most_elements ||
      4 * prediction.failing > prediction.conclusive ||
      !stands_out(judgement.largest_failing_ratio, judgement.largest_holding_ratio)) {
    return std::nullopt;
  }
  Explanation result{nearest.findings, prediction,
                     nearest.bits + damaged_bits * static_cast<double>(prediction.failing)};
  result.prediction.failing = 0;
  result.prediction.conclusive -= prediction.failing;
  result.prediction.largest_budget_ratio = judgement.largest_holding_ratio;
  bool are_finite = true;
  const auto words = joined(
      judgement.failing,
      [&](const BiasPlace& place) {
        const double got = subject.at(place);
        are_finite = are_finite && std::isfinite(got);
        return fmt::format("{} holds {}", place_text(subject, place), in_sentence(got));
      },
      " and ");
  result.findings.push_back(
      {are_finite ? &fault_kind("damage/bias-element") : &fault_kind("damage/bias-non-finite"),
       fmt::format("{}, and all else is right", words)});
  return result;
}

/// What single elements or heads that were overwritten explain of that which a computation does not.
/// \param judgement of that computation
std::vector<Explanation> damage_of(const BiasSubject& subject, const NearestModel<BiasModel>& nearest,
                                   const BiasJudgement& judgement) {
  auto found = damaged_heads(subject, nearest, judgement);
  if (auto elements = damaged_elements(subject, nearest, judgement)) {
    found.push_back(*std::move(elements));
  }
  return found;
}

/// Of curves no edits are tried beside those of the spec: it is told how many elements fail.
Diagnosis of_curves(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  Diagnosis diagnosis{.roles = bias.role()};
  if (const auto report = audited_elements(view_of_biases(bias, keys)); report.failing > 0) {
    diagnosis.rest = fmt::format("{} of {} elements fail.", report.failing, report.elements);
  }
  return diagnosis;
}

}  // namespace

Diagnosis diagnose_bias(const BiasTensor& bias, std::span<const std::int64_t> keys,
                        const Encoding& encoding) {
  if (!bias.table.curves.empty()) {
    return of_curves(bias, keys);
  }
  Diagnosis diagnosis{.roles = bias.role()};
  const auto subject = subject_of(bias, keys, encoding);
  const auto declared = judge(subject, subject.declared());
  if (declared.prediction.failing == 0) {
    return diagnosis;
  }
  NearestModel<BiasModel> start{subject.declared()};
  if (const auto mask = masked_value(subject)) {
    start.model.after_query = mask;
    start.findings.push_back(
        {&fault_kind("mapping/mask"),
         fmt::format("keys after their query hold {}, as a causal mask makes them", in_sentence(*mask))});
    start.bits = variant_bits;
  }
  const auto started = start.findings.empty() ? declared : judge(subject, start.model);
  if (started.prediction.is_proved()) {
    diagnosis.explanations = {{start.findings, started.prediction, start.bits}};
    return diagnosis;
  }
  std::vector<Explanation> others;
  if (auto constant = find_constant(bias.tensor, bias.role())) {
    others.push_back(*std::move(constant));
  }
  const auto places = telling_places(subject);
  auto checks = checks_by<BiasModel>(places, places, [&](const BiasModel& model, const BiasPlace& place) {
    return may_predict(subject, model, place);
  });
  checks.predict = [&](const BiasModel& model) { return judge(subject, model, true).prediction; };
  explain_by_edits<BiasModel>(
      {.start = std::move(start),
       .declared = declared.prediction,
       .failing = started.prediction.failing,
       .edits = bias_edits(subject),
       .checks = std::move(checks),
       .count = [&](const BiasModel& model) { return judge(subject, model).prediction; },
       .damage_of =
           [&](const NearestModel<BiasModel>& nearest) {
             return damage_of(subject, nearest, judge(subject, nearest.model));
           },
       .others = std::move(others),
       .consequence = [&] { return consequence(subject, declared); },
       .rest =
           [&](const BiasModel* nearest) {
             return nearest == nullptr ? rest_of(declared)
                                       : "With that, " + rest_of(judge(subject, *nearest));
           }},
      diagnosis);
  return diagnosis;
}

}  // namespace vernier
