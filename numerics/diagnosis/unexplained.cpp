#include "numerics/diagnosis/unexplained.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>

#include <fmt/core.h>

#include "numerics/audit/failing_extent.hpp"
#include "numerics/diagnosis/computation/row_sums.hpp"
#include "numerics/diagnosis/fault_kinds.hpp"
#include "reference/counted.hpp"

namespace vernier {

FaultKinds unexplained_kinds() {
  static constexpr FaultKind unexplained{.id = "unexplained",
                                         .stage = Stage::damage,
                                         .title = "no computation that was tried predicts the tensors",
                                         .means = "No known mistake fits.",
                                         .advice = "Start from where the elements fail, and by how much."};
  return {&unexplained};
}

namespace {

constexpr ClosedRange nothing{std::numeric_limits<std::int64_t>::max(),
                              std::numeric_limits<std::int64_t>::min()};

/// What fails, of some rows.
struct Unpredicted {
  std::uint64_t elements = 0;
  std::uint64_t failing = 0;
  std::set<std::size_t> columns = {};
  ClosedRange rows = nothing;
  ClosedRange positions = nothing;

  void append(Unpredicted later) {
    elements += later.elements;
    failing += later.failing;
    columns.merge(later.columns);
    rows.include(later.rows);
    positions.include(later.positions);
  }
};

}  // namespace

std::string where_the_rest_lies(const Suspect& suspect, const Computation& computation, unsigned threads) {
  const Predictor predictor(suspect, computation);
  const auto all = sum_of_rows<Unpredicted>(suspect.rows(), threads, [&](std::size_t row, Unpredicted& sum) {
    predictor.visit(row, [&](const PredictedElement& one) {
      ++sum.elements;
      if (one.fails()) {
        ++sum.failing;
        sum.columns.insert(one.column);
        const auto index = static_cast<std::int64_t>(row);
        const auto position = suspect.positions().front()[row];
        sum.rows.include({index, index});
        sum.positions.include({position, position});
      }
    });
    return true;
  });
  if (all.failing == 0) {
    return "No single element fails.";
  }
  // Of rows with several positions none says where they are.
  const auto& places = suspect.encoding().positions();
  const auto where = suspect.positions().size() > 1
                         ? fmt::format("in rows from {} to {}", all.rows.least, all.rows.greatest)
                         : fmt::format("at positions from {} to {}", places.text(all.positions.least),
                                       places.text(all.positions.greatest));
  return fmt::format(
      "{} of {} fail, in {} from {} to {}, {}.", all.failing, counted(all.elements, "element", "elements"),
      counted(all.columns.size(), "column", "columns"), *all.columns.begin(), *all.columns.rbegin(), where);
}

}  // namespace vernier
