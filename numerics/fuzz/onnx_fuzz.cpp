// Any bytes are an ONNX model or are refused with an InputError, and nothing beyond them is touched.

#include <cstdint>
#include <vector>

#include "numerics/artefacts/onnx.hpp"
#include "numerics/fuzz/read_elements.hpp"
#include "reference/support/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* first = reinterpret_cast<const std::byte*>(data);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(first, first + size);
  try {
    const vernier::Onnx file(*bytes, bytes, "fuzz.onnx");
    for (const auto& stored : file.tensors()) {
      if (stored.tensor) {
        vernier::read_elements(*stored.tensor);
      }
    }
  } catch (const vernier::InputError&) {
  }
  return 0;
}
