#include "numerics/diagnosis/unexplained.hpp"

#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/fault_kinds.hpp"
#include "reference/counted.hpp"

namespace vernier {

FaultKinds unexplained_kinds() {
  static constexpr FaultKind unexplained{
      .id = "unexplained",
      .stage = Stage::damage,
      .title = "no computation that was tried predicts the tensors",
      .means = "What a model makes of them cannot be said: look at where the elements fail, and by how much.",
      .advice =
          "Compare the recovered frequencies with the declared ones, and look at the rows and columns "
          "in which elements fail."};
  return {&unexplained};
}

std::string where_the_rest_lies(const Suspect& suspect, const Computation& computation,
                                std::span<const std::size_t> rows) {
  std::set<std::size_t> columns;
  std::set<std::size_t> failing_rows;
  std::set<std::int64_t> positions;
  std::uint64_t failing = 0;
  std::uint64_t elements = 0;
  const Predictor predictor(suspect, computation);
  for (const auto row : rows) {
    predictor.visit(row, [&](const PredictedElement& one) {
      ++elements;
      if (one.fails()) {
        ++failing;
        columns.insert(one.column);
        failing_rows.insert(row);
        positions.insert(suspect.positions().front()[row]);
      }
    });
  }
  if (failing == 0) {
    return "What fails lies in few rows.";
  }
  // Of rows with several positions none says where they are.
  const auto& places = suspect.encoding().positions();
  const auto where = suspect.positions().size() > 1
                         ? fmt::format("in rows from {} to {}", *failing_rows.begin(), *failing_rows.rbegin())
                         : fmt::format("at positions from {} to {}", places.text(*positions.begin()),
                                       places.text(*positions.rbegin()));
  return fmt::format("{:.0f} % of the elements fail, in {} from {} to {}, {}.",
                     100.0 * static_cast<double>(failing) / static_cast<double>(elements),
                     counted(columns.size(), "column", "columns"), *columns.begin(), *columns.rbegin(),
                     where);
}

}  // namespace vernier
