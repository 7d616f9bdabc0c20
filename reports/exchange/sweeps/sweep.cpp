#include "reports/exchange/sweeps/sweep.hpp"

#include <array>
#include <cmath>
#include <iomanip>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "numerics/audit/horizon.hpp"
#include "reference/schemes/joint_table.hpp"
#include "reference/support/mapped.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// An error that a table can be good to.
struct SweepThreshold {
  int exponent;  ///< of two
  std::string_view meaning;
};

/// An ulp of a format is meant of numbers from 1/2 to 1, where most values lie; relative to values near zero
/// no recipe is good to an ulp anywhere.
constexpr std::array<SweepThreshold, 12> sweep_thresholds{{{-4, ""},
                                                           {-6, ""},
                                                           {-8, "1 ulp of bfloat16"},
                                                           {-10, ""},
                                                           {-11, "1 ulp of float16"},
                                                           {-12, ""},
                                                           {-14, ""},
                                                           {-16, ""},
                                                           {-18, ""},
                                                           {-20, ""},
                                                           {-24, "1 ulp of float32"},
                                                           {-53, "1 ulp of float64"}}};

std::string place_text(const TrigTable& table, const Place& place) {
  const auto& column = table.columns[place.column];
  return fmt::format("position {}, {} of pair {}", place.position,
                     column.component == Component::sine ? "sine" : "cosine", column.pair);
}

void print_errors(const TrigTable& table, const AuditReport& report, std::ostream& out) {
  const auto& statistics = report.statistics;
  const auto line = [&](std::string_view name, const ErrorSummary& summary) {
    out << fmt::format(
        "  {:<16} largest {} ({}), root mean square {}, 99 % below {}\n", name,
        significant_text(summary.greatest(), shown_digits), place_text(table, summary.greatest_place()),
        significant_text(summary.rms(), shown_digits), bound_text(summary.percentile(0.99), shown_digits));
  };
  line("absolute error", statistics.absolute());
  line("phase roundings", statistics.phase_roundings());
  line("ulp", statistics.ulps());
  const auto share = [&](std::uint64_t count) {
    return percent_text(static_cast<double>(count) / static_cast<double>(statistics.count()));
  };
  out << "  99 % below: upper bounds, up to " << ErrorSummary::percentile_excess
      << " times too large, of phase roundings up to " << ErrorStatistics::phase_roundings_percentile_excess
      << " times\n"
      << fmt::format("  correctly rounded {}, faithful {}, not finite {}\n",
                     share(statistics.correctly_rounded()), share(statistics.faithful()),
                     statistics.non_finite());
}

/// \param kept what is said where nothing failed
void print_contract(const TrigTable& table, const Contract& contract, const AuditReport& report,
                    std::string_view kept, std::ostream& out) {
  out << "contract " << contract.id << ": ";
  if (report.failing > 0) {
    out << counted(report.failing, "element is", "elements are") << " beyond budget, the first at "
        << place_text(table, report.first_failing->place) << "\n";
  } else if (report.judged == 0) {
    out << "all elements are inconclusive here\n";
  } else {
    out << kept << "; the worst element " << usage_text(report.worst->budget_ratio) << " ("
        << place_text(table, report.worst->place) << ")\n";
  }
  if (report.inconclusive > 0) {
    out << "  the budgets of " << counted(report.inconclusive, "element", "elements") << " prove nothing\n";
  }
}

void print_horizons(const PositionRange& positions, std::span<const Horizon> found, std::ostream& out) {
  out << "usable horizons: the last position up to which every absolute error stays below\n";
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& threshold = sweep_thresholds[i];
    const auto& row = found[i].first_row_beyond;
    out << "  2^" << std::left << std::setw(4) << threshold.exponent << std::setw(20) << threshold.meaning;
    if (!row) {
      out << positions.at(positions.count - 1) << ", the last one swept\n";
    } else if (*row == 0) {
      out << "none: the first one, " << positions.first << ", is beyond\n";
    } else {
      out << positions.at(*row - 1) << "\n";
    }
  }
}

void print_heading(const Sweep& sweep, std::ostream& out) {
  const auto& plan = sweep.plan();
  out << plan.encoding->summary() << "; " << sweep.table().role << " by " << plan.recipe->id << ", stored as "
      << traits(plan.stored).name << "\n";
}

void print_positions(const PositionRange& positions, std::ostream& out) {
  out << "positions " << positions.first << " to " << positions.at(positions.count - 1)
      << (positions.step == 1 ? "" : " in steps of " + std::to_string(positions.step)) << "\n";
}

}  // namespace

Sweep::Sweep(SweepPlan plan, const AuditOptions& options)
    : plan_(std::move(plan)),
      table_(joint_table(*plan_.encoding)),
      implementation_(*plan_.recipe, table_, plan_.stored),
      rows_(implementation_, plan_.positions),
      subject_{&rows_, plan_.contract->bind(table_, plan_.stored)},
      audit_(table_, plan_.positions, std::span(&subject_, 1), options) {}

void print_sweep(const Sweep& sweep, const AuditReport& report, std::ostream& out) {
  const auto& plan = sweep.plan();
  const auto errors =
      mapped(sweep_thresholds, [&](const auto& threshold) { return std::ldexp(1.0, threshold.exponent); });
  print_heading(sweep, out);
  out << report.statistics.count() << " elements audited, all of ";
  print_positions(plan.positions, out);
  print_errors(sweep.table(), report, out);
  print_contract(sweep.table(), *plan.contract, report, "kept", out);
  print_horizons(plan.positions,
                 horizons(sweep.table(), sweep.implementation(), plan.positions, report, errors), out);
}

void print_partial_sweep(const Sweep& sweep, const AuditReport& report, std::int64_t tasks_done,
                         std::ostream& out) {
  const auto& plan = sweep.plan();
  print_heading(sweep, out);
  out << "PARTIAL: " << percent_text(static_cast<double>(tasks_done) / static_cast<double>(sweep.tasks()))
      << " of the work is done, " << report.statistics.count() << " elements, of ";
  print_positions(plan.positions, out);
  if (report.statistics.count() > 0) {
    print_errors(sweep.table(), report, out);
    print_contract(sweep.table(), *plan.contract, report, "kept so far", out);
  }
  out << "usable horizons: unknown, as positions are missing\n";
}

}  // namespace vernier
