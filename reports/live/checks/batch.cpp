#include <numeric>
#include <random>

#include "numerics/implementations/rows.hpp"
#include "reports/live/comparison.hpp"
#include "reports/live/live_check.hpp"

namespace vernier {
namespace {

constexpr std::size_t most_batch_rows = 2048;

/// Rows in another order, each twice: elsewhere in the batch, and beside others.
std::optional<Selection> shuffled_rows(const LiveSession& session, const Asked& asked) {
  if (!rows_stand_alone(session, asked)) {
    return std::nullopt;
  }
  std::vector<std::size_t> rows(rows_of(asked.request));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::mt19937_64 generator(session.options().seed);
  const auto shuffle = [&] {
    for (std::size_t i = rows.size(); i > 1; --i) {
      std::swap(rows[i - 1], rows[generator() % i]);
    }
  };
  shuffle();
  rows.resize(std::min(rows.size(), most_batch_rows));
  rows.insert(rows.end(), rows.begin(), rows.end());
  shuffle();
  return Selection{{std::move(rows)}};
}

void judge_batch(LiveSession& session, std::vector<Check>& out) {
  if (session.implementation().takes().contiguous_only) {
    out.push_back({"effects/batch", Status::skipped,
                   "it takes contiguous blocks of positions only: no row can be asked for beside others"});
    return;
  }
  out.push_back(
      compare_answers(session, {"effects/batch",
                                "a row depends on its own position alone, to within its budget: not on where "
                                "in the batch it stands nor on its neighbours",
                                "the rows in another order, each twice", shuffled_rows}));
}

}  // namespace

LiveCheckKind batch_check() {
  return {
      "effects/batch",
      "A position gets the same row wherever it stands in a batch and whatever stands beside it. If not, one "
      "row's work leaks into another's, and the same token has another encoding in training and in "
      "generation. Other bits within the budget are told, and no failure unless --bitwise asks for it: a "
      "vectorised loop and its tail may round differently.",
      "ARM optimized-routines call every function with different neighbours in the vector and demand "
      "identical bits",
      "a row depends on the rows that are asked for with it", judge_batch};
}

}  // namespace vernier
