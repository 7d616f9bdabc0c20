#include "reference/schemes/alibi.hpp"

#include <array>
#include <bit>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using Bias = AlibiSpec::Bias;
using Factor = BiasTable::Factor;

constexpr std::array<std::string_view, 3> bias_names{"key_position", "distance_to_last", "distance"};

std::unique_ptr<Encoding> parse_alibi(ObjectReader& reader) {
  AlibiSpec spec;
  spec.num_heads = reader.integer("num_heads", 1, most_heads);
  spec.bias = static_cast<Bias>(reader.choice("bias", {bias_names[0], bias_names[1], bias_names[2]}, 0));
  const auto max_bias = reader.optional_number(
      "max_bias", [](const Rational& x) { return x > 0 && x <= 64; },
      "a number greater than 0 and at most 64");
  spec.max_bias = max_bias.value_or(spec.max_bias);
  return std::make_unique<AlibiEncoding>(spec);
}

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

std::vector<TensorDefinition> AlibiEncoding::define_tensors() const {
  return {BiasTable{"slopes", spec_.slopes(), Factor::one},
          BiasTable{"bias", spec_.slopes(), factor_of(spec_.bias)}};
}

std::string AlibiEncoding::summary() const {
  return fmt::format("ALiBi, {} heads, bias by {}{}", spec_.num_heads,
                     bias_names[static_cast<std::size_t>(spec_.bias)],
                     spec_.max_bias == 8 ? "" : ", max_bias " + to_string(spec_.max_bias));
}

OrderedJson AlibiEncoding::spec() const {
  return {{"scheme", "alibi"},
          {"num_heads", spec_.num_heads},
          {"bias", bias_names[static_cast<std::size_t>(spec_.bias)]},
          {"max_bias", json_number(spec_.max_bias)}};
}

Scheme alibi_scheme() {
  return {"alibi",
          "a penalty on attention scores, linear in the distance, of a slope for each head (Press et "
          "al. 2022)",
          parse_alibi,
          {R"({"scheme":"alibi","num_heads":12})", R"({"scheme":"alibi","num_heads":16,"bias":"distance"})"}};
}

}  // namespace vernier
