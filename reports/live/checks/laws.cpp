#include <algorithm>

#include "props/law.hpp"
#include "reports/live/live_check.hpp"
#include "reports/live/properties.hpp"

namespace vernier {
namespace {

/// The implementation as it is asked through a session, which remembers what happens.
class SessionImplementation final : public LiveImplementation {
 public:
  explicit SessionImplementation(LiveSession& session) : session_(session) {}

  std::string description() const override { return session_.implementation().description(); }
  bool observes_memory() const override { return session_.implementation().observes_memory(); }
  bool costs_a_process() const override { return session_.implementation().costs_a_process(); }
  Takes takes() const override { return session_.implementation().takes(); }
  Response ask(const Request& request) override { return session_.ask(request); }

 private:
  LiveSession& session_;
};

/// Positions as far as the answers to the main questions go, and what they are held to.
LivePropertyOptions options_of(const LiveSession& session, const Case& judged) {
  LivePropertyOptions options;
  options.seed = session.options().seed;
  options.cases = session.law_cases();
  const auto [least, greatest] = std::ranges::minmax(judged.positions);
  options.lowest_position = std::min<std::int64_t>(least, 0);
  options.first_position = least;
  options.highest_position = std::max<std::int64_t>(greatest, 1);
  options.has_gradients = std::ranges::any_of(
      judged.tensors.all<RotatedTensor>(), [](const auto& vectors) { return vectors.rotation.is_gradient; });
  if (judged.tensors.has<TableTensor>()) {
    options.table_width = judged.tensors.all<TableTensor>().front().columns();
    options.contract = judged.tensors.all<TableTensor>().front().contract;
  } else if (judged.tensors.has<RotatedTensor>()) {
    options.contract = judged.tensors.all<RotatedTensor>().front().contract;
  }
  return options;
}

void judge_laws(LiveSession& session, std::vector<Check>& out) {
  const auto* judged = session.judged_case();
  if (judged == nullptr || judged->positions.empty()) {
    return;  // nothing was answered, which is a check of its own
  }
  SessionImplementation implementation(session);
  auto checks = live_property_checks(implementation, session.encoding(), session.options().type,
                                     options_of(session, *judged));
  std::ranges::move(checks, std::back_inserter(out));
}

}  // namespace

LiveCheckKind laws_check() {
  return {"law/<scheme>/<property>",
          "A law of the scheme holds for what the implementation computes, at positions and for vectors that "
          "are drawn anew for every law, each within what its contract allows. Laws see what single elements "
          "do not: scores that depend on more than the offset, norms that grow, rows that repeat. A failure "
          "comes with a counterexample, made as simple as it can be by asking the implementation itself.",
          "the statement and citation of each law are in its requirement", "", judge_laws};
}

}  // namespace vernier
