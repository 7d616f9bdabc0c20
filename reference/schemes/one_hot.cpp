#include <cstdint>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// One column a position, one in its own column and zero in all others: what a learned table multiplies.
struct OneHotSpec {
  static constexpr std::string_view scheme = "one_hot";

  std::int64_t num_positions = 1;

  void keys(KeyVisitor& visit) {
    visit.required({"num_positions", "how many positions there are, each with a column", "positions"},
                   num_positions, integer(1, most_listed_positions));
  }

  std::string summary() const { return fmt::format("one-hot, {} positions", num_positions); }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [](std::int64_t position, std::size_t column) {
      return Rational(static_cast<std::int64_t>(column) == position ? 1 : 0);
    };
    return {ExactTable{.role = "encoding",
                       .columns = static_cast<std::size_t>(num_positions),
                       .factor = factor,
                       .first_position = 0,
                       .last_position = num_positions - 1}};
  }
};

}  // namespace

Scheme one_hot_scheme() {
  return {"one_hot",
          "a one in the column of the position, zeros in all others",
          {R"({"scheme":"one_hot","num_positions":300})"},
          {form_of<OneHotSpec>()}};
}

}  // namespace vernier
