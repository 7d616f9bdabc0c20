// The dimension of vectors along which positions count.

#include <algorithm>

#include <fmt/core.h>

#include "numerics/cases/leading_dimensions.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

constexpr FaultKind position_dimension{
    .id = "position/dimension",
    .stage = Stage::position,
    .title = "positions count along another dimension",
    .means = "Heads or batches turn as if they were tokens, and all tokens of a head turn alike.",
    .advice =
        "Vectors are read as [..., rows, head_dim]: transpose those that lie as [batch, rows, heads, "
        "head_dim] "
        "before they are judged. If they lie so, look for the dimension whose index the kernel takes for the "
        "position."};

/// \param places of all rows of all copies, of `rows` each
bool are_alike_in_copies(const std::vector<double>& places, std::size_t rows) {
  for (std::size_t row = rows; row < places.size(); ++row) {
    if (places[row] != places[row - rows]) {
      return false;
    }
  }
  return true;
}

void propose_dimension(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto* vectors = clues.suspect.vectors();
  if (vectors == nullptr || vectors->leading.empty() || clues.base.places->size() > 1) {
    return;
  }
  const auto& places = clues.base.places->front();
  auto shape = vectors->leading;
  std::size_t rows = places.size();
  for (const auto size : vectors->leading) {
    rows /= size;
  }
  if (!are_alike_in_copies(places, rows)) {
    return;  // each copy has positions of its own, which somebody gave
  }
  const double step = rows > 1 ? places[1] - places[0] : 1;
  shape.insert(shape.end(), {rows, vectors->head_dim()});
  for (std::size_t dimension = 0; dimension < vectors->leading.size(); ++dimension) {
    if (shape[dimension] == 1) {
      continue;
    }
    propose_edit(clues, kind,
                 fmt::format("positions count along dimension -{} of {}, not along -2",
                             shape.size() - dimension, to_string(shape)),
                 variant_bits, out, [&](Computation& computation) {
                   auto moved = std::make_shared<Computation::Places>(*computation.places);
                   for (std::size_t row = 0; row < places.size(); ++row) {
                     const auto index = leading_index(vectors->leading, row / rows)[dimension];
                     moved->front()[row] = places.front() + step * static_cast<double>(index);
                   }
                   computation.places = std::move(moved);
                 });
  }
}

}  // namespace

StageEdits position_dimension_edits() {
  return {{&position_dimension, propose_dimension}};
}

}  // namespace vernier
