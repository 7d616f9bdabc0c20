#include "reference/schemes/alibi.hpp"

#include <array>
#include <bit>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using Bias = AlibiSpec::Bias;
using Factor = BiasTable::Factor;

constexpr std::int64_t most_heads = std::int64_t{1} << 16;
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
  visit.required({"num_heads", "how many heads there are, each with a slope of its own"}, num_heads,
                 integer(1, most_heads));
  visit.defaulted({"bias", "what slopes multiply"}, bias, one_of(bias_names));
  visit.defaulted({"max_bias", "minus the exponent of two of the last slope, for a power of two of heads"},
                  max_bias, number(max_bias_range));
}

std::vector<TensorDefinition> AlibiSpec::tensors() const {
  return {BiasTable{"slopes", slopes(), Factor::one}, BiasTable{"bias", slopes(), factor_of(bias)}};
}

std::string AlibiSpec::summary() const {
  return fmt::format("ALiBi, {} heads, bias by {}{}", num_heads, bias_names[static_cast<std::size_t>(bias)],
                     max_bias == 8 ? "" : ", max_bias " + to_string(max_bias));
}

Scheme alibi_scheme() {
  return {"alibi",
          "a penalty on attention scores, linear in the distance, of a slope for each head (Press et "
          "al. 2022)",
          {R"({"scheme":"alibi","num_heads":12})", R"({"scheme":"alibi","num_heads":16,"bias":"distance"})"},
          {form_of<AlibiSpec>()}};
}

}  // namespace vernier
