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
  auto check =
      compare_answers(session, {"effects/determinism",
                                "the same question has the same answer: the same bits, or others within the "
                                "budget",
                                "a second call with the same question", all_rows});
  check.values_vary = check.status == Status::fail;
  out.push_back(std::move(check));
}

}  // namespace

LiveCheckKind determinism_check() {
  return {
      "effects/determinism",
      "Asked the same question twice, the implementation gives the same answer. If not, it reads memory that "
      "it did not write, or keeps state. Other bits within the budget are told, and no failure unless "
      "--bitwise asks for it: an engine may compile a faster path meanwhile, or sum in an order that varies.",
      "a table is a function of spec and positions", "the same question has other answers",
      judge_determinism};
}

}  // namespace vernier
