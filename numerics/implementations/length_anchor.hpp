#pragma once

#include <cstdint>
#include <optional>

#include "numerics/implementations/asked_through.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// The request with the last position of the sequence in it: where it lacks it, as a last row, or as a first
/// one of descending positions.
Request with_length(const Request& request, std::optional<std::int64_t> length);

/// Asks an implementation whose frequencies depend on the length of the sequence for one length throughout.
/// Hugging Face's rule reads the length off each call: the greatest position in it, plus one
/// (modeling_rope_utils.py, dynamic_rope_update). So the last position of the sequence is asked for with
/// every question that lacks it, in a row of its own, which is taken off the answer. Who is given blocks of
/// positions only is asked without it.
class LengthAnchor final : public AskedThrough {
 public:
  /// \param length of the sequence; nothing: questions are passed on as they are
  LengthAnchor(LiveImplementation& inner, std::optional<std::int64_t> length)
      : AskedThrough(inner), length_(length) {}

  Response ask(const Request& request) override;

 private:
  std::optional<std::int64_t> length_;
};

}  // namespace vernier
