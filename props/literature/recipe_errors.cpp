#include <algorithm>
#include <cassert>
#include <cmath>

#include "numerics/recipes/c_library.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "props/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/certified_table.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// The greatest |table - truth| over consecutive positions, as an enclosure.
Interval greatest_error(const Recipe& recipe, const TrigTable& table, std::int64_t first, std::int64_t last) {
  const RecipeTable computed(recipe, table, recipe.compute);
  CertifiedTable truth(table);
  std::vector<Enclosure> exact(truth.columns());
  std::vector<double> row(truth.columns());
  double greatest = -1;
  Interval result;
  for (std::int64_t position = first; position <= last; ++position) {
    computed.row(position, row);
    truth.row(position, exact);
    for (std::size_t column = 0; column < row.size(); ++column) {
      const double error = std::fabs(row[column] - exact[column].approximately());
      if (error > greatest) {
        greatest = error;
        result = abs(enclose(row[column]) - interval_of(exact[column]));
      }
    }
  }
  return result;
}

/// "A fixed encoding goes on for ever, but may get worse at extreme lengths": so it does in float32.
EvidenceResult growth() {
  const WorkingPrecision scope(high_precision);
  Facts facts;
  const auto table = SinusoidalSpec{.d_model = 128}.table();
  const auto recipe = std::ranges::find(recipes(), std::string_view("float32-pow"), &Recipe::id);
  assert(recipe != recipes().end());
  struct Range {
    std::int64_t first;
    std::int64_t last;
    const char* stated;  ///< measured beforehand with NumPy
  };
  Interval before = 0;
  for (const auto& [first, last, stated] :
       {Range{0, 99, "0.00000589"}, Range{0, 511, "0.0000285"}, Range{0, 4999, "0.000387"},
        Range{131072 - 500, 131071, "0.0076"}, Range{(1 << 20) - 500, (1 << 20) - 1, "0.062"}}) {
    const Interval error = greatest_error(*recipe, table, first, last);
    facts.add(rounds_to_decimal(error, stated) && certainly_less(before, error),
              "positions {} to {}: off by up to {}", first, last, digits(error, 3));
    before = error;
  }
  facts.add(true, "computed with {}'s powf, sinf and cosf", c_library());
  return facts.conclude(Ruling::holds);
}

}  // namespace

std::vector<Evidence> recipe_error_evidence() {
  return {
      {"recipes/growth", "the error of a float32 table (1/pow frequencies, d = 128) at ever larger positions",
       Method::exhaustive, growth},
  };
}

}  // namespace vernier
