// Any bytes are a GGUF file or are refused with an InputError, and nothing beyond them is touched.

#include "numerics/artefacts/gguf.hpp"
#include "numerics/fuzz/read_elements.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return vernier::read_bytes(data, size, [](const auto& bytes) {
    vernier::read_all(vernier::Gguf(*bytes, bytes, "fuzz.gguf").tensors());
  });
}
