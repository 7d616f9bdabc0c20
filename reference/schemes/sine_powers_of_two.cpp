#include <cstdint>

#include "reference/schemes/columns.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// PE(t, i) = sin(t 2^-i), i = 0 .. d-1: the binary digits made continuous.
struct SinePowersOfTwoSpec {
  /// [1, 512]: beyond, the squares that certified sines are made of would underflow.
  std::int64_t d_model = 0;
};

class SinePowersOfTwoEncoding final : public Encoding {
 public:
  explicit SinePowersOfTwoEncoding(const SinePowersOfTwoSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "sine_powers_of_two"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  SinePowersOfTwoSpec spec_;
};

constexpr std::int64_t most_columns = 512;

std::unique_ptr<Encoding> parse_sine_powers_of_two(ObjectReader& reader) {
  return std::make_unique<SinePowersOfTwoEncoding>(
      SinePowersOfTwoSpec{.d_model = reader.integer("d_model", 1, most_columns)});
}

std::vector<TensorDefinition> SinePowersOfTwoEncoding::define_tensors() const {
  const auto d = static_cast<int>(spec_.d_model);
  return {TrigTable{"encoding", GeometricFrequencies{2, 1, d}, 1, sines_of(d), std::nullopt}};
}

std::string SinePowersOfTwoEncoding::summary() const {
  return std::string("sines of t 2^-i, d_model ") + std::to_string(spec_.d_model);
}

OrderedJson SinePowersOfTwoEncoding::spec() const {
  return {{"scheme", "sine_powers_of_two"}, {"d_model", spec_.d_model}};
}

}  // namespace

Scheme sine_powers_of_two_scheme() {
  return {"sine_powers_of_two",
          "a sine a column, of the position times 1, 1/2, 1/4 ...",
          parse_sine_powers_of_two,
          {R"({"scheme":"sine_powers_of_two","d_model":12})"}};
}

}  // namespace vernier
