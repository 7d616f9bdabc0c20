#include "reports/test/planted/planted_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

namespace vernier::planted {
namespace {

constexpr std::array<std::string_view, effect_count> effect_names{
    "next",  "previous",   "row_index", "counts_on", "first_row", "previous_row", "last_question", "wraps",
    "start", "other_pair", "scaled",    "sine_sign", "swapped",   "unrotated",    "zero",          "nan"};

/// In the order of Relation.
constexpr std::array<std::string_view, 7> relation_signs{">=", "<=", "==", "!=", "%==", "%!=", "~"};

/// From ["position", "%==", 0, 256].
Atom atom_of(const nlohmann::json& json) {
  const auto of_coordinate =
      std::ranges::find(all_coordinates(), json.at(0).get<std::string_view>(), &CoordinateTraits::name);
  const auto sign = std::ranges::find(relation_signs, json.at(1).get<std::string_view>());
  if (of_coordinate == all_coordinates().end() || sign == relation_signs.end()) {
    throw std::invalid_argument("no condition: " + json.dump());
  }
  return {of_coordinate->coordinate, static_cast<Relation>(sign - relation_signs.begin()), json.at(2),
          json.at(3)};
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PlantedKernel, has_tables, contiguous_only, one_length,
                                                takes_strides, takes_own_positions, computes_in_float32,
                                                varies, rows_multiple, most_heads, most_batches, most_rank,
                                                declines)

double planted_phase(std::int64_t position, std::size_t pair) {
  static const auto frequencies = [] {
    std::array<double, planted_pairs> result{};
    for (std::size_t i = 0; i < planted_pairs; ++i) {
      result[i] = std::pow(10000.0, -static_cast<double>(i) / planted_pairs);
    }
    return result;
  }();
  return static_cast<double>(position) * frequencies[pair];
}

bool PlantedKernel::answers(const QuestionPoint& question) const {
  return question.rows % rows_multiple == 0 && question.heads <= most_heads &&
         question.batches <= most_batches && question.rank <= most_rank &&
         std::ranges::find(declines, vernier::traits(question.type).name) == declines.end();
}

PlantedKernel parse_planted_kernel(std::string_view text) {
  const auto json = nlohmann::json::parse(text);
  auto kernel = json.get<PlantedKernel>();
  kernel.is_faulty = json.contains("where");
  std::ranges::transform(json.value("where", nlohmann::json::array()), std::back_inserter(kernel.where),
                         atom_of);
  const auto effect = std::ranges::find(effect_names, json.value("effect", "next"));
  kernel.effect = static_cast<Effect>(effect - effect_names.begin());
  kernel.exponent = json.value("exponent", kernel.exponent);
  return kernel;
}

QuestionPoint question_of(const Shape& answer, ElementType type, bool own_positions,
                          std::vector<std::int64_t> positions) {
  const auto leading = std::span(answer).first(answer.size() - 2);
  QuestionPoint question{.rows = answer[leading.size()], .type = type};
  question.own_positions = own_positions && !leading.empty();
  question.rank = std::min<std::size_t>(3, leading.size());
  for (std::size_t i = 0; i < leading.size(); ++i) {
    const bool is_batch = i == 0 && (question.rank > 1 || question.own_positions);
    (is_batch ? question.batches : question.heads) *= leading[i];
  }
  question.positions = std::move(positions);
  return question;
}

std::int64_t misplaced(const PlantedKernel& kernel, const QuestionPoint& question, std::size_t index,
                       const QuestionPoint* last) {
  const auto row = index % question.rows;
  const auto batch = index / question.rows / question.heads;
  const auto position = question.position(batch, row);
  switch (kernel.effect) {
    case Effect::next:
      return position + 1;
    case Effect::previous:
      return position - 1;
    case Effect::row_index:
      return static_cast<std::int64_t>(row);
    case Effect::counts_on:
      return question.position(batch, 0) + static_cast<std::int64_t>(row);
    case Effect::first_row:
      return question.position(batch, 0);
    case Effect::previous_row:
      return question.position(batch, row == 0 ? 0 : row - 1);
    case Effect::last_question:
      return last != nullptr && row < last->rows ? last->positions[row] : position;
    case Effect::wraps:
      return position & ((std::int64_t{1} << kernel.exponent) - 1);
    case Effect::start:
      return 0;
    default:
      return position;
  }
}

std::size_t mispaired(const PlantedKernel& kernel, std::size_t pair) {
  return kernel.effect == Effect::other_pair ? (pair + 1) % planted_pairs : pair;
}

std::complex<double> misturned(const PlantedKernel& kernel, std::complex<double> turn) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  switch (kernel.effect) {
    case Effect::scaled:
      return turn * (1 + std::ldexp(1, -kernel.exponent));
    case Effect::sine_sign:
      return std::conj(turn);
    case Effect::swapped:
      return {turn.imag(), turn.real()};
    case Effect::unrotated:
      return 1;
    case Effect::zero:
      return 0;
    case Effect::not_a_number:
      return {nan, nan};
    default:
      return turn;
  }
}

}  // namespace vernier::planted
