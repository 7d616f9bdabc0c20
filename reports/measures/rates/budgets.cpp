#include "reports/measures/rates/budgets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/asking/questions.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/processes/rows.hpp"
#include "reports/measures/rates/fault.hpp"
#include "reports/measures/rates/model.hpp"

namespace vernier::rates {
namespace {

/// How many positions are looked at beside those that tell most.
constexpr std::int64_t sampled_positions = 48;

BudgetModel model_of(const Design& design) {
  const auto& contract =
      design.contract ? *contract_named(*design.contract) : default_contract(design.stored());
  return contract.bind(design.encoding->plain_tables().front(), design.stored());
}

/// Cosines and sines in long double, and what they may be off by.
class Truth {
 public:
  explicit Truth(const Design& design)
      : model_(model_of(design)), amplitude_(static_cast<long double>(model_.amplitude())) {
    const auto table = design.encoding->plain_tables().front();
    const auto& frequencies = table.frequencies;
    for (int pair = 0; pair < frequencies.pairs(); ++pair) {
      const auto enclosure = tight_enclosure([&] { return frequencies.at(pair); });
      frequencies_.push_back(static_cast<long double>(enclosure.middle.high) +
                             static_cast<long double>(enclosure.middle.low));
    }
  }

  struct Element {
    double cosine;
    double sine;
    Budget cosine_budget;
    Budget sine_budget;
    double phase_error;
  };

  Element at(std::int64_t position, int pair) const {
    const auto phase = static_cast<long double>(position) * frequencies_[static_cast<std::size_t>(pair)];
    const auto c = static_cast<double>(std::cos(phase) * amplitude_);
    const auto s = static_cast<double>(std::sin(phase) * amplitude_);
    return {c, s, model_.at(position, pair, c, s), model_.at(position, pair, s, c),
            model_.phase_error(position, pair)};
  }
  double amplitude() const { return model_.amplitude(); }
  Format arithmetic(Format stored) const { return arithmetic_of(model_.parameters().compute, stored); }

 private:
  BudgetModel model_;
  long double amplitude_;
  std::vector<long double> frequencies_;
};

std::vector<std::int64_t> looked_at(const Design& design, std::vector<std::int64_t> positions) {
  const auto count = std::min(design.length(), sampled_positions);
  for (std::int64_t i = 0; i < count; ++i) {
    positions.push_back(
        design.positions.at(i * (design.length() - 1) / std::max<std::int64_t>(count - 1, 1)));
  }
  std::erase_if(positions, [&](std::int64_t position) {
    return position < least_position(design) || position > greatest_position(design);
  });
  std::ranges::sort(positions);
  positions.erase(std::ranges::unique(positions).begin(), positions.end());
  return positions;
}

double used_share(double error, double budget) {
  const bool is_number = std::isfinite(error);
  return is_number ? (error == 0 ? 0 : error / budget) : std::numeric_limits<double>::infinity();
}

double table_size(const TrigTable& table, const Truth& truth, const std::vector<std::int64_t>& positions,
                  const Tensor& tensor) {
  double greatest = 0;
  const auto width = table.columns.size();
  for (std::size_t row = 0; row < positions.size(); ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      const auto& [pair, component] = table.columns[column];
      const double got = tensor.number(row * width + column);
      if (table.is_zero(positions[row], column)) {
        greatest = std::max(greatest, used_share(got, 0));
        continue;
      }
      const auto element = truth.at(positions[row], pair);
      const bool is_sine = component == Component::sine;
      const auto& budget = is_sine ? element.sine_budget : element.cosine_budget;
      greatest = std::max(
          greatest, used_share(std::fabs(got - (is_sine ? element.sine : element.cosine)), budget.total()));
    }
  }
  return greatest;
}

double rotated_size(const HeadRotation& rotation, const Truth& truth,
                    const std::vector<std::int64_t>& positions, const Tensor& input, const Tensor& tensor) {
  double greatest = 0;
  const auto width = input.shape().back();
  const double direction = rotation.direction();
  for (std::size_t row = 0; row < positions.size(); ++row) {
    for (std::size_t pair = 0; pair < rotation.pairs.size(); ++pair) {
      const auto [first, second] = rotation.pairs[pair];
      const auto a = row * width + first;
      const auto b = row * width + second;
      const auto e = truth.at(positions[row], static_cast<int>(pair));
      const double s = e.sine * direction;
      const double x0 = input.number(a);
      const double x1 = input.number(b);
      const auto format = truth.arithmetic(*tensor.format());
      // Of each component: what the cosine multiplies comes first.
      const auto budget_ratio = [&](std::size_t index, double truth_there, double own, double other) {
        const double budget = rotated_budget(e.cosine_budget, e.sine_budget, e.cosine, s, own, other,
                                             e.phase_error * truth.amplitude(), format)
                                  .total();
        return used_share(std::fabs(tensor.number(index) - truth_there), budget);
      };
      greatest = std::max({greatest, budget_ratio(a, x0 * e.cosine - x1 * s, x0, x1),
                           budget_ratio(b, x0 * s + x1 * e.cosine, x1, x0)});
    }
    for (const auto d : rotation.passed_through()) {
      greatest = std::max(
          greatest, used_share(std::fabs(tensor.number(row * width + d) - input.number(row * width + d)), 0));
    }
  }
  return greatest;
}

double difference(const Tensor& one, const Tensor& other) {
  double greatest = 0;
  for (std::size_t i = 0; i < one.elements(); ++i) {
    if (!one.format()) {
      greatest = one.integer(i) == other.integer(i) ? greatest : std::numeric_limits<double>::infinity();
    } else {
      const double expected = other.number(i);
      greatest = std::max(
          greatest, used_share(std::fabs(one.number(i) - expected), 4 * ulp_at(*one.format(), expected)));
    }
  }
  return greatest;
}

}  // namespace

