// The rules of other specs: other keys, and numbers that fit the buckets.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"
#include "numerics/diagnosis/spec_changes.hpp"
#include "numerics/diagnosis/spec_patch.hpp"

namespace vernier {
namespace {

/// How far the buckets are from those of a spec, whichever sign relative positions have.
double misfit(const BucketSubject& subject, const OrderedJson& patch) {
  constexpr std::size_t looked_at = 512;
  const auto other = patched(subject.encoding, patch);
  const auto tables = other == nullptr ? std::vector<BucketTable>() : other->all<BucketTable>();
  if (tables.empty()) {
    return std::numeric_limits<double>::infinity();
  }
  const auto step = 1 + subject.observed.size() / looked_at;
  double as_it_is = 0;
  double negated = 0;
  for (std::size_t i = 0; i < subject.observed.size(); i += step) {
    const auto& one = subject.observed[i];
    const auto distance = [&](std::int64_t r) {
      const auto expected = tables.front().rule(r);
      const auto off = [&](std::int64_t bucket) {
        return std::abs(static_cast<double>(one.bucket - bucket));
      };
      return std::min(off(expected.index), off(expected.across.value_or(expected.index)));
    };
    as_it_is += distance(one.relative_position);
    negated += distance(-one.relative_position);
  }
  return std::min(as_it_is, negated);
}

}  // namespace

BucketEdits bucket_spec_edits(const BucketSubject& subject) {
  auto changes = spec_changes(subject.encoding);
  if (!subject.is("t5_bucket") &&
      !subject.is("deberta_bucket")) {  // of theirs bucket_fit.cpp knows two at once
    std::ranges::move(fitted_changes(
                          subject.encoding, [&](const OrderedJson& patch) { return misfit(subject, patch); },
                          [](std::string_view) { return true; }),
                      std::back_inserter(changes));
  }
  BucketEdits edits;
  for (auto& change : changes) {
    edits.push_back(
        with_rule(change.finding.sentence, change.bits, change.encoding->all<BucketTable>().front().rule));
    edits.back().finding = std::move(change.finding);
  }
  return edits;
}

}  // namespace vernier
