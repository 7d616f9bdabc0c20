#pragma once

#include <optional>
#include <span>

#include "numerics/audit/audit_report.hpp"
#include "numerics/budgets/budget.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// An element under test beside what it should be.
struct AuditedElement {
  Place place;
  std::optional<int> pair;  ///< none where the table is zero by definition
  double got = 0;           ///< a value of the stored format
  Enclosure truth;
  Enclosure partner;  ///< the other component of the pair, scaled alike
};

/// Judges elements of one implementation against certified truth and a contract, one by one: the plain
/// statement of what an audit is. RangeAudit does the same for most elements many at a time.
class Auditor {
 public:
  /// \param pairs of the table \param overflow what becomes of numbers beyond the greatest of the format
  Auditor(BudgetModel model, Format stored, int pairs, Overflow overflow = Overflow::undeclared)
      : model_(std::move(model)),
        stored_(stored),
        pairs_(static_cast<std::size_t>(pairs)),
        overflow_(overflow) {}
  Auditor(const Auditor&) = delete;
  Auditor& operator=(const Auditor&) = delete;
  ~Auditor() = default;

  /// Judges and counts an element. \param rounded the certified rounding of the truth; nothing if undecided
  void add(const AuditedElement& element, std::optional<double> rounded);
  /// Lets a finite element that is counted otherwise be the greatest or the worst.
  void consider(const AuditedElement& element);
  /// Adds a row. \param got the row as the implementation gave it \param truth, partner from
  /// CertifiedTable::row
  void add_row(const CertifiedTable& table, std::int64_t row, std::int64_t position,
               std::span<const double> got, std::span<const Enclosure> truth,
               std::span<const Enclosure> partner);

  const BudgetModel& model() const { return model_; }
  Format stored() const { return stored_; }
  const AuditReport& report() const { return report_; }
  AuditReport& report() { return report_; }
  /// The report's band of this position, with all its pairs.
  BandReport& band(std::int64_t position);

 private:
  Budget budget(const AuditedElement& element) const;
  void keep_worst(const ElementReport& element);

  BudgetModel model_;
  Format stored_;
  std::size_t pairs_;
  Overflow overflow_;
  AuditReport report_;
  BandReport* last_band_ = nullptr;  ///< asked for
};

}  // namespace vernier
