#include "numerics/diagnosis/case_diagnosis.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <span>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/computation/spec_patch.hpp"
#include "numerics/diagnosis/damage.hpp"
#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/diagnosis/element_diagnosis.hpp"
#include "numerics/diagnosis/judged_tensors.hpp"
#include "reference/support/word_list.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

bool is_conforming(const Diagnosis& one) {
  return !one.is_explained() && one.rest.empty();
}

/// The edits of all findings; nothing where one has none.
std::optional<OrderedJson> whole_edit(const Explanation& explanation) {
  auto whole = OrderedJson::array();
  for (const auto& finding : explanation.findings) {
    if (finding.edit.is_null()) {
      return std::nullopt;
    }
    whole.insert(whole.end(), finding.edit.begin(), finding.edit.end());
  }
  return whole;
}

/// Whether tensors are what the edited spec declares; nothing where that is not known.
using Agrees = std::function<std::optional<bool>(const OrderedJson& edit)>;

/// An edit of the spec is one that its scheme takes, and that no tensors refute: those that are to conform by
/// it, or conform without. \param agree one for each of the first diagnoses, those of tables and of vectors
void drop_refuted_edits(const Encoding& encoding, std::span<Diagnosis> diagnoses,
                        std::span<const Agrees> agree) {
  const auto agrees = [&](std::size_t i, const OrderedJson& edit) -> std::optional<bool> {
    return patched(encoding, edit) == nullptr ? false : i < agree.size() ? agree[i](edit) : std::nullopt;
  };
  for (std::size_t i = 0; i < diagnoses.size(); ++i) {
    for (auto& explanation : diagnoses[i].explanations) {
      const auto whole = whole_edit(explanation);
      bool is_refuted = whole && !agrees(i, *whole).value_or(true);
      for (std::size_t other = 0; i < agree.size() && other < agree.size(); ++other) {
        is_refuted =
            is_refuted || (is_conforming(diagnoses[other]) &&
                           std::ranges::any_of(explanation.findings, [&](const Finding& finding) {
                             return !finding.edit.is_null() && !agrees(other, finding.edit).value_or(false);
                           }));
      }
      if (is_refuted) {
        std::ranges::for_each(explanation.findings, [](Finding& finding) { finding.edit = nullptr; });
      }
    }
  }
}

/// A finding of fewer bits is not outdone by a key of a spec.
constexpr double plain_bits = listed_bits;

/// What may explain tensors of any kind.
void try_what_is_common(const Case& subject, const std::vector<std::string>& roles, unsigned threads,
                        Diagnosis& diagnosis) {
  if (is_conforming(diagnosis)) {
    return;
  }
  auto& told = diagnosis.explanations;
  const auto bits = [&] {
    return told.empty() ? std::numeric_limits<double>::infinity() : told.front().bits;
  };
  const bool is_looked_at = diagnosis.declared != nullptr;  // beside computations
  if (!is_looked_at) {
    if (auto elements = find_damage(subject, roles)) {
      told.push_back(*std::move(elements));
      keep_likeliest(told);
    }
  }
  if (bits() > plain_bits) {
    auto found = search_spec_keys(subject, roles, !told.empty(), threads);
    diagnosis.searched += found.searched;
    std::ranges::move(found.explanations, std::back_inserter(told));
    keep_likeliest(told);
  }
  if (diagnosis.is_explained()) {
    diagnosis.partial.clear();
    diagnosis.rest.clear();
    diagnosis.held.clear();
    return;
  }
  const auto failing = failing_words(subject, roles);
  diagnosis.held = diagnosis.held.empty() ? failing : diagnosis.held;
}

/// Of tensors of which only specs are searched: how many elements fail.
Diagnosis counted(const Case& subject, const std::vector<std::string>& roles, unsigned threads) {
  Diagnosis diagnosis{.roles = joined(roles)};
  if (const auto tensors = JudgedTensors::of(subject, *subject.encoding, roles)) {
    const auto prediction = tensors->predict({}, false, threads);
    if (prediction.failing > 0) {
      diagnosis.rest = fmt::format("{} of {} elements fail, and no other spec that was tried predicts them.",
                                   prediction.failing, prediction.elements);
    }
  }
  return diagnosis;
}

}  // namespace

std::vector<Diagnosis> diagnose(const Case& subject, unsigned threads) {
  const auto& encoding = *subject.encoding;
  std::vector<Diagnosis> result;
  std::vector<Agrees> agree;
  const auto add = [&](Diagnosis diagnosis, const std::vector<std::string>& roles) {
    try_what_is_common(subject, roles, threads, diagnosis);
    result.push_back(std::move(diagnosis));
  };
  const auto& tables = subject.tensors.all<TableTensor>();
  std::vector<std::string> roles_of_tables;
  std::ranges::transform(tables, std::back_inserter(roles_of_tables), &TableTensor::role);
  const bool are_mixed = !tables.empty() && mixes_axes(tables.front().table);
  const bool are_scaled = !tables.empty() && tables.front().table.scale;
  const bool has_tables = !tables.empty() && !are_scaled;
  if (has_tables) {
    add(are_mixed ? counted(subject, roles_of_tables, threads) : diagnose_tables(subject, threads),
        roles_of_tables);
    agree.emplace_back(
        [&](const OrderedJson& edit) { return are_mixed ? std::nullopt : tables_agree(subject, edit); });
  }
  for (const auto& vectors : subject.tensors.all<RotatedTensor>()) {
    // What the tables are found to be, the vectors that they rotate are likely to be as well.
    const auto of_tables = has_tables ? std::optional(result.front()) : std::nullopt;
    const bool is_mixed = mixes_axes(vectors.rotation);
    add(is_mixed ? counted(subject, {vectors.role()}, threads)
                 : diagnose_vectors(encoding, vectors, threads, of_tables ? &*of_tables : nullptr),
        {vectors.role()});
    agree.emplace_back([&encoding, &vectors, is_mixed](const OrderedJson& edit) {
      return is_mixed ? std::nullopt : vectors_agree(encoding, vectors, edit);
    });
    if (has_tables && !is_mixed && !result.front().rest.empty() && result.back().is_explained()) {
      const auto of_vectors = result.back();
      result.front() = diagnose_tables(subject, threads, &of_vectors);
      try_what_is_common(subject, roles_of_tables, threads, result.front());
    }
  }
  if (are_scaled) {
    add(diagnose_tables(subject, threads), roles_of_tables);
  }
  for (const auto& bias : subject.tensors.all<BiasTensor>()) {
    if (!bias.table.sines) {
      add(diagnose_bias(bias, subject.positions, encoding), {bias.role()});
      continue;
    }
    result.push_back(diagnose_frequencies(bias, encoding, threads));
    if (!result.back().is_explained() && !keep_another_contract(bias)) {
      try_what_is_common(subject, {bias.role()}, threads, result.back());
    }
  }
  for (const auto& buckets : subject.tensors.all<BucketTensor>()) {
    add(diagnose_buckets(buckets, encoding), {buckets.role()});
  }
  for (const auto& values : subject.tensors.all<ExactTensor>()) {
    add(diagnose_values(values, subject.positions, encoding), {values.role()});
  }
  drop_refuted_edits(encoding, result, agree);
  std::erase_if(result, is_conforming);
  return result;
}

}  // namespace vernier
