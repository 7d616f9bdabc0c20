#include "numerics/identification/frequency_window.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

namespace vernier {
namespace {

constexpr std::size_t window_rows_at_once = 256;
/// So many rows of a contradictory pair say which frequency most of them have.
constexpr std::size_t most_rows_polled = 4096;

/// The relative errors of the frequency that one row leaves.
struct ErrorRange {
  double least;
  double greatest;
};

enum class Says { nothing, something, beyond };

/// What a row says of its pair's frequency.
struct Statement {
  Says says = Says::nothing;
  ErrorRange errors{};
};

Statement statement_of(const PairSighting& seen, double most) {
  const double slack = std::fabs(seen.phase) * seen.row_error * (1 + most);
  const bool decides = std::fabs(seen.phase) * most + slack < std::numbers::pi / 2 &&
                       !seen.deviation.contains(PhaseDeviation::anything().greatest);
  if (!decides) {
    return {};
  }
  if (seen.phase == 0 || seen.deviation.empty()) {
    const bool right = seen.deviation.contains(0);
    return {right ? Says::something : Says::beyond,
            right ? ErrorRange{-most, most} : ErrorRange{infinity, -infinity}};
  }
  const auto [least, greatest] = std::minmax(
      {(seen.deviation.least - slack) / seen.phase, (seen.deviation.greatest + slack) / seen.phase});
  const ErrorRange result{least, greatest};
  return {result.least > most || result.greatest < -most ? Says::beyond : Says::something, result};
}

void narrow(FrequencyWindow& window, const FrequencyWindow::Bound& least,
            const FrequencyWindow::Bound& greatest) {
  if (least.value > window.least.value) {
    window.least = least;
  }
  if (greatest.value < window.greatest.value) {
    window.greatest = greatest;
  }
}

struct Tally {
  OneFrequencyReport found;
  ErrorRanges known;  ///< the windows, their ends at most what the contract allows

  explicit Tally(const DeviationRows& rows) {
    for (int pair = 0; pair < rows.pairs(); ++pair) {
      found.windows.emplace_back(rows.frequency_error(pair));
      known.least.push_back(-rows.frequency_error(pair));
      known.greatest.push_back(rows.frequency_error(pair));
    }
  }
};

/// \param later of rows after those of `earlier`, so that of equal bounds the first row's stays
Tally merged_tallies(Tally earlier, const Tally& later) {
  auto& found = earlier.found;
  found.elements += later.found.elements;
  found.left_out += later.found.left_out;
  found.judged += later.found.judged;
  found.inconclusive += later.found.inconclusive;
  for (std::size_t i = 0; i < found.windows.size(); ++i) {
    narrow(found.windows[i], later.found.windows[i].least, later.found.windows[i].greatest);
  }
  return earlier;
}

void add_sighting(Tally& tally, const PairSighting& seen, const Statement& statement, double most,
                  bool beyond_counts) {
  auto& found = tally.found;
  ++found.elements;
  if (statement.says == Says::nothing) {
    ++found.inconclusive;
  } else if (statement.says == Says::beyond && !beyond_counts) {
    ++found.left_out;
  } else {
    ++found.judged;
    const auto pair = static_cast<std::size_t>(seen.pair);
    auto& window = found.windows[pair];
    narrow(window, {statement.errors.least, seen}, {statement.errors.greatest, seen});
    tally.known.least[pair] = std::min(window.least.value, most);
    tally.known.greatest[pair] = std::max(window.greatest.value, -most);
  }
}

/// What most of some intervals have in common: where the sweep over their ends is deepest.
CommonFrequency common_to_most(std::span<const ErrorRange> intervals) {
  std::vector<std::pair<double, int>> ends;  // an opening before a closing at the same place
  for (const auto& [least, greatest] : intervals) {
    if (least <= greatest) {
      ends.emplace_back(least, -1);
      ends.emplace_back(greatest, 1);
    }
  }
  std::ranges::sort(ends);
  CommonFrequency result{0, 0, 0, intervals.size()};
  std::size_t depth = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    depth = ends[i].second < 0 ? depth + 1 : depth - 1;
    if (depth > result.rows) {
      result = {ends[i].first, ends[i + 1].first, depth, intervals.size()};
    }
  }
  return result;
}

/// For each contradictory pair the errors of the frequency that most of its rows have in common.
std::vector<std::optional<CommonFrequency>> usual_frequencies(const DeviationRows& rows,
                                                              std::span<const FrequencyWindow> windows) {
  std::vector<std::vector<ErrorRange>> intervals(windows.size());
  const auto step = 1 + rows.rows() / most_rows_polled;
  for (std::size_t row = 0; row < rows.rows(); row += step) {
    rows.visit(row, [&](const PairSighting& seen) {
      const auto pair = static_cast<std::size_t>(seen.pair);
      if (!windows[pair].empty()) {
        return;
      }
      const auto statement = statement_of(seen, rows.frequency_error(seen.pair));
      if (statement.says == Says::something) {
        intervals[pair].push_back(statement.errors);
      }
    });
  }
  std::vector<std::optional<CommonFrequency>> result(windows.size());
  for (std::size_t pair = 0; pair < result.size(); ++pair) {
    if (windows[pair].empty()) {
      result[pair] = common_to_most(intervals[pair]);
    }
  }
  return result;
}

/// The rows of contradictory pairs that do not agree with most.
struct OddRows {
  std::vector<std::uint64_t> count;
  std::vector<std::optional<PairSighting>> first;
  std::optional<FailingExtent> extent;
};

OddRows odd_rows(const DeviationRows& rows, std::span<const FrequencyWindow> windows, bool beyond_counts) {
  const auto usual = usual_frequencies(rows, windows);
  OddRows result{std::vector<std::uint64_t>(usual.size()), {}, {}};
  result.first.resize(usual.size());
  const auto note = [&](const PairSighting& seen) {
    const auto pair = static_cast<std::size_t>(seen.pair);
    ++result.count[pair];
    result.first[pair] = result.first[pair] ? result.first[pair] : seen;
    include(result.extent,
            FailingExtent{{seen.position, seen.position}, {seen.pair, seen.pair}, {seen.pair, seen.pair}});
  };
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    rows.visit(row, [&](const PairSighting& seen) {
      const auto& most = usual[static_cast<std::size_t>(seen.pair)];
      if (!most) {
        return;
      }
      const auto statement = statement_of(seen, rows.frequency_error(seen.pair));
      const bool counts =
          statement.says == Says::something || (statement.says == Says::beyond && beyond_counts);
      if (counts && (statement.errors.least > most->greatest || statement.errors.greatest < most->least)) {
        note(seen);
      }
    });
  }
  // Two rows may contradict each other and neither what most have in common: the further one is told.
  for (std::size_t pair = 0; pair < usual.size(); ++pair) {
    if (usual[pair] && !result.first[pair]) {
      const auto& [least, greatest] = windows[pair];
      const bool takes_least = least.row && (!greatest.row || least.value - usual[pair]->least >
                                                                  usual[pair]->greatest - greatest.value);
      note(takes_least ? *least.row : *greatest.row);
    }
  }
  return result;
}

}  // namespace

