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
