#include "numerics/diagnosis/relative/biases/bias_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

/// Exact as it is written, for numbers that are no powers: what multiplying one by an integer is allowed.
const Slope& plain_slope() {
  static const Slope slope{Rational(1, 2), 1};
  return slope;
}

/// One head, element by element.
class JudgedHead {
 public:
  /// \param greatest_error so far, of the heads before
  JudgedHead(const BiasSubject& subject, const BiasModel& model, std::size_t head, double& greatest_error)
      : subject_(subject),
        model_(model),
        head_(head),
        format_(model.product_format.value_or(subject.bias.stored())),
        slope_(model.slope(head)),
        budget_(slope_.budget(*subject.bias.contract, format_)),
        greatest_error_(greatest_error) {}

  void judge(const BiasPlace& place, BiasJudgement& out) const {
    const double got = subject_.at(place);
    const auto queries = subject_.bias.queries();
    ++out.prediction.elements;
    if (model_.after_query && model_.is_after_query(queries, place)) {
      return record(got == *model_.after_query, out);
    }
    const double multiplier = model_.sign * model_.multiplier_at(queries, place);
    const double estimate = slope_.approximately() * multiplier;
    const double overflown = round_to(format_, estimate);
    if (std::isinf(overflown)) {
      return record(got == overflown, out);
    }
    if (budget_.inconclusive_at(estimate) && std::isfinite(got)) {
      return;
    }
    const bool on_grid = !model_.product_format || is_member(*model_.product_format, got);
    const auto [error, ratio] = error_of(place, got, multiplier, estimate);
    if (std::isfinite(got) && (!out.farthest || std::fabs(error) > greatest_error_)) {
      greatest_error_ = std::fabs(error);
      out.farthest = place;
      out.farthest_truth = estimate;
    }
    record(ratio <= 1 && on_grid, out);
    out.prediction.largest_budget_ratio = std::max(out.prediction.largest_budget_ratio, ratio);
  }

 private:
  struct Error {
    double error;
    double budget_ratio;
  };

  Error error_of(const BiasPlace& place, double got, double multiplier, double estimate) const {
    // What rounding the estimate, and the difference, may add; far from the budget's edge it decides nothing.
    constexpr double relative_slack = 0x1p-48;
    constexpr double clear = 0x1p-10;
    const double budget = budget_.at(estimate);
    const double error = got - estimate;
    if (std::isfinite(got) &&
        std::fabs(estimate) * relative_slack < clear * std::fabs(std::fabs(error) - budget) &&
        std::fabs(estimate) * relative_slack < clear * budget) {
      return {error, std::fabs(error) / budget};
    }
    exact_ = exact_ ? exact_ : slope_.enclosure();
    const auto element = judged_element(subject_.index(place), got, *exact_ * exactly(multiplier), budget);
    return {element.error, element.budget_ratio};
  }

  void record(bool holds, BiasJudgement& out) const {
    ++out.prediction.conclusive;
    if (holds) {
      return;
    }
    ++out.prediction.failing;
    ++out.failing_by_head[head_];
  }

  const BiasSubject& subject_;
  const BiasModel& model_;
  std::size_t head_;
  Format format_;
  HeadSlope slope_;
  BiasBudget budget_;
  double& greatest_error_;
  mutable std::optional<Enclosure> exact_;  ///< the slope, where an estimate does not do
};

std::vector<double> found_slopes(const BiasSubject& subject) {
  const auto& bias = subject.bias;
  const auto query = bias.queries() - 1;
  const auto last = bias.keys() - 1;
  std::vector<double> found;
  for (std::size_t head = 0; head < subject.heads(); ++head) {
    const BiasPlace first{head, query, 0};
    const double got = subject.at(first);
    if (subject.is_slopes()) {
      found.push_back(std::fabs(got));
    } else if (last == 0) {
      found.push_back(std::fabs(got / subject.declared().multiplier_at(bias.queries(), first)));
    } else {
      const auto span = static_cast<double>(subject.keys[last] - subject.keys[0]);
      found.push_back(std::fabs((subject.at({head, query, last}) - got) / span));
    }
  }
  return found;
}

}  // namespace