CommonFrequency common_frequency(std::span<const PairSighting> rows, double frequency_error) {
  std::vector<ErrorRange> intervals;
  for (const auto& seen : rows) {
    const auto statement = statement_of(seen, frequency_error);
    if (statement.says != Says::nothing) {
      const bool within = statement.says == Says::something;
      intervals.push_back(within ? ErrorRange{std::max(statement.errors.least, -frequency_error),
                                              std::min(statement.errors.greatest, frequency_error)}
                                 : statement.errors);
    }
  }
  return common_to_most(intervals);
}

OneFrequencyReport audit_one_frequency(const DeviationRows& rows, bool beyond_counts) {
  auto tally = oneapi::tbb::parallel_reduce(
      oneapi::tbb::blocked_range<std::size_t>(0, rows.rows(), window_rows_at_once), Tally(rows),
      [&](const auto& range, Tally so_far) {
        const auto left_out =
            rows.visit_telling(range.begin(), range.end(), so_far.known, [&](const PairSighting& seen) {
              const double most = rows.frequency_error(seen.pair);
              add_sighting(so_far, seen, statement_of(seen, most), most, beyond_counts);
            });
        so_far.found.elements += left_out;
        so_far.found.judged += left_out;
        return so_far;
      },
      merged_tallies);
  auto report = std::move(tally.found);
  const auto& windows = report.windows;
  if (std::ranges::any_of(windows, &FrequencyWindow::empty)) {
    const auto odd = odd_rows(rows, windows, beyond_counts);
    report.failing_extent = odd.extent;
    for (std::size_t pair = 0; pair < odd.count.size(); ++pair) {
      report.failing += odd.count[pair];
      if (odd.count[pair] > 0 && (!report.first || odd.count[pair] > report.first->odd_rows)) {
        report.first = FrequencyContradiction{static_cast<int>(pair), windows[pair].least,
                                              windows[pair].greatest, *odd.first[pair], odd.count[pair]};
      }
    }
  }
  return report;
}

}  // namespace vernier
