#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace vernier {

/// The bucket of a relative position.
struct Bucket {
  std::int64_t index = 0;
  /// The bucket that a rounded logarithm may give instead: the one across the edge, for a relative position
  /// that lies exactly on it, and for no other.
  std::optional<std::int64_t> across = std::nullopt;
};

/// The bucket of any relative position within +-2^31.
using BucketRule = std::function<Bucket(std::int64_t relative_position)>;

/// The buckets of relative positions, as a tensor: the bucket's index for each of them, of any shape.
struct BucketTable {
  static constexpr std::string_view role = "buckets";  ///< of the tensor that holds it

  BucketRule rule;  ///< never empty
};

/// The edges first (last/first)^(j/steps), j = 1, 2 ..., between the buckets of a logarithmic scale, located
/// among the integers without a logarithm: n reaches edge j exactly if n^steps first^j >= last^j
/// first^steps, which integers decide.
class LogarithmicEdges {
 public:
  /// Where an integer lies among the edges.
  struct Place {
    std::int64_t reached = 0;  ///< how many edges are at or below it
    bool on_edge = false;      ///< whether the last of them is the integer itself
  };

  /// \param first >= 1 \param last > first \param steps >= 1
  /// \param reach places up to this are asked for; later edges are left out
  LogarithmicEdges(std::int64_t first, std::int64_t last, int steps, std::int64_t reach);

  /// \param n in [1, reach]
  Place place(std::int64_t n) const;

 private:
  struct Edge {
    std::int64_t least;  ///< the least integer at or above it
    bool is_integer;     ///< it is that integer
  };
  std::vector<Edge> edges_;  ///< in ascending order
};

}  // namespace vernier
