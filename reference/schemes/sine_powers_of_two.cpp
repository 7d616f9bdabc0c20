#include "reference/schemes/sine_powers_of_two.hpp"

#include "reference/schemes/columns.hpp"

namespace vernier {
namespace {

constexpr std::int64_t most_columns = 512;

std::unique_ptr<Encoding> parse(ObjectReader& reader) {
  return std::make_unique<SinePowersOfTwoEncoding>(
      SinePowersOfTwoSpec{.d_model = reader.integer("d_model", 1, most_columns)});
}

}  // namespace

std::vector<TrigTable> SinePowersOfTwoEncoding::tables() const {
  const auto d = static_cast<int>(spec_.d_model);
  return {{"encoding", GeometricFrequencies{2, 1, d}, 1, sines_of(d), std::nullopt}};
}

std::string SinePowersOfTwoEncoding::summary() const {
  return std::string("sines of t 2^-i, d_model ") + std::to_string(spec_.d_model);
}

OrderedJson SinePowersOfTwoEncoding::spec() const {
  return {{"scheme", "sine_powers_of_two"}, {"d_model", spec_.d_model}};
}

Scheme sine_powers_of_two_scheme() {
  return {"sine_powers_of_two", "a sine a column, of the position times 1, 1/2, 1/4 ...", parse};
}

}  // namespace vernier
