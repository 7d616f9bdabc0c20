#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "numerics/budget.hpp"
#include "numerics/error_statistics.hpp"
#include "numerics/implementation.hpp"
#include "reference/certified_table.hpp"

namespace vernier {

/// One element of a table, judged.
struct ElementReport {
  Place place;
  double got = 0;
  Enclosure truth;
  Budget budget;
  double error = 0;  ///< got - truth
  /// |error| / budget: more than 1 breaks the contract. Infinite for a non-finite element.
  double used = 0;
};

/// Elements whose positions share a band: about a quarter octave of |position|.
struct BandReport {
  std::int64_t last_position = 0;  ///< the largest |position| seen
  double greatest_error = 0;
  double greatest_budget = 0;
  double greatest_used = 0;
  std::uint64_t finite = 0;  ///< elements that have an error; with none, the others say nothing
};

/// What an audit found.
struct AuditReport {
  ErrorStatistics statistics;
  std::uint64_t judged = 0;            ///< conclusive elements
  std::uint64_t failing = 0;           ///< conclusive elements beyond their budget, and non-finite ones
  std::uint64_t inconclusive = 0;      ///< elements whose budget proves nothing
  std::optional<ElementReport> worst;  ///< the conclusive element that uses most of its budget
  std::optional<ElementReport> first_failing;  ///< in the order of the rows
  std::map<int, BandReport> bands;

  void merge(const AuditReport& later);
};

/// Judges rows of one implementation against certified truth and a contract.
class Auditor {
 public:
  Auditor(BudgetModel model, Format stored) : model_(std::move(model)), stored_(stored) {}

  /// \param got the row as the implementation gave it, values of the stored format
  /// \param truth, partner the row from CertifiedTable::row
  void row(const CertifiedTable& table, std::int64_t position, std::span<const double> got,
           std::span<const Enclosure> truth, std::span<const Enclosure> partner);

  const AuditReport& report() const { return report_; }

 private:
  BudgetModel model_;
  Format stored_;
  AuditReport report_;
};

/// The bands' index for a position: increasing with |position|.
int band_of(std::int64_t position);

/// An implementation and the contract it is held to.
struct Subject {
  const TableUnderTest* implementation;
  BudgetModel model;
};

/// Audits several implementations of one table over consecutive positions [first, last), the truth computed
/// once for all. Work is shared among `threads`; the report does not depend on their number.
std::vector<AuditReport> audit(const TrigTable& table, std::span<const Subject> subjects, std::int64_t first,
                               std::int64_t last, unsigned threads = 1);

}  // namespace vernier
