#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string expected_text(const Bucket& bucket) {
  return std::to_string(bucket.index) +
         (bucket.across ? ", on the edge to " + std::to_string(*bucket.across) : "");
}

void conclude(Check& check, const BucketTensor& subject, const ElementwiseReport& report) {
  const auto elements = std::to_string(report.elements);
  if (report.failing == 0) {
    check.status = Status::pass;
    check.reason = fmt::format("all {} relative positions are in their bucket", elements);
    if (report.instead > 0) {
      check.reason += ", " + std::to_string(report.instead) + " of them across an edge they lie on";
    }
    return;
  }
  check.status = Status::fail;
  check.reason =
      fmt::format("{} of {} relative positions ({}) are in a wrong bucket", report.failing, elements,
                  percent_text(static_cast<double>(report.failing) / static_cast<double>(report.elements)));
  const auto index = report.first_failing->index;
  const auto relative = subject.relative_positions[index];
  check.counterexample = {{"index", std::to_string(index)},
                          {"relative position", std::to_string(relative)},
                          {"expected", expected_text(subject.table.rule(relative))},
                          {"got", std::to_string(subject.buckets[index])}};
}

Check judged(const BucketTensor& subject) {
  Check check{"accuracy/buckets"};
  check.required = subject.contract->of_buckets == BucketTolerance::across_edge
                       ? "every relative position in its bucket, or across an edge on which it lies exactly, "
                         "because a rounded logarithm may fall on either side"
                       : "every relative position in its bucket";
  const auto report = audit_elements(subject);
  check.counts = {report.elements, report.elements, report.failing, 0};
  conclude(check, subject, report);
  return check;
}

}  // namespace

void judge_buckets(const AuditedCase& audited, std::vector<Check>& out) {
  for (const auto& buckets : audited.subject.tensors.all<BucketTensor>()) {
    if (!buckets.buckets.empty()) {
      out.push_back(judged(buckets));
    }
  }
}

}  // namespace vernier
