#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/element_diagnosis.hpp"
#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"
#include "numerics/tensors/spread_indices.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

std::vector<ObservedBucket> failing_of(const BucketSubject& subject, const BucketComputation& model) {
  std::vector<ObservedBucket> failing;
  std::ranges::copy_if(subject.observed, std::back_inserter(failing),
                       [&](const ObservedBucket& one) { return !subject.holds(model, one); });
  return failing;
}

Prediction prediction_of(const BucketSubject& subject, const BucketComputation& model) {
  Prediction prediction;
  for (const auto& one : subject.observed) {
    prediction.elements += one.elements;
    prediction.failing += subject.holds(model, one) ? 0 : one.elements;
  }
  prediction.conclusive = prediction.elements;
  return prediction;
}

/// So many of them, from the first to the last.
std::vector<ObservedBucket> spread(const std::vector<ObservedBucket>& all, std::size_t count) {
  std::vector<ObservedBucket> chosen;
  for (const auto index : spread_indices(all.size(), count)) {
    chosen.push_back(all[index]);
  }
  return chosen;
}

ModelChecks<BucketComputation> checks_of(const BucketSubject& subject,
                                         const std::vector<ObservedBucket>& failing) {
  constexpr std::size_t screened = 24;
  constexpr std::size_t sampled = 512;
  auto telling = spread(failing, screened);
  std::ranges::move(spread(subject.observed, screened), std::back_inserter(telling));
  auto checks = checks_by<BucketComputation>(
      telling, spread(subject.observed, sampled),
      [&](const BucketComputation& model, const ObservedBucket& one) { return subject.holds(model, one); });
  checks.predict = [&](const BucketComputation& model) {
    auto prediction = prediction_of(subject, model);
    // A rule that leaves open what fails, and much more that does not, says nothing of it.
    const auto is_open = [&](const ObservedBucket& one) {
      return model(one.relative_position).across.has_value();
    };
    const bool says_nothing =
        std::ranges::all_of(failing, is_open) &&
        std::ranges::count_if(subject.observed, is_open) > 2 * static_cast<std::ptrdiff_t>(failing.size());
    prediction.conclusive = says_nothing ? 0 : prediction.conclusive;
    return prediction;
  };
  return checks;
}

std::string range_of(const BucketSubject& subject, const std::vector<ObservedBucket>& failing) {
  const auto distinct = [](const std::vector<ObservedBucket>& couples) {
    std::set<std::int64_t> positions;
    for (const auto& couple : couples) {
      positions.insert(couple.relative_position);
    }
    return positions.size();
  };
  return fmt::format("{} of {} relative positions, between {} and {},", distinct(failing),
                     distinct(subject.observed), failing.front().relative_position,
                     failing.back().relative_position);
}

}  // namespace

Diagnosis diagnose_buckets(const BucketTensor& buckets, const Encoding& encoding) {
  Diagnosis diagnosis{.roles = buckets.role()};
  if (buckets.buckets.empty()) {
    return diagnosis;
  }
  const auto subject = subject_of(buckets, encoding);
  const auto failing = failing_of(subject, subject.declared());
  if (failing.empty()) {
    return diagnosis;
  }
  auto edits = bucket_edits(subject);
  std::ranges::move(logarithmic_edits(subject), std::back_inserter(edits));
  const auto count = [&](const BucketComputation& model) { return prediction_of(subject, model); };
  const auto declared = count(subject.declared());
  explain_by_edits<BucketComputation>(
      {.start = {subject.declared()},
       .declared = declared,
       .failing = declared.failing,
       .edits = std::move(edits),
       .checks = checks_of(subject, failing),
       .count = count,
       .consequence = [&] { return fmt::format("{} get other buckets.", range_of(subject, failing)); },
       .rest =
           [&](const BucketComputation* nearest) {
             return fmt::format(
                 "{} get buckets that none of the rules tried predicts.",
                 range_of(subject, nearest == nullptr ? failing : failing_of(subject, *nearest)));
           }},
      diagnosis);
  return diagnosis;
}

}  // namespace vernier
