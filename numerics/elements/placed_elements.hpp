#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "numerics/elements/element_source.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The shape of a tensor at so many positions: a row each of tables and vectors, a key each of biases, an
/// element each of buckets. \param queries of biases: 0 for those of the last one, [heads, keys]
/// \throws InputError for more queries than positions
Shape shape_of(const TensorDefinition& definition, std::size_t positions, std::size_t queries = 0);

/// Whether its shape depends on the positions: that of slopes and of frequencies does not.
inline bool has_rows(const TensorDefinition& definition) {
  return shape_of(definition, 0) != shape_of(definition, 1);
}

/// How many positions a row of the encoding's tables or vectors has: one of text.
std::size_t axis_count(const Encoding& encoding);

/// The elements of a tensor at positions as they are given, one a token: those of axes by their numbers, and
/// each at its place (position_map.hpp).
class PlacedElements {
 public:
  /// \param definition one of the encoding's \param input of rotated vectors, else empty
  /// \throws InputError for a position that no token has, or without a row
  PlacedElements(const Encoding& encoding, const TensorDefinition& definition,
                 std::vector<std::int64_t> given, std::size_t queries = 0,
                 std::function<void(std::size_t, std::span<double>)> input = {});

  ElementSource& operator*() const { return *source_; }
  ElementSource* operator->() const { return source_.get(); }

 private:
  struct Rows {
    std::vector<std::int64_t> positions;
    std::vector<std::vector<std::int64_t>> by_axis;
  };

  std::unique_ptr<const Rows> rows_;  ///< the source refers to them
  std::unique_ptr<ElementSource> source_;
};

}  // namespace vernier
