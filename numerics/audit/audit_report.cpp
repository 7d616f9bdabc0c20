#include "numerics/audit/audit_report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vernier {
namespace {

void merge_into(std::vector<CellReport>& cells, const std::vector<CellReport>& others) {
  cells.resize(std::max(cells.size(), others.size()));
  for (std::size_t pair = 0; pair < others.size(); ++pair) {
    cells[pair] += others[pair];
  }
}

void merge_into(BandReport& band, const BandReport& other) {
  band.first_position = std::min(band.first_position, other.first_position);
  band.last_position = std::max(band.last_position, other.last_position);
  band.greatest_budget = std::max(band.greatest_budget, other.greatest_budget);
  merge_into(band.pairs, other.pairs);
}

/// Whether one of those considered is kept rather than another.
bool is_worse(const ElementReport& one, const ElementReport& other) {
  return one.budget_ratio > other.budget_ratio ||
         (one.budget_ratio == other.budget_ratio && one.place.before(other.place));
}

/// Of all records those that are greater than all before.
std::vector<ErrorRecord> merged_records(const std::vector<ErrorRecord>& some,
                                        const std::vector<ErrorRecord>& others) {
  std::vector<ErrorRecord> all;
  std::ranges::merge(some, others, std::back_inserter(all), {}, &ErrorRecord::first_row,
                     &ErrorRecord::first_row);
  std::vector<ErrorRecord> result;
  for (const auto& record : all) {
    if (result.empty() || record.greatest_error > result.back().greatest_error) {
      result.push_back(record);
    }
  }
  return result;
}

}  // namespace

int band_of(std::int64_t position) {
  if (position == 0) {
    return 0;
  }
  // The octave from the bits: a logarithm is rounded, and may reach the next one.
  const auto octave = static_cast<int>(ErrorMap::octave_of(position));
  const double in_octave = std::ldexp(std::fabs(static_cast<double>(position)), -octave);
  return 1 + 4 * octave + std::min(static_cast<int>(4 * std::log2(in_octave)), 3);
}

ErrorMap error_map(const AuditReport& report) {
  ErrorMap map;
  for (const auto& [index, band] : report.bands) {
    auto& octave = map.octave(static_cast<std::size_t>(std::max(index - 1, 0) / 4), band.pairs.size());
    octave.include_positions(band.first_position, band.last_position);
    octave.cells.resize(std::max(octave.cells.size(), band.pairs.size()));
    for (std::size_t pair = 0; pair < band.pairs.size(); ++pair) {
      const auto& cell = band.pairs[pair];
      octave.cells[pair].include({cell.judged, cell.failing, cell.greatest_budget_ratio});
    }
  }
  return map;
}

CellReport& CellReport::operator+=(const CellReport& other) {
  finite += other.finite;
  greatest_error = std::max(greatest_error, other.greatest_error);
  greatest_ulps = std::max(greatest_ulps, other.greatest_ulps);
  greatest_phase_roundings = std::max(greatest_phase_roundings, other.greatest_phase_roundings);
  greatest_budget_ratio = std::max(greatest_budget_ratio, other.greatest_budget_ratio);
  judged += other.judged;
  failing += other.failing;
  return *this;
}

CellReport BandReport::whole() const {
  CellReport result;
  for (const auto& pair : pairs) {
    result += pair;
  }
  return result;
}

void AuditReport::merge(const AuditReport& other) {
  statistics.merge(other.statistics);
  judged += other.judged;
  failing += other.failing;
  inconclusive += other.inconclusive;
  if (other.worst && (!worst || is_worse(*other.worst, *worst))) {
    worst = other.worst;
  }
  if (other.first_failing && (!first_failing || other.first_failing->place.before(first_failing->place))) {
    first_failing = other.first_failing;
  }
  include(failing_extent, other.failing_extent);
  for (const auto& [index, band] : other.bands) {
    merge_into(bands[index], band);
  }
  if (!other.records.empty()) {
    records = merged_records(records, other.records);
  }
}

}  // namespace vernier
