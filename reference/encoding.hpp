#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/bias_table.hpp"
#include "reference/buckets.hpp"
#include "reference/head_rotation.hpp"
#include "reference/json.hpp"
#include "reference/position_range.hpp"
#include "reference/real_table.hpp"
#include "reference/scaled_table.hpp"
#include "reference/streamed_table.hpp"
#include "reference/trig_table.hpp"
#include "reference/value_table.hpp"

namespace vernier {

/// One positional encoding, fully specified: what a spec says, made mathematics.
class Encoding {
 public:
  Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
  virtual ~Encoding() = default;

  /// The scheme's name in specs: "sinusoidal", "rope", "alibi".
  virtual std::string_view scheme() const = 0;
  /// The encoding in a few words, every parameter that matters in it: "RoPE, head_dim 128, base 10000, half
  /// layout".
  virtual std::string summary() const = 0;
  /// The spec with all its defaults written out; parsing it gives the same encoding.
  virtual OrderedJson spec() const = 0;
  /// Every table of sines and cosines the scheme defines, one for each shape in which implementations lay it
  /// out: several may share a role. Relative schemes have none.
  virtual std::vector<TrigTable> tables() const { return {}; }
  /// The absolute encoding, where it is not a table of sines and cosines; else empty.
  virtual std::vector<ValueTable> values() const { return {}; }
  /// The tables of a rotation that are not sines of one position alone, as rows have them that are said to
  /// have one; several may share a role.
  virtual std::vector<RealTable> real_tables() const { return {}; }
  /// The tables of a rotation that also scales by the position, if it does; several may share a role.
  virtual std::vector<ScaledTable> scaled_tables() const { return {}; }
  /// The tables of a rotation whose tokens have several positions, if they have.
  virtual std::optional<StreamedTables> streamed_tables() const { return std::nullopt; }
  /// What the scheme makes of head vectors, if it rotates them: of queries, and of keys where that differs.
  virtual std::vector<HeadRotation> rotations() const { return {}; }
  /// What the scheme adds to attention scores, by role, if it does.
  virtual std::vector<BiasTable> biases() const { return {}; }
  /// The bucket of a relative position, if the scheme sorts them into buckets; else empty.
  virtual BucketRule buckets() const { return {}; }
  /// The positions of the rows where a case gives none.
  virtual PositionRange default_positions(std::int64_t rows) const { return {0, 1, rows}; }
};

/// A scheme Vernier knows, and how its specs are read.
struct Scheme {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<Encoding> (*parse)(ObjectReader& spec);
  /// Small specs of it, at least one. Tests make, store and judge the tensors of each; the matrix of
  /// properties judges them where no row of its own does.
  std::vector<std::string_view> examples;
};

}  // namespace vernier
