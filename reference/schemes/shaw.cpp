#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/core.h>

#include "reference/keys/encoding_of.hpp"
#include "reference/schemes/parameters.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

/// The relative positions of Shaw et al. (2018), section 3.2: the row of the learned embeddings that a key k
/// seen from a query q uses, clip(k - q, -L, R) + L. There L = R; speech models look farther back than ahead
/// (w2v-BERT 2.0: 64 and 8).
struct ShawSpec {
  static constexpr std::string_view scheme = "shaw";

  std::int64_t left = 1;   ///< L
  std::int64_t right = 1;  ///< R

  void keys(KeyVisitor& visit) {
    const bool is_symmetric = visit.fills() ? !visit.has("left") && !visit.has("right") : left == right;
    const KeyText behind{"left", "L: keys farther behind the query share a row", "positions"};
    const KeyText ahead{"right", "R: keys farther ahead of the query share a row", "positions"};
    const auto either = integer(0, most_listed_positions);
    if (is_symmetric) {
      visit.required({"max_relative_position", "L and R, where they are equal", "positions"}, left,
                     integer(1, most_listed_positions));
      visit.fallback(right, left);
      std::optional<std::int64_t> neither;
      visit.optional(behind, neither, either);
      visit.optional(ahead, neither, either);
      return;
    }
    visit.require(!visit.has("max_relative_position"), "max_relative_position",
                  "none beside left and right, which say the same");
    visit.required(behind, left, either);
    visit.required(ahead, right, either);
    visit.require(left > 0 || right > 0, "right", "at least 1 where left is 0");
  }

  std::string summary() const {
    return left == right
               ? fmt::format("Shaw relative positions, clipped to {} either way", left)
               : fmt::format("Shaw relative positions, clipped to {} behind and {} ahead", left, right);
  }

  std::vector<TensorDefinition> tensors() const {
    return {BucketTable{[spec = *this](std::int64_t r) -> Bucket {
      return {std::clamp(r, -spec.left, spec.right) + spec.left};
    }}};
  }
};

}  // namespace

Scheme shaw_scheme() {
  return {"shaw",
          "relative positions clipped at a distance, each with an embedding (Shaw et al. 2018)",
          {R"({"scheme":"shaw","max_relative_position":16})", R"({"scheme":"shaw","left":16,"right":3})"},
          {form_of<ShawSpec>()}};
}

}  // namespace vernier
