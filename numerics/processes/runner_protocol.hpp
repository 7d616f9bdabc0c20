#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "numerics/plugin/vernier_plugin.h"

/// What Vernier and the runner of a plug-in say to each other, and how the memory that they share is laid
/// out. Messages have a fixed size and go one a packet over a socket pair. The runner includes nothing else
/// of Vernier's, and nothing that it says is trusted: a plug-in can write into all of its memory.
namespace vernier::plugin_protocol {

/// Raised whenever a message changes: a runner of another version is refused.
inline constexpr std::uint32_t version = 3;

/// What the runner finds open when it starts, besides standard input, output and error: its end of the
/// channel.
inline constexpr int channel_descriptor = 3;
/// The runner's exit code once it can no longer be asked.
inline constexpr int cannot_be_asked = 120;

inline constexpr std::size_t most_dimensions = 8;
inline constexpr std::size_t text_size = 512;
using Text = std::array<char, text_size>;  ///< ended by a zero, unless it fills all

/// What decides how floating-point operations round and trap; the flags of past exceptions are no part of it.
struct FloatingPointControl {
  std::int32_t rounding = 0;  ///< as fegetround() has it
  std::uint32_t machine = 0;  ///< x86: MXCSR without flags; AArch64: FPCR; elsewhere 0
  std::uint32_t x87 = 0;      ///< x86: the control word, and above it the tag word; elsewhere 0

  friend bool operator==(const FloatingPointControl&, const FloatingPointControl&) = default;
};

enum class LoadOutcome : std::uint32_t {
  loaded,
  unconfined,   ///< the kernel refused a limit
  no_library,   ///< text says why
  no_entry,     ///< it exports no vernier_plugin
  no_table,     ///< vernier_plugin returned null
  another_abi,  ///< `number` is its abi_version
  short_table,  ///< `number` is its struct_size
  threw         ///< text may say what
};

/// The first message, from the runner, once the library is loaded or cannot be.
struct LoadReport {
  std::uint32_t protocol = version;
  LoadOutcome outcome = LoadOutcome::loaded;
  std::uint32_t number = 0;
  std::uint64_t capabilities = 0;  ///< as in the table of a plug-in
  FloatingPointControl before = {};
  FloatingPointControl after = {};
  Text name = {};
  Text implementation_version = {};
  Text text = {};
};

enum class Function : std::uint32_t { table, rotate, bias, buckets };

/// The pieces of shared memory: one for each thing that a function can be passed.
enum class Piece : std::uint32_t { spec, role, positions, input, output };
inline constexpr std::size_t pieces = 5;

struct TensorLayout {
  VernierDataType type = {};
  std::uint32_t dimensions = 0;
  std::array<std::int64_t, most_dimensions> shape = {};
  std::uint32_t has_strides = 0;  ///< 0: dense
  std::array<std::int64_t, most_dimensions> strides = {};
};

/// From Vernier: call this function. With it come the descriptors of the pieces that are new, in their order.
struct Question {
  std::uint64_t sequence = 0;
  Function function = Function::table;
  std::uint32_t in_place = 0;                       ///< 1: the output holds the input
  std::uint32_t new_pieces = 0;                     ///< a bit for each piece
  std::array<std::uint64_t, pieces> capacity = {};  ///< of the new ones, in bytes: whole pages
  std::array<std::uint64_t, pieces> bytes = {};     ///< in use in each
  TensorLayout positions = {};
  TensorLayout input = {};  ///< no dimensions: none
  TensorLayout output = {};
};

enum class CallOutcome : std::uint32_t {
  returned,             ///< `code` is what the function returned
  supports_returned,    ///< supports returned `code`, which is not VERNIER_OK: the function was not called
  no_function,          ///< the plug-in's is null
  threw,                ///< text may say what
  memory_not_available  ///< the runner could not map a piece
};

/// From the runner: how the call ended.
struct Answer {
  std::uint64_t sequence = 0;  ///< that of the question
  CallOutcome outcome = CallOutcome::returned;
  std::int32_t code = 0;
  FloatingPointControl before = {};
  FloatingPointControl after = {};
  Text text = {};
};

/// Where data start: vectors of any width load and store there as fast as anywhere.
inline constexpr std::size_t data_alignment = 64;

inline constexpr std::size_t rounded_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Of a piece that holds so many bytes, the end that the plug-in may touch: whole pages that hold the data as
/// far up as their alignment lets them, and at least one page below them. What is not data there is watched;
/// all around it is inaccessible.
inline constexpr std::size_t open_bytes(std::size_t bytes, std::size_t page) {
  return rounded_up(rounded_up(bytes, data_alignment), page) + page;
}

/// How far before the end of the piece the data start.
inline constexpr std::size_t start_before_end(std::size_t bytes) {
  return rounded_up(bytes, data_alignment);
}

}  // namespace vernier::plugin_protocol
