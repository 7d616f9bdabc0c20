#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "numerics/processes/request.hpp"
#include "numerics/processes/response.hpp"
#include "numerics/processes/takes.hpp"

namespace vernier {

// Questions and answers as files, so that an implementation can be in any language and on any machine. Both
// are in the safetensors format.
//
// A request has the tensors `positions` (int64, or of the type that whoever takes real ones says) and, where
// vectors are to be rotated, `input`; its metadata are `vernier_request`: "1", `spec`: the spec as JSON with
// all defaults written out, `dtype`: the element type of the first wanted tensor, and `wanted`: a JSON array
// of {"role", "dtype", "shape"}. `input` is
// [..., T, head_dim]: batches and heads stand in front, each rotated by all T positions.
//
// A response has one tensor for each wanted one, under its role's name, of its type and shape. Its metadata
// may have `implementation`: a name and a version; `takes`: what questions it takes, "contiguous" (positions
// k, k + 1, ... only) or "one-length" or both, where it does not take any, and "batched-positions" where it
// takes positions [B, T] as well, "gradients" where it computes those of
// vectors, "float32-positions" or "float64-positions" where it takes real ones. Without tensors,
// `unsupported` or `rejected` give a reason.

/// \throws InputError if the file cannot be written
void write_request(const Request& request, const std::filesystem::path& file);

/// Reads what `write_request` wrote. \throws InputError for anything else
Request read_request(const std::filesystem::path& file);

struct ReadResponse {
  Response response;
  std::string implementation;  ///< its own name and version, where it gave them; safe to show
  Takes takes = {};            ///< what it says of the questions that it takes
};

/// Reads an answer to a request. Whatever is wrong with it makes it malformed, for the reason that it gives.
/// Nothing of the file is trusted, and it is in memory when this returns: a symbolic link is not followed, a
/// pipe not waited for, and no more is read than an answer needs.
/// \param missing what an answer without a wanted tensor is: malformed, or unsupported where a file answers
/// as much as it can \param further bytes of tensors that others may want of the same file
ReadResponse read_response(const std::filesystem::path& file, const Request& request,
                           ResponseStatus missing = ResponseStatus::malformed, std::uintmax_t further = 0);

}  // namespace vernier
