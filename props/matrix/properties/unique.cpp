#include <algorithm>

#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

Outcome judge_unique(const PositionModel& model, const MatrixCase& values) {
  if (values.t == values.s) {
    return Outcome::discarded;
  }
  const auto a = model.code(values.t);
  const auto b = model.code(values.s);
  if (certainly_equal(a, b)) {
    return Outcome::fails;
  }
  return certainly_different(a, b) ? Outcome::holds : Outcome::inconclusive;
}

/// How far from zero positions are told apart.
std::optional<Justification> told_apart_near_zero(const PositionModel& model) {
  const auto window = model.window();
  std::vector<IntervalVector> codes{model.code(0)};
  const auto add = [&](std::int64_t position) {
    const auto code = model.code(position);
    const bool is_new =
        std::ranges::all_of(codes, [&](const auto& seen) { return certainly_different(seen, code); });
    codes.push_back(code);
    return is_new;
  };
  std::int64_t reach = 0;
  for (bool apart = true; apart;) {
    const auto next = reach + 1;
    const bool ahead = window.holds(next);
    const bool behind = window.holds(-next);
    apart = (ahead || behind) && (!ahead || add(next)) && (!behind || add(-next));
    reach += apart ? 1 : 0;
  }
  if (reach == 0) {
    return std::nullopt;
  }
  return Justification{Answer::conditional, Method::exhaustive,
                       std::string("offsets up to ") + std::to_string(reach) + " are told apart"};
}

}  // namespace

MatrixProperty unique_property() {
  return {"unique",
          "Unique",
          "code(t) = code(s) only if t = s; for relative schemes, of offsets",
          "t, s",
          judge_unique,
          false,
          told_apart_near_zero};
}

}  // namespace vernier
