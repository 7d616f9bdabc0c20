#include "numerics/audit.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <thread>

#include "numerics/metrics.hpp"

namespace vernier {
namespace {

/// Rows judged together: the unit in which work is shared and reports are merged, fixed so that sums come out
/// the same for any number of threads.
constexpr std::int64_t rows_per_block = 2048;

/// Whether the budget covers the error. Equality counts: the correctly rounded value of a tie is half an ulp
/// off.
double budget_used(double error, const Budget& budget) {
  if (!std::isfinite(error)) {
    return std::numeric_limits<double>::infinity();
  }
  return error == 0 ? 0 : std::fabs(error) / budget.total();
}

void merge_into(BandReport& band, const BandReport& other) {
  band.last_position = std::max(band.last_position, other.last_position);
  band.greatest_error = std::max(band.greatest_error, other.greatest_error);
  band.greatest_budget = std::max(band.greatest_budget, other.greatest_budget);
  band.greatest_used = std::max(band.greatest_used, other.greatest_used);
  band.finite += other.finite;
}

/// The reports of all subjects over one block of rows.
std::vector<AuditReport> audit_block(CertifiedTable& truth, std::span<const Subject> subjects,
                                     std::int64_t first, std::int64_t last) {
  std::vector<Auditor> auditors;
  for (const auto& subject : subjects) {
    auditors.emplace_back(subject.model, subject.implementation->stored());
  }
  std::vector<Enclosure> values(truth.columns());
  std::vector<Enclosure> partners(truth.columns());
  std::vector<double> got(truth.columns());
  for (std::int64_t position = first; position < last; ++position) {
    truth.row(position, values, partners);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      subjects[i].implementation->row(position, got);
      auditors[i].row(truth, position, got, values, partners);
    }
  }
  std::vector<AuditReport> reports;
  for (const auto& auditor : auditors) {
    reports.push_back(auditor.report());
  }
  return reports;
}

}  // namespace

int band_of(std::int64_t position) {
  const double magnitude = std::fabs(static_cast<double>(position));
  return magnitude == 0 ? 0 : 1 + static_cast<int>(std::floor(4 * std::log2(magnitude)));
}

void AuditReport::merge(const AuditReport& later) {
  statistics.merge(later.statistics);
  judged += later.judged;
  failing += later.failing;
  inconclusive += later.inconclusive;
  if (later.worst && (!worst || later.worst->used > worst->used)) {
    worst = later.worst;
  }
  if (!first_failing) {
    first_failing = later.first_failing;
  }
  for (const auto& [index, band] : later.bands) {
    merge_into(bands[index], band);
  }
}

void Auditor::row(const CertifiedTable& table, std::int64_t position, std::span<const double> got,
                  std::span<const Enclosure> truth, std::span<const Enclosure> partner) {
  assert(got.size() == table.columns() && truth.size() == got.size() && partner.size() == got.size());
  const auto& columns = table.table().columns;
  auto& band = report_.bands[band_of(position)];
  band.last_position = std::max(band.last_position, std::abs(position));
  for (std::size_t c = 0; c < got.size(); ++c) {
    const bool defined_zero = table.table().is_zero(position, c);
    const int pair = columns[c].pair;
    const Budget budget =
        defined_zero ? Budget{}
                     : model_.at(position, pair, truth[c].approximately(), partner[c].approximately());
    report_.statistics.add(stored_, got[c], truth[c], table.rounded_entry(stored_, position, c, truth[c]),
                           model_.phase(position, pair), model_.amplitude(), {position, c});
    const double error = signed_error(got[c], truth[c]);
    const double used = budget_used(error, budget);
    if (std::isfinite(error)) {
      merge_into(band, {0, std::fabs(error), budget.total(), 0, 1});
    }
    if (std::isfinite(error) && model_.inconclusive(budget)) {
      ++report_.inconclusive;
      continue;
    }
    ++report_.judged;
    merge_into(band, {0, 0, 0, used, 0});
    const bool worst_yet = !report_.worst || used > report_.worst->used;
    if (worst_yet || used > 1) {
      const ElementReport element{{position, c}, got[c], truth[c], budget, error, used};
      if (worst_yet) {
        report_.worst = element;
      }
      if (used > 1) {
        ++report_.failing;
        report_.first_failing = report_.first_failing.value_or(element);
      }
    }
  }
}

std::vector<AuditReport> audit(const TrigTable& table, std::span<const Subject> subjects, std::int64_t first,
                               std::int64_t last, unsigned threads) {
  const std::int64_t blocks = (last - first + rows_per_block - 1) / rows_per_block;
  std::vector<std::vector<AuditReport>> by_block(static_cast<std::size_t>(blocks));
  std::atomic<std::int64_t> next{0};
  const auto work = [&] {
    CertifiedTable truth(table, last - first);
    for (std::int64_t block = next++; block < blocks; block = next++) {
      const std::int64_t begin = first + block * rows_per_block;
      by_block[static_cast<std::size_t>(block)] =
          audit_block(truth, subjects, begin, std::min(begin + rows_per_block, last));
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 1; i < threads; ++i) {
      workers.emplace_back(work);
    }
    work();
  }
  std::vector<AuditReport> result(subjects.size());
  for (const auto& reports : by_block) {
    for (std::size_t i = 0; i < reports.size(); ++i) {
      result[i].merge(reports[i]);
    }
  }
  return result;
}

}  // namespace vernier
