#include "numerics/audit/horizon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/errors/metrics.hpp"
#include "reference/ladder/certified_table.hpp"

namespace vernier {
namespace {

/// Records are good to seven digits.
constexpr double so_close = 1 - 1e-6;

/// The greatest error of each row of a record.
std::vector<double> errors_by_row(CertifiedTable& truth, const TableUnderTest& implementation,
                                  const PositionRange& positions, const ErrorRecord& record) {
  std::vector<double> got(truth.columns());
  std::vector<Enclosure> values(got.size());
  std::vector<double> errors;
  for (std::int64_t row = record.first_row; row < record.first_row + record.rows; ++row) {
    implementation.row(positions.at(row), got);
    truth.row(positions.at(row), values);
    double greatest = 0;
    for (std::size_t c = 0; c < got.size(); ++c) {
      const double error = std::fabs(signed_error(got[c], values[c]));
      greatest = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(greatest, error);
    }
    errors.push_back(greatest);
  }
  return errors;
}

}  // namespace

std::vector<Horizon> horizons(const TrigTable& table, const TableUnderTest& implementation,
                              const PositionRange& positions, const AuditReport& report,
                              std::span<const double> thresholds) {
  CertifiedTable truth(table, positions.count);
  std::vector<Horizon> result;
  for (const double threshold : thresholds) {
    Horizon horizon{threshold, std::nullopt};
    const auto beyond = [&](double error) { return error >= threshold * so_close; };
    const auto record = std::ranges::find_if(report.records, beyond, &ErrorRecord::greatest_error);
    if (record != report.records.end()) {
      const auto errors = errors_by_row(truth, implementation, positions, *record);
      // Where single precision and certainty differ over the last digit, the record's first row it is.
      const auto row = std::ranges::find_if(errors, beyond);
      horizon.first_row_beyond = record->first_row + (row == errors.end() ? 0 : row - errors.begin());
    }
    result.push_back(horizon);
  }
  return result;
}

}  // namespace vernier
