#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/computation/description_length.hpp"
#include "numerics/diagnosis/damage.hpp"

namespace vernier {
namespace {

/// Fewer elements may be equal by chance.
constexpr std::size_t least_elements = 8;
/// Zeros are what memory holds that nobody wrote. Another number is likelier than a map of positions, and
/// less likely than frequencies of zero, of which cosines are one.
constexpr double constant_bits = listed_bits - 1;

/// The number that all elements are, if they are one.
std::optional<double> only_number(const Tensor& tensor) {
  const double first = tensor.elements() < least_elements ? NAN : tensor.number(0);
  std::vector<double> row(tensor.shape().back());
  for (std::size_t start = 0; start < tensor.elements() && std::isfinite(first); start += row.size()) {
    tensor.numbers(start, row);
    if (!std::ranges::all_of(row, [=](double x) { return x == first; })) {
      return std::nullopt;
    }
  }
  return std::isfinite(first) ? std::optional(first) : std::nullopt;
}

double bits_of_constant(double number) {
  return number == 0 ? 0 : constant_bits + (number == 1 ? 0 : number_bits(number));
}

std::string constant_words(const std::string& roles, double number) {
  return fmt::format("every element of {} is {}", roles, in_sentence(number));
}

/// Whether the numbers are those of position 0, where there is more to tell that than ones.
bool are_of_position_zero(const Suspect& suspect) {
  auto computation = suspect.declared();
  auto places = *computation.places;
  for (auto& axis : places) {
    std::ranges::fill(axis, 0);
  }
  computation.places = std::make_shared<Computation::Places>(std::move(places));
  return suspect.places_are_positions() && (suspect.tensors() > 1 || computation.amplitude != 1) &&
         Predictor(suspect, computation).compare_all(1, 1).failing == 0;
}

}  // namespace

std::optional<Explanation> find_constant(const Suspect& suspect) {
  std::vector<std::pair<double, std::string>> roles_by_number;
  Prediction prediction;
  double bits = 0;
  for (std::size_t t = 0; t < suspect.tensors(); ++t) {
    const auto& tensor =
        suspect.vectors() != nullptr ? suspect.vectors()->rotated : *suspect.tables()[t].tensor;
    const auto number = only_number(tensor);
    if (!number) {
      return std::nullopt;
    }
    const auto known = std::ranges::find(roles_by_number, *number, &std::pair<double, std::string>::first);
    if (known != roles_by_number.end()) {
      known->second += " and " + role_of(suspect, t);
    } else {
      roles_by_number.emplace_back(*number, role_of(suspect, t));
      bits += bits_of_constant(*number);
    }
    prediction.elements += tensor.elements();
  }
  prediction.conclusive = prediction.elements;
  if (are_of_position_zero(suspect)) {
    return Explanation{
        {{&fault_kind("position/constant"), "every row holds position 0"}}, prediction, constant_bits - 1};
  }
  std::string sentence;
  for (const auto& [number, roles] : roles_by_number) {
    sentence += (sentence.empty() ? "" : ", and ") + constant_words(roles, number);
  }
  return Explanation{{{&fault_kind("damage/constant"), std::move(sentence)}}, prediction, bits};
}

std::optional<Explanation> find_constant(const Tensor& tensor, const std::string& role) {
  const auto number = tensor.format() ? only_number(tensor) : std::nullopt;
  return number ? std::optional(Explanation{{{&fault_kind("damage/constant"), constant_words(role, *number)}},
                                            {.elements = tensor.elements(), .conclusive = tensor.elements()},
                                            bits_of_constant(*number)})
                : std::nullopt;
}

}  // namespace vernier
