// Any bytes are a safetensors file or are refused with an InputError, and nothing beyond them is touched.

#include <cstdint>
#include <vector>

#include "numerics/formats/safetensors.hpp"
#include "numerics/fuzz/read_elements.hpp"
#include "reference/support/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* first = reinterpret_cast<const std::byte*>(data);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(first, first + size);
  try {
    const vernier::Safetensors file(*bytes, bytes, "fuzz.safetensors");
    for (const auto& name : file.names()) {
      try {
        vernier::read_elements(file.tensor(name));
      } catch (const vernier::InputError&) {
        // a tensor of another type, or without elements: the others may still be read
      }
    }
  } catch (const vernier::InputError&) {
  }
  return 0;
}
