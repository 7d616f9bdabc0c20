#include "numerics/implementations/floating_point_evidence.hpp"

#include <array>
#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <fmt/core.h>

namespace vernier {
namespace {

std::string rounding_name(std::int32_t mode) {
  switch (mode) {
    case FE_TONEAREST:
      return "to nearest";
    case FE_UPWARD:
      return "upward";
    case FE_DOWNWARD:
      return "downward";
    case FE_TOWARDZERO:
      return "toward zero";
    default:
      return "unknown";
  }
}

#if defined(__x86_64__)
constexpr std::string_view machine_register = "MXCSR";
/// Intel SDM, volume 1, section 10.2.3.
std::string machine_bits(std::uint32_t before, std::uint32_t after) {
  const std::uint32_t changed = before ^ after;
  std::string text;
  text += (changed & 0x8000) != 0 ? "flush to zero, " : "";
  text += (changed & 0x0040) != 0 ? "denormals are zero, " : "";
  text += (changed & 0x1f80) != 0 ? "exception masks, " : "";
  return text;
}
#else
constexpr std::string_view machine_register = "FPCR";
/// Arm Architecture Reference Manual, C5.2.8.
std::string machine_bits(std::uint32_t before, std::uint32_t after) {
  const std::uint32_t changed = before ^ after;
  std::string text;
  text += (changed & 1u << 24) != 0 ? "flush to zero, " : "";
  text += (changed & 1u << 25) != 0 ? "default NaN, " : "";
  text += (changed & 0x1f00) != 0 ? "exception traps, " : "";
  return text;
}
#endif

}  // namespace

std::optional<std::string> floating_point_evidence(const plugin_protocol::FloatingPointControl& before,
                                                   const plugin_protocol::FloatingPointControl& after) {
  if (before == after) {
    return std::nullopt;
  }
  std::string text;
  if (before.rounding != after.rounding) {
    text += fmt::format("rounding {}, ", rounding_name(after.rounding));
  }
  if (before.machine != after.machine) {
    text += fmt::format("{}{} {:#x} for {:#x}, ", machine_bits(before.machine, after.machine),
                        machine_register, after.machine, before.machine);
  }
  if (before.x87 != after.x87) {
    text += fmt::format("x87 control and tag words {:#x} for {:#x}, ", after.x87, before.x87);
  }
  text.resize(text.size() - 2);
  return text;
}

}  // namespace vernier
