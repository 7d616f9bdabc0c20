#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "numerics/processes/live_implementation.hpp"
#include "reference/schemes/encoding.hpp"
#include "reports/verdict/live/live_session.hpp"

namespace vernier {

/// A tensor of vectors that a call of production rotated.
struct RecordedCall {
  std::string place;  ///< "workloads.jsonl:3 k", for sentences
  Request request;    ///< its input [heads, T, head_dim], in the type that the caller had
};

/// Reads calls as flashinfer-bench writes them: a file of JSON lines, each {"workload": {"inputs": ...}} with
/// positions (or pos_ids), and q, k or x of [T, heads, head_dim] or [T, heads * head_dim]; an input is a
/// tensor of a .safetensors file, sought from the list's folder upwards, or {"type": "random"}, which is
/// drawn here. A call without positions rotates nothing and is passed over. Source:
/// flashinfer-ai/flashinfer-bench, docs/flashinfer_trace/workload.md. \param type of what is random \throws
/// InputError for a line or file that cannot be read, vectors that are no heads of the encoding, more than a
/// GiB, and a list without calls that rotate
std::vector<RecordedCall> read_recorded_calls(const std::filesystem::path& list, const Encoding& encoding,
                                              ElementType type, std::uint64_t seed);

/// Asks each call as it was recorded, and joins the answers for each role into one of rows [N, head_dim]. If
/// a call has no answer, that stands for its role, whose later calls are not asked. \param pause called
/// before each question; may throw
std::vector<Asked> asked_again(LiveImplementation& implementation, const std::vector<RecordedCall>& calls,
                               const std::function<void()>& pause);

}  // namespace vernier
