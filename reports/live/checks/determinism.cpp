#include <numeric>

#include "numerics/implementations/rows.hpp"
#include "reports/live/comparison.hpp"
#include "reports/live/live_check.hpp"

namespace vernier {
namespace {

std::optional<Selection> all_rows(const LiveSession& /*session*/, const Asked& asked) {
  std::vector<std::size_t> rows(rows_of(asked.request));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return Selection{{std::move(rows)}};
}

void judge_determinism(LiveSession& session, std::vector<Check>& out) {
  out.push_back(
      compare_answers(session, {"effects/determinism",
                                "the same question has the same answer, bit for bit: nothing is left "
                                "over from the call before",
                                "a second call with the same question", all_rows}));
}

}  // namespace

LiveCheckKind determinism_check() {
  return {
      "effects/determinism",
      "Asked the same question twice, the implementation gives the same bits. If not, it reads memory that "
      "it did not write, keeps state, or sums in an order that varies from run to run.",
      "a table is a function of spec and positions", judge_determinism};
}

}  // namespace vernier