double HeadSlope::approximately() const {
  return known ? *known
               : factor * std::exp2(-vernier::approximately(slope.step) * static_cast<double>(slope.power));
}

Enclosure HeadSlope::enclosure() const {
  if (known) {
    return exactly(*known);
  }
  const auto power = tight_enclosure([&] { return slope.enclosure(); });
  return factor == 1 ? power : power * exactly(factor);
}

BiasBudget HeadSlope::budget(const Contract& contract, Format stored) const {
  if (known) {
    return contract.bind(plain_slope(), stored);
  }
  auto budget = contract.bind(Slope{slope.step, std::abs(slope.power)}, stored);
  if (factor != 1) {
    const auto more = contract.bind(plain_slope(), stored);
    budget.relative += more.relative * (1 + budget.relative);
    budget.storage_ulps = std::max(budget.storage_ulps, more.storage_ulps);
  }
  return budget;
}

bool BiasModel::is_after_query(std::size_t queries, const BiasPlace& place) const {
  return queries > 1 &&
         keys[place.key] > keys[queries_first ? place.query : keys.size() - queries + place.query];
}

double BiasModel::multiplier_at(std::size_t queries, const BiasPlace& place) const {
  if (kind == BiasTable::Factor::one) {
    return 1;
  }
  const auto own_key = queries_first ? place.query : keys.size() - queries + place.query;
  std::int64_t exact = 0;
  if (distance) {
    exact = static_cast<std::int64_t>(distance(static_cast<double>(keys[place.key] - keys[own_key])));
  } else if (kind == BiasTable::Factor::distance) {
    exact = -std::abs(keys[own_key] - keys[place.key]);
  } else {
    exact = keys[place.key] - (kind == BiasTable::Factor::distance_to_last ? keys.back() : 0);
  }
  const auto value = static_cast<double>(exact + offset);
  return multiplier_format ? round_to(*multiplier_format, value) : value;
}

BiasModel BiasSubject::declared() const {
  BiasModel model;
  model.slope = [slopes = &bias.table.slopes](std::size_t head) { return HeadSlope{(*slopes)[head]}; };
  model.kind = bias.table.factor;
  model.keys.assign(keys.begin(), keys.end());
  return model;
}

BiasSubject subject_of(const BiasTensor& bias, std::span<const std::int64_t> keys, const Encoding& encoding) {
  BiasSubject subject{bias, keys, encoding, {}};
  subject.found_slopes = found_slopes(subject);
  return subject;
}

BiasJudgement judge(const BiasSubject& subject, const BiasModel& model, bool stops_at_failure) {
  const auto& bias = subject.bias;
  BiasJudgement result{{}, std::vector<std::uint64_t>(subject.heads())};
  double greatest_error = 0;
  for (std::size_t head = 0; head < subject.heads(); ++head) {
    JudgedHead judged(subject, model, head, greatest_error);
    for (std::size_t query = 0; query < bias.queries(); ++query) {
      for (std::size_t key = 0; key < bias.keys(); ++key) {
        judged.judge({head, query, key}, result);
        if (stops_at_failure && result.prediction.failing > 0) {
          return result;
        }
      }
    }
  }
  return result;
}

bool may_predict(const BiasSubject& subject, const BiasModel& model, const BiasPlace& place) {
  BiasJudgement result{{}, std::vector<std::uint64_t>(subject.heads())};
  double greatest_error = 0;
  JudgedHead(subject, model, place.head, greatest_error).judge(place, result);
  return result.prediction.failing == 0;
}

std::vector<BiasPlace> telling_places(const BiasSubject& subject) {
  const auto heads = subject.heads();
  const auto whole = std::bit_floor(heads);
  const auto queries = subject.bias.queries();
  const auto keys = subject.bias.keys();
  std::vector<BiasPlace> places;
  for (const auto key : {std::size_t{0}, keys - 1, keys / 2, keys / 3, std::size_t{1}, keys - keys / 7 - 1}) {
    for (const auto query : {queries - 1, std::size_t{0}, queries / 2}) {
      for (const auto head : {heads - 1, std::size_t{0}, whole - 1, whole, heads / 2}) {
        places.push_back({std::min(head, heads - 1), query, std::min(key, keys - 1)});
      }
    }
  }
  return places;
}

}  // namespace vernier
