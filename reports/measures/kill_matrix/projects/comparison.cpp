#include "reports/measures/kill_matrix/projects/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "numerics/asking/questions.hpp"
#include "reports/measures/rates/model.hpp"
#include "reports/measures/rates/ways.hpp"

namespace vernier::kill_matrix {

rates::Design independent(const Specimen& specimen, Format arithmetic) {
  auto design = specimen.honest;
  if (rates::descends_from_one(design)) {
    design.rule = nullptr;
    design.rounds_phase = true;
    rates::compute_in_float32(design);
  }
  if (design.rotates() && is_rope(specimen)) {
    rates::rotate_in(design, arithmetic, false);
  }
  return design;
}

std::vector<double> values_of(const rates::Design& design, std::vector<std::string> roles, std::int64_t rows,
                              std::uint64_t seed) {
  auto open = design;
  open.refusing.clear();
  auto positions = design.positions;
  positions.count = std::min(positions.count, rows);
  const QuestionOptions options{
      .type = design.type, .positions = positions, .seed = seed, .roles = std::move(roles)};
  rates::Model model(open);
  std::vector<double> values;
  for (const auto& question : questions_of(*design.encoding, options)) {
    auto request = open.doubles_columns ? question.ways.back() : question.ways.front();
    if (request.input) {
      request.input = rates::normal_vectors(*request.input, seed);
    }
    const auto answer = model.ask(request);
    for (const auto& [role, tensor] : answer.tensors) {
      for (std::size_t i = 0; i < tensor.elements(); ++i) {
        values.push_back(tensor.format() ? tensor.number(i) : static_cast<double>(*tensor.integer(i)));
      }
    }
  }
  return values;
}

bool are_close(const std::vector<double>& got, const std::vector<double>& expected, Tolerance tolerance) {
  return std::ranges::equal(got, expected, [&](double a, double b) {
    return a == b || std::fabs(a - b) <= tolerance.absolute + tolerance.relative * std::fabs(b);
  });
}

double normalised_square_error(const std::vector<double>& got, const std::vector<double>& expected) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    difference += (got[i] - expected[i]) * (got[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return difference / size;
}

bool rotates_like(const Specimen& specimen, const rates::Design& other, std::int64_t rows,
                  Tolerance tolerance) {
  return are_close(values_of(specimen.design, {"rotated"}, rows, specimen.seed),
                   values_of(other, {"rotated"}, rows, specimen.seed), tolerance);
}

bool applies_like(const Specimen& specimen, Format table, Format arithmetic, std::int64_t rows,
                  Tolerance tolerance) {
  auto design = specimen.design;
  design.turning.push_back([table](std::int64_t, std::size_t, rates::Turn turn) {
    return rates::Turn{round_to(table, turn.cosine), round_to(table, turn.sine)};
  });
  auto other = design;
  if (design.pairs.size() != specimen.honest.pairs.size()) {
    other.frequencies =
        specimen.honest.frequencies;  // the table has other columns than the specimen turns by
  }
  other.reading = specimen.honest.reading;
  other.finishing = specimen.honest.finishing;
  other.storing = specimen.honest.storing;
  rates::rotate_in(other, arithmetic, false);
  return are_close(values_of(design, {"rotated"}, rows, specimen.seed),
                   values_of(other, {"rotated"}, rows, specimen.seed), tolerance);
}

bool is_rope(const Specimen& specimen) {
  return specimen.honest.encoding->scheme() == "rope";
}

std::string scaling_type(const Specimen& specimen) {
  const auto spec = OrderedJson::parse(specimen.honest.spec);
  const auto found = spec.find("rope_scaling");
  const auto type = found == spec.end() ? std::string() : found->value("rope_type", std::string());
  return type == "default" ? std::string() : type;
}

bool is_usual(const Specimen& specimen) {
  return !specimen.honest.contract.has_value();
}

}  // namespace vernier::kill_matrix
