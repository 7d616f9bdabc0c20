#include <cstdint>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// No positional encoding: zeros, whatever the position.
struct NoEncodingSpec {
  static constexpr std::string_view scheme = "none";

  std::int64_t d_model = 1;

  void keys(KeyVisitor& visit) {
    visit.required({"d_model", "the width of a row", "dimensions"}, d_model, integer(1, largest_dimension));
  }

  std::string summary() const {
    return std::string("no positional encoding, d_model ") + std::to_string(d_model);
  }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [](std::int64_t, std::size_t) { return Rational(0); };
    return {ExactTable{.role = "encoding", .columns = static_cast<std::size_t>(d_model), .factor = factor}};
  }
};

}  // namespace

Scheme no_encoding_scheme() {
  return {"none",
          "no positional encoding: zeros",
          {R"({"scheme":"none","d_model":4})"},
          {form_of<NoEncodingSpec>()}};
}

}  // namespace vernier