double element_budget(const Design& design, std::int64_t position, std::size_t pair) {
  const Truth truth(design);
  const auto element = truth.at(position, static_cast<int>(pair));
  return std::max(element.cosine_budget.total(), element.sine_budget.total());
}

double phase_budget(const Design& design, std::int64_t position, std::size_t pair) {
  return model_of(design).phase_error(position, static_cast<int>(pair));
}

double size_of(const Design& faulty, const Design& honest, const std::vector<std::int64_t>& telling) {
  const auto positions = looked_at(honest, telling);
  const bool has_truth = honest.encoding->has_plain_tables() && !honest.encoding->has_tables_of_axes();
  const auto truth = has_truth ? std::optional<Truth>(honest) : std::nullopt;
  auto open = faulty;
  open.refusing.clear();
  auto right = honest;
  right.refusing.clear();
  right.doubles_columns = faulty.doubles_columns;
  double greatest = 0;
  const bool has_axes = honest.encoding->has_tables_of_axes();
  const auto rows = has_axes ? std::min<std::int64_t>(honest.length(), 256) : 1;
  const QuestionOptions one{.type = honest.type,
                            .positions = PositionRange{honest.positions.first, honest.positions.step, rows}};
  for (const auto& question : questions_of(*honest.encoding, one)) {
    const auto& request = open.doubles_columns ? question.ways.back() : question.ways.front();
    const auto asked = has_axes ? request : at_positions(request, positions);
    const auto answer = Model(open).ask(asked);
    // Asked for only where there is no truth to measure from.
    std::optional<Response> expected;
    for (const auto& [role, tensor] : answer.tensors) {
      const auto tables = honest.encoding->plain_tables();
      const auto found =
          std::ranges::find_if(tables, [&, name = role, width = tensor.shape().back()](const TrigTable& t) {
            return t.role == name && t.columns.size() == width;
          });
      if (truth && found != tables.end()) {
        greatest = std::max(greatest, table_size(*found, *truth, positions, tensor));
      } else if (truth && role == "rotated") {
        greatest = std::max(greatest, rotated_size(honest.encoding->all<HeadRotation>().front(), *truth,
                                                   positions, *asked.input, tensor));
      } else {
        expected = expected ? expected : Model(right).ask(asked);
        greatest = std::max(greatest, difference(tensor, expected->tensors.find(role)->second));
      }
    }
  }
  return greatest;
}

}  // namespace vernier::rates
