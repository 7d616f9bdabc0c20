#include "numerics/cases/bucket_tensor.hpp"

namespace vernier {

BucketReport audit_buckets(const BucketTensor& subject) {
  const bool may_cross = subject.contract->of_buckets == BucketTolerance::across_edge;
  BucketReport report;
  report.elements = subject.buckets.size();
  for (std::size_t i = 0; i < subject.buckets.size(); ++i) {
    const auto got = subject.buckets[i];
    const auto expected = subject.table.rule(subject.relative_positions[i]);
    if (got == expected.index) {
      continue;
    }
    if (may_cross && expected.across == got) {
      ++report.across_edge;
      continue;
    }
    ++report.failing;
    if (!report.first_failing) {
      report.first_failing = {i, subject.relative_positions[i], got, expected};
    }
  }
  return report;
}

}  // namespace vernier
