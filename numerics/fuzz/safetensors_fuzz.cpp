// Any bytes are a safetensors file or are refused with an InputError, and nothing beyond them is touched.

#include "numerics/formats/safetensors.hpp"
#include "numerics/fuzz/read_elements.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return vernier::read_bytes(data, size, [](const auto& bytes) {
    const vernier::Safetensors file(*bytes, bytes, "fuzz.safetensors");
    for (const auto& name : file.names()) {
      try {
        vernier::read_elements(file.tensor(name));
      } catch (const vernier::InputError&) {
        // a tensor of another type, or without elements: the others may still be read
      }
    }
  });
}
