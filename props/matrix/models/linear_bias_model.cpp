#include "props/matrix/models/linear_bias_model.hpp"

#include <array>

#include "props/interval_predicates.hpp"

namespace vernier {

IntervalVector LinearBiasModel::code(std::int64_t distance) const {
  return IntervalVector::Constant(1, score(distance, 0));
}

Interval LinearBiasModel::score(std::int64_t query, std::int64_t key) const {
  // Two keys, the last of them at the query's own position.
  const std::array keys{key, query};
  const auto factor = bias_.multiplier(keys, 1, 0, 0) - bias_.multiplier(keys, 1, 0, 1);
  return bias_.slopes.front().enclosure() * enclose(factor);
}

std::optional<Interval> LinearBiasModel::bound() const {
  return abs(code(63)(0));
}

std::optional<Interval> LinearBiasModel::lipschitz() const {
  return bias_.slopes.front().enclosure();
}

std::optional<Justification> LinearBiasModel::justification(std::string_view property) const {
  const auto slope = std::string("the slope, ") + digits(*lipschitz(), 5);
  const auto says = [](Answer answer, const std::string& told) {
    return Justification{answer, Method::exact, told};
  };
  if (property == "unique") {
    return says(Answer::yes, "of distances: a linear function of slope not zero");
  }
  if (property == "same-for-every-length") {
    return says(Answer::yes, "no length in the formula");
  }
  if (property == "defined-beyond") {
    return says(Answer::yes, "a formula for every distance");
  }
  if (property == "lipschitz") {
    return says(Answer::yes, std::string("L = ") + slope);
  }
  if (property == "linear-shift" || property == "constant-norm") {
    return says(Answer::not_applicable, "positions have no code");
  }
  if (property == "offset-only") {
    return says(Answer::yes, "the slope times the offset or its magnitude");
  }
  const bool even = bias_.factor == BiasTable::Factor::distance;
  if (property == "decay") {
    return even
               ? says(Answer::yes, "falls by the slope with each position")
               : says(Answer::conditional,
                      "falls by the slope with each position behind the query, and rises ahead of it: decays "
                      "under a causal mask");
  }
  if (even && property == "symmetric") {
    return says(Answer::yes, "the magnitude of the offset is even");
  }
  if (even && property == "direction-aware") {
    return says(Answer::no, "the magnitude of the offset is even; only a causal mask tells");
  }
  return std::nullopt;
}

}  // namespace vernier
