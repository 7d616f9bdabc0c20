#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vernier {

class KeyVisitor;

/// Which tokens of a sequence the rows of a tensor are, and what becomes of the positions: padding in front,
/// a shift for the heads of multi-token prediction, and the part that one rank of context parallelism holds.
struct RowSelection {
  /// contiguous: a run. zigzag: of twice as many runs as ranks the r-th and the r-th from the end
  /// (Megatron-LM, get_batch_on_this_cp_rank). round_robin: every block of so many tokens to the next rank
  /// (striped attention; vLLM, cp_kv_cache_interleave_size).
  enum class Shards { contiguous, zigzag, round_robin };

  std::int64_t left_padding = 0;      ///< rows in front
  std::int64_t padding_position = 1;  ///< along each axis, as transformers fills them
  std::int64_t shift =
      0;  ///< positions of so many rows ahead; 0 where there is none (Megatron-LM, roll_tensor)
  std::int64_t ranks = 1;
  std::int64_t rank = 0;
  Shards shards = Shards::contiguous;
  std::int64_t block = 1;  ///< of round_robin

  /// \param tokens of the sequence
  void keys(KeyVisitor& visit, std::int64_t tokens);
  std::string summary() const;
  /// \param tokens of the sequence
  std::int64_t rows(std::int64_t tokens) const { return (left_padding + tokens) / ranks; }
  /// The token that a row has the position of, and none where the row is filled.
  struct Source {
    std::optional<std::int64_t> token;
    std::int64_t filled = 0;
  };
  /// \param row from 0, below rows(tokens)
  Source source(std::int64_t row, std::int64_t tokens) const;

 private:
  /// How many rows of the sequence have to stand together.
  std::int64_t parts() const {
    return ranks * (shards == Shards::zigzag ? 2 : shards == Shards::round_robin ? block : 1);
  }
  /// Where a rank's row is in the whole sequence.
  std::int64_t in_sequence(std::int64_t row, std::int64_t all_rows) const;
};

}  // namespace vernier
