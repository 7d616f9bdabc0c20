#include "reference/schemes/alibi.hpp"

#include <array>
#include <bit>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using Bias = AlibiSpec::Bias;
using Factor = BiasTable::Factor;

constexpr std::array<std::string_view, 3> bias_names{"key_position", "distance_to_last", "distance"};

const NumberRange max_bias_range{0, 64, "a number greater than 0 and at most 64", true};

Factor factor_of(Bias bias) {
  switch (bias) {
    case Bias::distance_to_last:
      return Factor::distance_to_last;
    case Bias::distance:
      return Factor::distance;
    case Bias::key_position:
      break;
  }
  return Factor::key_position;
}

}  // namespace

std::vector<Slope> AlibiSpec::slopes() const {
  const auto whole = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(num_heads)));
  std::vector<Slope> result;
  for (std::int64_t power = 1; power <= whole; ++power) {
    result.push_back({max_bias / whole, power});
  }
  for (std::int64_t power = 1; static_cast<std::int64_t>(result.size()) < num_heads; power += 2) {
    result.push_back({max_bias / (2 * whole), power});
  }
  return result;
}

void AlibiSpec::keys(KeyVisitor& visit) {
  visit.required("num_heads", num_heads, integer(1, most_heads));
  visit.defaulted("bias", bias, one_of(bias_names));
  visit.defaulted("max_bias", max_bias, number(max_bias_range));
}

std::vector<TensorDefinition> AlibiSpec::tensors() const {
  return {BiasTable{"slopes", slopes(), Factor::one}, BiasTable{"bias", slopes(), factor_of(bias)}};
}

std::string AlibiSpec::summary() const {
  return fmt::format("ALiBi, {} heads, bias by {}{}", num_heads, bias_names[static_cast<std::size_t>(bias)],
                     max_bias == 8 ? "" : ", max_bias " + to_string(max_bias));
}

std::vector<Scheme> alibi_schemes() {
  return schemes_of<AlibiSpec>();
}

}  // namespace vernier
