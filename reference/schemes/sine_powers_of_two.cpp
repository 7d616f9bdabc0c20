#include <cstdint>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/columns.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// Beyond, the squares that certified sines are made of would underflow.
constexpr std::int64_t most_columns = 512;

/// PE(t, i) = sin(t 2^-i), i = 0 .. d-1: the binary digits made continuous.
struct SinePowersOfTwoSpec {
  static constexpr std::string_view scheme = "sine_powers_of_two";

  std::int64_t d_model = 1;

  void keys(KeyVisitor& visit) {
    visit.required({"d_model", "how many sines there are", "dimensions"}, d_model, integer(1, most_columns));
  }

  std::string summary() const { return std::string("sines of t 2^-i, d_model ") + std::to_string(d_model); }

  std::vector<TensorDefinition> tensors() const {
    const auto d = static_cast<int>(d_model);
    return {TrigTable{"encoding", GeometricFrequencies{2, 1, d}, 1, sines_of(d), std::nullopt}};
  }
};

}  // namespace

Scheme sine_powers_of_two_scheme() {
  return {"sine_powers_of_two",
          "a sine a column, of the position times 1, 1/2, 1/4 ...",
          {R"({"scheme":"sine_powers_of_two","d_model":12})"},
          {form_of<SinePowersOfTwoSpec>()}};
}

}  // namespace vernier
