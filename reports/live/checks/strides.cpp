#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::size_t strided_rows = 19;
/// Odd, so that rows of no type start where vectors of a processor like them to.
constexpr std::size_t padded_elements = 7;

Use apart(const UseTrial& trial, const std::vector<std::int64_t>& block, Shape leading) {
  auto use = trial.use_of(block, std::move(leading));
  use.padding = padded_elements;
  use.words = "rows with " + std::to_string(padded_elements) + " elements between them, " +
              (use.leading.empty() ? "" : to_string(use.leading) + " times ") + use.words;
  return use;
}

void judge_strides(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(session, "use/strides", "rows that are apart in memory hold what rows side by side do");
  if (const auto& reach = trial.reach()) {
    const auto last = std::max(reach->least, reach->greatest - static_cast<std::int64_t>(strided_rows) + 1);
    trial.ask(apart(trial, trial.block(reach->least, strided_rows), {}));
    trial.ask(apart(trial, trial.block(last, strided_rows), {2, 3}));
  }
  out.push_back(trial.conclude("rows that are apart"));
}

}  // namespace

LiveCheckKind strides_check() {
  return {"use/strides",
          "Queries and keys are often slices of a wider tensor, and tables are written into one: other "
          "elements lie between their strided_rows, and again between heads. Asked only of a plug-in that "
          "says that "
          "it takes such tensors (VERNIER_TAKES_STRIDES); a command gets files, which have none. If this "
          "fails, the implementation goes by the shape alone. What lies between the rows holds arbitrary "
          "bytes: effects/memory tells whether it stayed as it was.",
          "one projection for queries, keys and values; caches that are longer than what they hold",
          "rows that lie apart in memory have other values", judge_strides};
}

}  // namespace vernier
