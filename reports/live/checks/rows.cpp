#include "numerics/implementations/rows.hpp"

#include <random>

#include "reports/live/comparison.hpp"
#include "reports/live/live_check.hpp"

namespace vernier {
namespace {

constexpr std::size_t questions_to_a_plug_in = 16;
/// Each may take seconds, to import a framework.
constexpr std::size_t questions_to_a_command = 2;

std::optional<Selection> single_rows(const LiveSession& session, const Asked& asked) {
  if (!rows_stand_alone(session, asked)) {
    return std::nullopt;
  }
  const auto count =
      session.implementation().costs_a_process() ? questions_to_a_command : questions_to_a_plug_in;
  std::mt19937_64 generator(session.options().seed);
  Selection selection{{{rows_of(asked.request) - 1}}};
  while (selection.questions.size() < count) {
    selection.questions.push_back({generator() % rows_of(asked.request)});
  }
  return selection;
}

void judge_rows(LiveSession& session, std::vector<Check>& out) {
  out.push_back(
      compare_answers(session, {"effects/rows",
                                "one row at a time gives the same bits as all at once, or others within the "
                                "budget, as generation must continue what the prompt began",
                                "one row at a time", single_rows}));
}

}  // namespace

LiveCheckKind rows_check() {
  return {
      "effects/rows",
      "Asked for one position at a time, as in generation, the implementation gives the rows that it gives "
      "when asked for all at once, as for a prompt. Other bits within the budget are told, and no failure "
      "unless --bitwise asks for it: an engine may have another path for one token.",
      "keys computed for a prompt stay in the cache while later ones are computed token by token",
      "a row alone has other values than among others", judge_rows};
}

}  // namespace vernier
