// Single elements and heads that were overwritten.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/relative/biases/bias_model.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

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

}  // namespace

std::vector<Explanation> damage_of(const BiasSubject& subject, const NearestModel<BiasModel>& nearest,
                                   const BiasJudgement& judgement) {
  auto found = damaged_heads(subject, nearest, judgement);
  if (auto elements = damaged_elements(subject, nearest, judgement)) {
    found.push_back(*std::move(elements));
  }
  return found;
}

}  // namespace vernier
