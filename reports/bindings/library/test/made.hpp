#pragma once

// What tests of the C library make and take.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <vernier.h>

namespace made {

inline constexpr const char* small_rope = R"({"scheme": "rope", "head_dim": 16})";

/// Text that the library handed out.
inline std::string taken(char* text) {
  std::string result = text == nullptr ? "" : text;
  vernier_free(text);
  return result;
}

/// A tensor and its shape, over somebody's elements.
struct Made {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  VernierTensor tensor;

  Made(void* data, VernierDataType type, std::vector<std::int64_t> of, std::vector<std::int64_t> apart = {})
      : shape(std::move(of)), strides(std::move(apart)), tensor{} {
    tensor = {data, {VERNIER_CPU, 0}, static_cast<std::int32_t>(shape.size()),
              type, shape.data(),     strides.empty() ? nullptr : strides.data(),
              0};
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
};

inline constexpr VernierDataType float32{VERNIER_FLOAT, 32, 1};
inline constexpr VernierDataType float64{VERNIER_FLOAT, 64, 1};
inline constexpr VernierDataType bfloat16{VERNIER_BFLOAT, 16, 1};
inline constexpr VernierDataType int64{VERNIER_INT, 64, 1};

/// What became of a call of vernier_judge.
struct Judged {
  std::int32_t code;
  std::string error;
  std::string text;
  std::int32_t exit_code = -1;
};

}  // namespace made
