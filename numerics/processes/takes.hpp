#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// What an implementation says of the questions that it takes, beside those that any takes.
struct Takes {
  /// Positions k, k + 1, ... only: it computes rows from an offset and a length.
  bool contiguous_only = false;
  /// One number of rows a process: it is built for it when it is first asked.
  bool one_length = false;
  /// Positions [B, T] too, a row of them for each of B batches of vectors [B, ..., T, head_dim].
  bool batched_positions = false;
  /// Vectors to rotate in the memory of the rotated ones only: it overwrites its input.
  bool in_place = false;
  /// Tensors whose rows are apart, too.
  bool strides = false;
  /// Gradients of rotated vectors too: who is asked for a rotation only must not be taken to know them.
  bool gradients = false;
  /// Positions of a floating-point type too, which need not be integers: then it is asked for those alone.
  bool float32_positions = false;
  bool float64_positions = false;

  /// The type of positions that it is asked in: the narrower where it takes both, int64 where it takes none.
  ElementType position_type() const {
    return float32_positions   ? ElementType::float32
           : float64_positions ? ElementType::float64
                               : ElementType::int64;
  }

  friend bool operator==(const Takes&, const Takes&) = default;
};

/// What either says.
Takes operator|(const Takes& one, const Takes& other);

/// Reads words apart by blanks or commas: "contiguous", "one-length", "batched-positions", "gradients",
/// "float32-positions", "float64-positions". Words of later versions are passed over; the rest is about
/// memory, which only a plug-in shares.
Takes takes_of(std::string_view words);

/// The same of the capabilities of a plug-in.
Takes takes_of_capabilities(std::uint64_t capabilities);

/// All of these words.
std::vector<std::string> words_of_takes();

/// The same as takes_of(), for a word that a person gave. \throws InputError for one that there is not
Takes parse_takes(std::string_view words, std::string_view option);

}  // namespace vernier
