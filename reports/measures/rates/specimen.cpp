#include "reports/measures/rates/specimen.hpp"

#include <numeric>

#include "reports/measures/rates/budgets.hpp"

namespace vernier::rates {
namespace {

/// A fault smaller than the budget of every element is none.
constexpr double least_size = 1;

}  // namespace

Draw draw_of(std::uint64_t seed, std::uint64_t stream, int index) {
  Draw seeds(seed * 2 + stream);
  return Draw(seeds.bits() + 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(index));
}

std::string description_of(const Design& design) {
  auto text = design.encoding->summary() + "; positions " + std::to_string(design.positions.first) + " to " +
              std::to_string(design.positions.at(design.length() - 1));
  for (const auto& word : design.words) {
    text += "; " + word;
  }
  return text;
}

std::optional<Faulty> plant_in(const Fault& fault, const Design& design, const Design& honest, Draw& draw) {
  if (!design.tuning.empty()) {
    return std::nullopt;  // what depends on the length of the question is hard enough to judge without faults
  }
  Faulty result{design, {}, std::nullopt};
  auto planted = fault.plant(draw, result.design);
  if (!planted) {
    return std::nullopt;
  }
  result.planted = *std::move(planted);
  if (fault.shows != Shows::questions) {
    result.size = size_of(result.design, honest, result.planted.telling);
    if (fault.shows == Shows::values && !(*result.size > least_size)) {
      return std::nullopt;
    }
  }
  return result;
}

std::size_t kind_in_turn(int index, std::size_t kinds) {
  auto step = kinds * 5 / 8;
  while (std::gcd(step, kinds) != 1) {
    ++step;
  }
  return static_cast<std::size_t>(index) * step % kinds;
}

}  // namespace vernier::rates
