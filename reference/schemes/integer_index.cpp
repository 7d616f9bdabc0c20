#include <cstdint>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The position itself, in one column: 0, 1, 2 ... or 1, 2, 3 and so on.
struct IntegerIndexSpec {
  static constexpr std::string_view scheme = "integer_index";

  std::int64_t first_index = 0;

  void keys(KeyVisitor& visit) {
    visit.defaulted({"first_index", "the index of position 0"}, first_index, integer(0, 1));
  }

  std::string summary() const { return std::string("integer index, from ") + std::to_string(first_index); }

  std::vector<TensorDefinition> tensors() const {
    const auto factor = [first = first_index](std::int64_t position, std::size_t) {
      return Rational(position + first);
    };
    return {ExactTable{.role = "encoding", .columns = 1, .factor = factor}};
  }
};

}  // namespace

Scheme integer_index_scheme() {
  return {"integer_index",
          "the position itself: unbounded, one column",
          {R"({"scheme":"integer_index"})"},
          {form_of<IntegerIndexSpec>()}};
}

}  // namespace vernier
