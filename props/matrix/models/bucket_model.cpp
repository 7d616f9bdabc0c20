#include "props/matrix/models/bucket_model.hpp"

#include <array>
#include <utility>

namespace vernier {

PositionWindow BucketModel::window() const {
  return {PositionWindow().lowest, causal_ ? 0 : PositionWindow().highest};
}

IntervalVector BucketModel::code(std::int64_t offset) const {
  return IntervalVector::Constant(1, enclose(rule_(offset).index));
}

Interval BucketModel::score(std::int64_t query, std::int64_t key) const {
  return enclose(rule_(key - query).index);
}

std::optional<Justification> BucketModel::justification(std::string_view property) const {
  if (causal_ && (property == "symmetric" || property == "direction-aware")) {
    return Justification{Answer::not_applicable, Method::exact, "keys ahead are masked"};
  }
  using Known = std::pair<std::string_view, Justification>;
  const std::array known{
      Known{"bounded", {Answer::not_applicable, Method::exact, "the scores are learned"}},
      Known{"same-for-every-length", {Answer::yes, Method::exact, "no length in the rule"}},
      Known{"defined-beyond", {Answer::yes, Method::exact, "far offsets share the last bucket"}},
      Known{"lipschitz", {Answer::no, Method::exact, "a step function of the offset, with learned steps"}},
      Known{"linear-shift", {Answer::not_applicable, Method::exact, "positions have no code"}},
      Known{"offset-only", {Answer::yes, Method::exact, "the rule is given the offset alone"}},
      Known{"constant-norm", {Answer::not_applicable, Method::exact, "positions have no code"}},
      Known{"decay", {Answer::no, Method::exact, "the scores are learned: none forbids a rise"}},
  };
  for (const auto& [id, justification] : known) {
    if (id == property) {
      return justification;
    }
  }
  return std::nullopt;
}

}  // namespace vernier
